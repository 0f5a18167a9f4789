// The last of what a server process wrote on stderr: always read, little kept, shown clean (C18).
import { inert } from '../../text/inert.ts';

const KEPT_BYTES = 8192;
const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 300;

export class StderrTail {
  #kept: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const joined = chunk.length >= KEPT_BYTES ? chunk : Buffer.concat([this.#kept, chunk]);
    // A copy, so that a large chunk is not held by the small piece of it that is kept.
    this.#kept = joined.length > KEPT_BYTES ? Buffer.from(joined.subarray(-KEPT_BYTES)) : joined;
  }

  /** Up to 20 lines without control characters, each cut at 300 characters; `''` when there are none. */
  text(): string {
    return this.#lines().slice(-SHOWN_LINES).join('\n');
  }

  lastLine(): string {
    return this.#lines().at(-1) ?? '';
  }

  #lines(): string[] {
    return this.#kept
      .toString('utf8')
      .split(/[\r\n]+/)
      .map((line) => inert(line, { oneLine: true, max: SHOWN_CHARACTERS }))
      .filter((line) => line !== '');
  }
}
