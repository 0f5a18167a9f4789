// `mcpx tui` on a terminal made of memory: keys go in, and what comes out is the picture a person would see.

import { EventEmitter } from 'node:events';
import { onTestFinished } from 'vitest';
import type { Drafts } from '../../src/broker/drafts.ts';
import { openChecks } from '../../src/checks/open.ts';
import { glyphs } from '../../src/terminal/glyphs.ts';
import type { RowSource } from '../../src/tui/row-source.ts';
import { startTui } from '../../src/tui/run.ts';
import type { State } from '../../src/tui/state/types.ts';
import { draw } from '../../src/tui/view/screen.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { type Asked, FakeSource } from './fake-source.ts';
import { Vt } from './vt.ts';

const SEQUENCES: Readonly<Record<string, string>> = {
  enter: '\r',
  tab: '\t',
  'shift+tab': '\u001b[Z',
  esc: '\u001b',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  home: '\u001b[H',
  end: '\u001b[F',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  delete: '\u001b[3~',
  backspace: '\u007f',
  space: ' ',
};

export interface TuiSetup {
  readonly columns?: number;
  readonly rows?: number;
  readonly unicode?: boolean;
  readonly color?: boolean;
  readonly bell?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Questions that are open at the start. */
  readonly asked?: readonly Asked[];
  readonly openUrl?: (url: string) => Promise<void>;
  readonly drafts?: Drafts;
  /** Rows of another source than the one in memory. */
  readonly from?: RowSource;
}

export interface FakeTui {
  readonly vt: Vt;
  readonly clock: FakeClock;
  readonly source: FakeSource;
  state(): State;
  /** What the UI ended with. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  readonly stdin: { raw: boolean };
  /** Presses keys one after the other: names of the table, `ctrl+d`, or characters. */
  press(...keys: string[]): Promise<void>;
  /** Text as it comes from a keyboard, all at once. */
  type(text: string): Promise<void>;
  /** Text between the marks of a bracketed paste. */
  paste(text: string): Promise<void>;
  /** Resolves once the picture of the state is on the terminal. */
  drawn(): Promise<void>;
  /** Lets time pass that opens the gate of keys that send. */
  settle(): Promise<void>;
  /** Resolves with the picture once `text` is on it. */
  see(text: string): Promise<string>;
  /** Resolves once `text` is not on it. */
  miss(text: string): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  stop(): void;
}

export async function fakeTui(setup: TuiSetup = {}): Promise<FakeTui> {
  const { columns = 80, rows = 24, unicode = true, color = false, asked = [] } = setup;
  const clock = fakeClock();
  const source = new FakeSource(clock);
  for (const one of asked) source.ask(one);
  const vt = new Vt(columns, rows);
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    raw: false,
    setRawMode(raw: boolean) {
      stdin.raw = raw;
    },
    resume() {},
    pause() {},
    setEncoding() {},
    ref() {},
    unref() {},
  });
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns,
    rows,
    writable: true,
    write(text: string, done?: () => void) {
      vt.write(text);
      done?.();
      return true;
    },
  });
  const stopping = new AbortController();
  const checks = openChecks();
  onTestFinished(() => checks.close());
  const { done, state } = await startTui({
    source: setup.from ?? source,
    ...(setup.drafts !== undefined && { drafts: setup.drafts }),
    checks,
    stdin: stdin as never,
    stdout: stdout as never,
    env: setup.env ?? {},
    clock,
    glyphs: glyphs(unicode),
    color,
    bell: setup.bell ?? true,
    openUrl: setup.openUrl ?? (() => Promise.resolve()),
    signal: stopping.signal,
  });
  onTestFinished(async () => {
    stopping.abort();
    await done.catch(() => undefined);
  });
  /** The terminal is the shell's again. */
  const isGone = (): boolean => !vt.modes.has('1049');
  /** The picture of the state, as it is, on the terminal. */
  const drawn = async (): Promise<void> => {
    const wanted = (): string => textOf(state());
    await until(
      'the picture of the state',
      () => isGone() || (!isChecking(state()) && vt.text === wanted() && isCursorAt(vt, state())),
    ).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${vt.text}\nand should show:\n${wanted()}`);
    });
    // The drawing is reported to the state after it: until then keys that send do nothing.
    await until('the drawing to be reported', () => {
      if (isGone()) return true;
      const { open, questions } = state();
      const gate = open === undefined ? undefined : questions.get(open)?.gate;
      return gate === undefined || gate.quietSince !== undefined;
    });
  };
  const send = async (chunk: string): Promise<void> => {
    stdin.emit('data', Buffer.from(chunk));
    // A lone Esc is one only after a while.
    if (chunk === '\u001b') clock.advance(60);
    await drawn();
  };
  const tui: FakeTui = {
    vt,
    clock,
    source,
    state,
    done,
    drawn,
    stdin,
    async press(...keys) {
      for (const key of keys) {
        const ctrl = /^ctrl\+([a-z])$/.exec(key)?.[1];
        await send(
          ctrl === undefined ? (SEQUENCES[key] ?? key) : String.fromCharCode(ctrl.charCodeAt(0) - 96),
        );
      }
    },
    type: send,
    paste: (text) => send(`\u001b[200~${text}\u001b[201~`),
    async settle() {
      await drawn();
      clock.advance(600);
      await drawn();
    },
    see: (text) =>
      until(`"${text}"`, () => (vt.text.includes(text) ? vt.text : undefined), 5_000).catch(
        (error: Error) => {
          throw new Error(`${error.message}; it shows:\n${vt.text}`);
        },
      ),
    miss: (text) =>
      until(`no "${text}"`, () => (vt.text.includes(text) ? undefined : vt.text), 5_000).catch(
        (error: Error) => {
          throw new Error(`${error.message}; it shows:\n${vt.text}`);
        },
      ),
    async resize(toColumns, toRows) {
      vt.resize(toColumns, toRows);
      Object.assign(stdout, { columns: toColumns, rows: toRows });
      stdout.emit('resize');
      await drawn();
    },
    stop: () => stopping.abort(),
  };
  await until('the rows', () => state().loaded);
  await drawn();
  return tui;
}

function isCursorAt(vt: Vt, state: State): boolean {
  const { cursor } = draw(state);
  if (cursor === undefined) return !vt.modes.has('25');
  return vt.modes.has('25') && vt.x === cursor.x && vt.y === cursor.y;
}

function textOf(state: State): string {
  const { lines } = draw(state);
  return lines
    .map((line) =>
      line
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();
}

/** An answer is being held against its schema: what comes of it is on the screen in a moment. */
function isChecking(state: State): boolean {
  return [...state.questions.values()].some(({ stage }) => stage === 'checking');
}
