// The keys of line prompts: raw from the first prompt to the last, and thrown away wherever no prompt stands on the screen.
import type { Clock, Timer } from '../clock.ts';
import { type Input, KeyInput } from '../terminal/key-input.ts';

/** Keys: a terminal, or in tests any readable stream. */
export type PromptInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  readonly readableEnded?: boolean;
  readonly destroyed?: boolean;
  setRawMode?(raw: boolean): unknown;
};

/** How long a prompt ignores keys after it was drawn, so that none typed for something else answers it (C31, C45). */
export const QUIET_MS = 300;
/** Long enough for the signal to have stopped the process, where it can be stopped at all. */
const STOP_MS = 30;

export class Keyboard {
  readonly #input: PromptInput;
  readonly #clock: Clock;
  readonly #keys: KeyInput;
  readonly #stop = new AbortController();
  #listener: ((input: Input) => void) | undefined;
  #isQuiet = true;
  #timer: Timer | undefined;
  #isOpen = true;

  /**
   * Takes the terminal. What it holds from before, also in its own line buffer, comes with the first read and is
   * thrown away.
   */
  constructor(input: PromptInput, clock: Clock) {
    this.#input = input;
    this.#clock = clock;
    this.#keys = new KeyInput(clock, (one) => this.#heard(one));
    if (input.readableEnded === true || input.destroyed === true) this.interrupt();
    this.#raw(true);
    input.on('data', this.#read).on('end', this.interrupt).on('close', this.interrupt);
    input.resume();
  }

  /** Aborts on Ctrl+C and at the end of the input. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Gives the keys of one prompt to `listener`, from 300 ms after `ready()` on; returns what ends that. */
  listen(listener: (input: Input) => void): () => void {
    this.#timer?.cancel();
    this.#isQuiet = true;
    this.#listener = listener;
    return () => {
      if (this.#listener === listener) this.#listener = undefined;
    };
  }

  /** The prompt stands on the terminal. */
  ready(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(QUIET_MS, () => {
      this.#isQuiet = false;
    });
  }

  /** Ends the prompts as Ctrl+C does. */
  readonly interrupt = (): void => this.#stop.abort();

  /** Gives the terminal back as it was. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#keys.close();
    this.#input.off('data', this.#read).off('end', this.interrupt).off('close', this.interrupt);
    this.#input.pause();
    this.#raw(false);
  }

  readonly #read = (chunk: Buffer | string): void => this.#keys.push(chunk);

  #heard(input: Input): void {
    const stroke = input.type === 'key' ? input.stroke : undefined;
    // These can only leave, and leaving sends nothing.
    if (stroke === 'ctrl+c' || (stroke === 'ctrl+d' && (this.#isQuiet || this.#listener === undefined)))
      this.interrupt();
    else if (stroke === 'ctrl+z') this.#suspend();
    else if (!this.#isQuiet) this.#listener?.(input);
  }

  /** Stops as a job of the shell; `fg` goes on. The prompt is told by the strokes `suspended` and `resumed`. */
  #suspend(): void {
    let timer: NodeJS.Timeout | undefined;
    const goOn = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', goOn);
      if (!this.#isOpen) return;
      this.#raw(true);
      this.#listener?.({ type: 'key', stroke: 'resumed' });
    };
    this.#listener?.({ type: 'key', stroke: 'suspended' });
    this.#raw(false);
    process.on('SIGCONT', goOn);
    // The whole group, as the terminal would do it: whoever started mcpx has to stop as well.
    process.kill(0, 'SIGTSTP');
    // A group without a shell cannot be stopped, and is not continued either.
    timer = setTimeout(goOn, STOP_MS);
  }

  #raw(raw: boolean): void {
    if (this.#input.isTTY === true) this.#input.setRawMode?.(raw);
  }
}
