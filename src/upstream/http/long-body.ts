// The body of a long POST, handed over only as fast as the server reads it, and counted until it has (C51).
import { pieceEnd } from '../../protocol/pieces.ts';

/** Characters of a body that one piece has; a body of no more is sent whole, and not counted. */
const PIECE = 64 * 1024;

/** The long bodies of one connection that are on their way. */
export class LongBodies {
  /** Bytes, roughly, that the server has not taken. */
  untaken = 0;

  /** The body of a POST whose text is long; undefined where it is not. */
  of(text: string): LongBody | undefined {
    return text.length > PIECE ? new LongBody(this, text) : undefined;
  }
}

export class LongBody implements AsyncIterable<Buffer> {
  readonly #all: LongBodies;
  readonly #text: string;
  #counted: number;

  constructor(all: LongBodies, text: string) {
    this.#all = all;
    this.#text = text;
    this.#counted = text.length;
    all.untaken += text.length;
  }

  get bytes(): number {
    return Buffer.byteLength(this.#text);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const text = this.#text;
    for (let from = 0; from < text.length; ) {
      const to = pieceEnd(text, from, PIECE);
      yield Buffer.from(text.slice(from, to));
      // The next piece is asked for once this one is on its way.
      this.#took(to - from);
      from = to;
    }
  }

  /** What becomes of the rest is of no interest any more. */
  settle(): void {
    this.#took(this.#counted);
  }

  #took(length: number): void {
    const taken = Math.min(length, this.#counted);
    this.#counted -= taken;
    this.#all.untaken -= taken;
  }
}
