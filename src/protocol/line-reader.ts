// Cuts a byte stream into lines of text: characters split across chunks stay whole, a line has a greatest length.
import { isUtf8 } from 'node:buffer';
import { Excerpt, FAR_TOO_LONG, type Overlong } from './overlong.ts';

/** A line, or what kept it from being one. */
export type InputLine =
  | { readonly kind: 'line'; readonly text: string }
  /** `hopeless` where it is over four times the limit and has no end yet. */
  | { readonly kind: 'too-long'; readonly found: Overlong; readonly hopeless: boolean }
  /** `text` has a replacement character for what is none. */
  | { readonly kind: 'not-utf8'; readonly text: string };

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Collects chunks into lines. A line over `limit` bytes is skipped without being kept, and reported once: at its end,
 * with what its two ends tell of it, or at four times the limit (C59). Blank lines are left out, white space around a
 * line too.
 */
export class LineReader {
  readonly #limit: number;
  /** Grows by doubling, so that a line that comes byte by byte costs no more than one that comes whole. */
  #held = EMPTY;
  #length = 0;
  /** The ends of a line over the limit; `reported` once nothing more is made of it. */
  #long: Excerpt | 'reported' | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes one chunk and yields the lines that it completes. */
  *push(chunk: Buffer): Generator<InputLine> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end === -1 ? chunk.length : end);
      if (this.#long === undefined && this.#length + part.length > this.#limit) {
        this.#long = new Excerpt();
        this.#long.push(this.#held.subarray(0, this.#length));
        this.#drop();
      }
      if (this.#long instanceof Excerpt) {
        this.#long.push(part);
        if (this.#long.length > FAR_TOO_LONG * this.#limit) yield this.#reported(false);
      }
      if (end === -1) {
        if (this.#long === undefined) this.#keep(part);
        return;
      }
      yield* this.#ended(part);
      from = end + 1;
    }
  }

  /** The last line, where the stream ended without a line break. */
  *end(): Generator<InputLine> {
    yield* this.#ended(EMPTY);
  }

  *#ended(last: Buffer): Generator<InputLine> {
    if (this.#long === undefined) yield* this.#line(last);
    else if (this.#long !== 'reported') yield this.#reported(true);
    this.#long = undefined;
  }

  #reported(whole: boolean): InputLine {
    const found = this.#long instanceof Excerpt ? this.#long.read(whole) : undefined;
    this.#long = 'reported';
    return { kind: 'too-long', found: found ?? { kind: 'noise', id: undefined }, hopeless: !whole };
  }

  *#line(last: Buffer): Generator<InputLine> {
    let bytes = last;
    if (this.#length > 0) {
      this.#keep(last);
      bytes = this.#held.subarray(0, this.#length);
    }
    const kind = isUtf8(bytes) ? 'line' : 'not-utf8';
    const text = bytes.toString('utf8').trim();
    this.#drop();
    if (text !== '') yield { kind, text };
  }

  #keep(part: Buffer): void {
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
