// Reads the frames of one connection in their order: small ones at once, large ones in turns with everything else (C48).
import { type Frame, parseFrame, parsingFrame } from '../protocol/message.ts';
import { isLarge } from '../waiting.ts';
import type { Source } from './transport.ts';

/** Characters of a large frame that are read before others get their turn: a few milliseconds. */
const STRETCH = 512 * 1024;

type Take = (frame: Frame, text: string, source: Source) => void;

interface Waiting {
  readonly text: string;
  readonly source: Source;
  readonly parsing: Generator<void, Frame>;
}

export class FrameReader {
  readonly #take: Take;
  readonly #waiting: Waiting[] = [];
  readonly #whenTaken: (() => void)[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(take: Take) {
    this.#take = take;
  }

  read(text: string, source: Source): void {
    if (this.#waiting.length === 0 && !isLarge(text)) {
      this.#take(parseFrame(text), text, source);
      return;
    }
    this.#waiting.push({ text, source, parsing: parsingFrame(text, STRETCH) });
    this.#turn ??= setImmediate(() => this.#read());
  }

  /** Resolves once nothing waits any more. */
  taken(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenTaken.push(resolve));
  }

  /** Reads at once what still waits: for whatever must not come before it. */
  flush(): void {
    while (this.#waiting.length > 0) this.#step();
  }

  #read(): void {
    this.#turn = undefined;
    // What is large takes a turn a stretch; the small ones behind it go together.
    do this.#step();
    while (this.#waiting[0] !== undefined && !isLarge(this.#waiting[0].text));
    if (this.#waiting.length > 0) this.#turn ??= setImmediate(() => this.#read());
  }

  #step(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const { done, value } = next.parsing.next();
    if (!done) return;
    this.#waiting.shift();
    this.#take(value, next.text, next.source);
    if (this.#waiting.length === 0) for (const resolve of this.#whenTaken.splice(0)) resolve();
  }
}
