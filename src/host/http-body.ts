// The body of a POST as text, up to a limit.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { RPC } from '../protocol/message.ts';
import { Excerpt, type Overlong } from '../protocol/overlong.ts';
import { tooLong } from './handshake.ts';
import { Refusal } from './http-answers.ts';

/** How much of a body over the limit is still read, so that the host gets to read why it is refused. */
const DRAINED = 64 * 1024 * 1024;

/** A body over the limit, and what its two ends tell of it (C59). */
export class TooLong extends Refusal {
  readonly found: Overlong;

  constructor(found: Overlong, limit: number) {
    const isRequest = found.kind === 'request' || found.kind === 'unknown';
    super(413, RPC.invalidRequest, tooLong(limit), { id: isRequest ? found.id : undefined });
    this.found = found;
  }
}

/**
 * Reads the whole body. Refuses one over `limit` bytes (TooLong, 413), and one that is not UTF-8 (400, a JSON parse error).
 * Rejects with another error when the host went away before its end.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const ends = new Excerpt();
  const bytes = await readBytes(request, limit, ends);
  if (bytes === undefined) throw new TooLong(ends.read(ends.length <= limit + DRAINED), limit);
  if (!isUtf8(bytes)) throw new Refusal(400, RPC.parse, 'A message must be UTF-8.');
  return bytes.toString('utf8').trim();
}

/** The bytes of the whole body; undefined where they are more than `limit`, whose ends then are in `ends`. */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  ends?: Excerpt,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
        return;
      }
      for (const kept of chunks.splice(0)) ends?.push(kept);
      if (length > limit + DRAINED) resolve(undefined);
      if (length - chunk.length <= limit + DRAINED) ends?.push(chunk);
    });
    request.on('end', () => {
      const [first] = chunks;
      if (length > limit) resolve(undefined);
      else resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, length));
    });
    request.on('error', reject);
    request.on('close', () => {
      // Closes after a whole body too, where an Error made in vain would cost more than all the rest of the reading.
      if (!request.complete) reject(new Error('The host went away before the end of its message.'));
    });
  });
}
