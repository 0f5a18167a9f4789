// Cuts a stream of bytes into lines of text, holding at most one line of bounded length.
import { Excerpt, FAR_TOO_LONG, type Overlong } from '../../protocol/overlong.ts';

const LF = 0x0a;
const CR = 0x0d;

export interface LinesOptions {
  /** In bytes, without the line end. */
  readonly limit: number;
  onLine(line: string): void;
  /** Told at its end of a line over the limit; nothing but its two ends was kept (C59). */
  onLong(line: Overlong): void;
}

/**
 * Lines end in LF or CRLF. Bytes are decoded a whole line at a time, so that a character cut between two chunks
 * survives (C17).
 */
export class Lines {
  readonly #options: LinesOptions;
  #parts: Buffer[] = [];
  #held = 0;
  /** The line that is being skipped, since it is over the limit. */
  #long: Excerpt | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  /** Returns false when a line is over four times the limit and has no end yet; the stream is of no more use. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      if (this.#tooLong(piece)) {
        if (this.#farTooLong) return false;
        this.#emitLong();
      } else this.#emit(this.#held === 0 ? piece : this.#joined(piece));
    }
    if (start < chunk.length) {
      const rest = chunk.subarray(start);
      if (this.#tooLong(rest)) return !this.#farTooLong;
      this.#parts.push(rest);
      this.#held += rest.length;
    }
    return true;
  }

  /** The end of the stream: what is left is a line too. */
  end(): void {
    this.#emitLong();
    if (this.#held > 0) this.#emit(this.#joined(Buffer.alloc(0)));
  }

  #joined(last: Buffer): Buffer {
    const whole = Buffer.concat([...this.#parts, last], this.#held + last.length);
    this.#parts = [];
    this.#held = 0;
    return whole;
  }

  #emit(line: Buffer): void {
    const end = line.at(-1) === CR ? line.length - 1 : line.length;
    if (end > 0) this.#options.onLine(line.toString('utf8', 0, end));
  }

  /** Whether the line is over the limit with this piece of it; then only its ends are kept. */
  #tooLong(piece: Buffer): boolean {
    if (this.#long === undefined) {
      if (this.#held + piece.length <= this.#options.limit) return false;
      this.#long = new Excerpt();
      for (const part of this.#parts) this.#long.push(part);
      this.#parts = [];
      this.#held = 0;
    }
    this.#long.push(piece);
    return true;
  }

  get #farTooLong(): boolean {
    return (this.#long?.length ?? 0) > FAR_TOO_LONG * this.#options.limit;
  }

  #emitLong(): void {
    const line = this.#long?.read();
    this.#long = undefined;
    if (line !== undefined) this.#options.onLong(line);
  }
}
