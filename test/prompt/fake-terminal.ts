// A terminal made of two streams: what is drawn can be waited for, and keys are typed when it is there.
import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type Clock, systemClock } from '../../src/clock.ts';
import { Keyboard, QUIET_MS } from '../../src/prompt/keyboard.ts';
import type { PromptStreams } from '../../src/prompt/streams.ts';
import { fakeClock } from '../support/fake-clock.ts';

export const ENTER = '\r';
export const UP = '\u001b[A';
export const DOWN = '\u001b[B';
export const BACKSPACE = '\u007f';
export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

export class FakeTerminal {
  readonly input = Object.assign(new PassThrough(), {
    isTTY: true,
    raw: false,
    setRawMode(raw: boolean) {
      this.raw = raw;
      return this;
    },
  });
  readonly output: Writable & { columns: number };
  color = true;
  plain = false;
  readonly clock = fakeClock();
  keyboard: Keyboard | undefined;
  readonly gone = new AbortController();
  /** Everything that was drawn, escape sequences included. */
  drawn = '';
  #seen = 0;
  #isCommand = false;
  #listeners = new Set<() => void>();

  constructor() {
    this.output = Object.assign(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          this.drawn += chunk.toString();
          for (const listener of this.#listeners) listener();
          done();
        },
      }),
      { columns: 100 },
    );
  }

  get streams(): PromptStreams {
    this.keyboard ??= new Keyboard(this.input, this.clock);
    return {
      keyboard: this.keyboard,
      output: this.output,
      signal: this.gone.signal,
      clock: this.clock,
      color: this.color,
      plain: this.plain,
    };
  }

  /** For a command that has this terminal: short waits, as for keys, pass with `settle`; all others as they do. */
  get commandClock(): Clock {
    this.#isCommand = true;
    return {
      ...systemClock,
      after: (ms, fire) => (ms < 1_000 ? this.clock : systemClock).after(ms, fire),
    };
  }

  /** The text drawn so far. */
  get text(): string {
    return stripVTControlCharacters(this.drawn);
  }

  /** Resolves when `text` is drawn after what the last call waited for. */
  async see(text: string): Promise<void> {
    const found = (): boolean => {
      const at = this.text.indexOf(text, this.#seen);
      if (at >= 0) this.#seen = at + text.length;
      return at >= 0;
    };
    if (found()) return;
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#listeners.delete(look);
        reject(
          new Error(`never drawn: ${JSON.stringify(text)}; drawn since:\n${this.text.slice(this.#seen)}`),
        );
      }, 10_000);
      const look = (): void => {
        if (!found()) return;
        clearTimeout(late);
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
    });
  }

  press(keys: string): void {
    this.input.write(keys);
  }

  /** Waits for `text` and until its prompt takes keys, then types `keys`. */
  async at(text: string, keys: string): Promise<void> {
    await this.see(text);
    await this.settle();
    this.press(keys);
    await this.settle();
  }

  /** Lets what was typed be read, and so much time pass that the prompt takes keys. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.keyboard === undefined && !this.#isCommand) throw new Error('nobody reads this terminal');
    this.clock.advance(QUIET_MS);
  }

  /** Gives the terminal back, as a command does after its prompts. */
  close(): void {
    this.keyboard?.close();
  }
}
