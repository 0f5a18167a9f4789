// Cuts a byte stream into lines of text: characters split across chunks stay whole, a line has a greatest length.
import { isUtf8 } from 'node:buffer';

/** A line, or what kept it from being one. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'not-utf8' };

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Collects chunks into lines. A line over `limit` bytes is reported once, as soon as that is known, and skipped up to
 * its end without being kept. Blank lines are left out, white space around a line too.
 */
export class LineReader {
  readonly #limit: number;
  /** Grows by doubling, so that a line that comes byte by byte costs no more than one that comes whole. */
  #held = EMPTY;
  #length = 0;
  #skipping = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes one chunk and yields the lines that it completes. */
  *push(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (!this.#skipping && this.#length + part.length > this.#limit) {
        this.#skipping = true;
        this.#drop();
        yield { kind: 'too-long' };
      }
      if (end === -1) {
        if (!this.#skipping) this.#hold(part);
        return;
      }
      if (!this.#skipping) yield* this.#line(part);
      this.#skipping = false;
      from = end + 1;
    }
  }

  /** The last line, where the stream ended without a line break. */
  *end(): Generator<Line> {
    if (!this.#skipping) yield* this.#line(EMPTY);
  }

  *#line(last: Buffer): Generator<Line> {
    let bytes = last;
    if (this.#length > 0) {
      this.#hold(last);
      bytes = this.#held.subarray(0, this.#length);
    }
    const text = isUtf8(bytes) ? bytes.toString('utf8').trim() : undefined;
    this.#drop();
    if (text === undefined) yield { kind: 'not-utf8' };
    else if (text !== '') yield { kind: 'line', text };
  }

  #hold(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    part.copy(this.#held, this.#length);
    this.#length = length;
  }

  #drop(): void {
    this.#held = EMPTY;
    this.#length = 0;
  }
}
