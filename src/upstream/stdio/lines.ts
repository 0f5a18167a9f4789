// Cuts a stream of bytes into lines of text, holding at most one line of bounded length.

const LF = 0x0a;
const CR = 0x0d;

/**
 * Lines end in LF or CRLF. Bytes are decoded a whole line at a time, so that a character cut between two chunks
 * survives (C17).
 */
export class Lines {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #held = 0;

  /** `limit` is in bytes, without the line end. */
  constructor(limit: number, onLine: (line: string) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
  }

  /** Returns false when a line is longer than the limit; nothing of it is kept, and the stream is of no more use. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (this.#held + end - start > this.#limit) return this.#refuse();
      const piece = chunk.subarray(start, end);
      start = end + 1;
      this.#emit(this.#held === 0 ? piece : this.#joined(piece));
    }
    if (start < chunk.length) {
      const rest = chunk.subarray(start);
      if (this.#held + rest.length > this.#limit) return this.#refuse();
      this.#parts.push(rest);
      this.#held += rest.length;
    }
    return true;
  }

  /** The end of the stream: what is left is a line too. */
  end(): void {
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
    if (end > 0) this.#onLine(line.toString('utf8', 0, end));
  }

  #refuse(): false {
    this.#parts = [];
    this.#held = 0;
    return false;
  }
}
