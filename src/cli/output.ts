// One output stream: complete however slow the reader, quiet when the reader has gone.
import { McpxError, messageOf } from '../errors.ts';

const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

export interface Output {
  /** Resolves when the stream has taken the text; at once and without an error when the reader has gone. */
  write(text: string): Promise<void>;
  /** Resolves when everything written so far has been taken; rejects when some of it could not be written. */
  drained(): Promise<void>;
}

/** `onGone` is called once, when the reader closes the pipe (`| head -1`). */
export function makeOutput(stream: NodeJS.WritableStream, onGone: () => void): Output {
  let gone = false;
  let last: Promise<void> = Promise.resolve();
  const fail = (error: unknown): McpxError | undefined => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!GONE.has(code))
      return new McpxError('failure', `The output could not be written: ${messageOf(error)}.`);
    if (!gone) {
      gone = true;
      onGone();
    }
    return undefined;
  };
  // Without a listener the error event of a closed pipe would end the process with a stack.
  stream.on('error', fail);
  return {
    write(text) {
      if (gone) return Promise.resolve();
      const done = new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => {
          const failure = error ? fail(error) : undefined;
          if (failure) reject(failure);
          else resolve();
        });
      });
      const before = last;
      last = Promise.all([before, done]).then(() => undefined);
      // A writer may leave it to `drained` to tell of the failure.
      last.catch(() => undefined);
      return done;
    },
    drained: () => last,
  };
}
