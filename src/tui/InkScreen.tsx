// The UI on a terminal: put there, taken away and put there again, with every mode as it was.
import { Box, type Instance, render, Text, useCursor } from 'ink';
import { memo, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Clock } from '../clock.ts';
import { KeyInput } from '../terminal/key-input.ts';
import { CLEAR, ENTER, LEAVE } from './modes.ts';
import { shown } from './state/place.ts';
import type { StateStore } from './state-store.ts';
import type { Theme } from './theme.ts';
import { draw } from './view/screen.ts';
import type { Line } from './view/span.ts';

export interface AppProps {
  readonly store: StateStore;
  readonly theme: Theme;
}

export function App({ store, theme }: AppProps) {
  const state = useSyncExternalStore(store.subscribe, store.state);
  const frame = useMemo(() => draw(state), [state]);
  const { setCursorPosition } = useCursor();
  setCursorPosition(frame.cursor);
  const gate = shown(state)?.question.gate.number;
  // After the commit: only what has been drawn may open the gate of keys that send.
  useEffect(() => {
    if (gate !== undefined) store.drawn(gate);
  }, [store, gate]);
  return (
    <Box flexDirection="column">
      {frame.lines.map((spans, index) => (
        // A line is its place on the screen: nothing moves, it only changes its text.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <FrameLine key={index} spans={spans} theme={theme} />
      ))}
    </Box>
  );
}

export interface FrameLineProps {
  readonly spans: Line;
  readonly theme: Theme;
}

export const FrameLine = memo(function FrameLine({ spans, theme }: FrameLineProps) {
  // Ink gives a line without text no height.
  if (spans.every(({ text }) => text === '')) return <Text> </Text>;
  return (
    <Text wrap="truncate-end">
      {spans.map(({ text, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the line
        <Text key={index} {...theme[tone]}>
          {text}
        </Text>
      ))}
    </Text>
  );
});

export type TtyIn = NodeJS.ReadStream;
export type TtyOut = NodeJS.WriteStream;

export interface ScreenOptions {
  readonly stdin: TtyIn;
  readonly stdout: TtyOut;
  readonly store: StateStore;
  readonly theme: Theme;
  readonly clock: Clock;
  /** An error while drawing or handling a key; the screen is gone by then. */
  readonly onCrash: (error: unknown) => void;
}

export class InkScreen {
  readonly #options: ScreenOptions;
  #instance: Instance | undefined;
  #out: InkOut | undefined;
  #keys: KeyInput | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /** Takes the terminal: raw keys, the other screen, the first drawing. */
  mount(): void {
    if (this.#instance !== undefined) return;
    const { stdin, stdout, store, clock } = this.#options;
    this.#keys = new KeyInput(clock, (input) => this.#guard(() => store.input(input)));
    stdin.setRawMode(true);
    stdin.on('data', this.#read);
    stdin.resume();
    stdout.write(ENTER);
    stdout.on('resize', this.#resized);
    this.#draw();
    this.#measure();
  }

  /** Gives the terminal back as it was; nothing is lost, as the state lives elsewhere. */
  unmount(): void {
    if (this.#instance === undefined) return;
    const { stdin, stdout } = this.#options;
    stdin.off('data', this.#read);
    stdin.pause();
    stdin.setRawMode(false);
    stdout.off('resize', this.#resized);
    this.#keys?.close();
    this.#keys = undefined;
    this.#erase();
    stdout.write(LEAVE);
  }

  /** Draws anew, whatever something else has put on the terminal meanwhile. */
  refresh(): void {
    if (this.#instance === undefined) return;
    this.#options.stdin.setRawMode(true);
    this.#erase();
    this.#options.stdout.write(ENTER);
    this.#draw();
    this.#measure();
  }

  readonly #read = (chunk: Buffer | string): void => this.#guard(() => this.#keys?.push(chunk));

  // Ink draws from where its last picture began, and after a change of size that is somewhere else: it begins anew.
  readonly #resized = (): void =>
    this.#guard(() => {
      this.#erase();
      this.#options.stdout.write(CLEAR);
      this.#measure();
      this.#draw();
    });

  #draw(): void {
    const { stdin, stdout, store, theme } = this.#options;
    this.#out = new InkOut(stdout);
    const instance = render(<App store={store} theme={theme} />, {
      stdin,
      stdout: this.#out as unknown as TtyOut,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    this.#instance = instance;
    instance.waitUntilExit().catch((error: unknown) => this.#crash(error));
  }

  #erase(): void {
    const instance = this.#instance;
    this.#instance = undefined;
    if (this.#out !== undefined) this.#out.isShut = true;
    instance?.unmount();
  }

  #measure(): void {
    const { columns, rows } = this.#options.stdout;
    const { size } = this.#options.store.state();
    if (columns !== size.columns || rows !== size.rows)
      this.#options.store.dispatch({ type: 'resize', size: { columns, rows } });
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#crash(error);
    }
  }

  #crash(error: unknown): void {
    this.unmount();
    this.#options.onCrash(error);
  }
}

/**
 * The terminal as Ink sees it. It does not tell Ink of a new size, and is shut while Ink goes: either makes Ink draw the
 * old picture once more, and where that is too tall by then the terminal would scroll.
 */
class InkOut {
  readonly isTTY = true;
  isShut = false;
  readonly #stdout: TtyOut;

  constructor(stdout: TtyOut) {
    this.#stdout = stdout;
  }

  get columns(): number {
    return this.#stdout.columns;
  }

  get rows(): number {
    return this.#stdout.rows;
  }

  write(text: string, done?: () => void): boolean {
    if (!this.isShut) return this.#stdout.write(text, done);
    done?.();
    return true;
  }

  on(): this {
    return this;
  }

  off(): this {
    return this;
  }
}
