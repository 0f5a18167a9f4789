// The event stream of one response, read to the end of its connection: the loop under every stream of an upstream.
import type { Readable } from 'node:stream';
import type { HttpClient, Response } from './http-client.ts';
import { tooLarge } from './http-error.ts';
import { type SseHandlers, SseReader } from './sse-reader.ts';

export interface ReadEventsOptions extends SseHandlers {
  readonly client: Pick<HttpClient, 'server' | 'frameBytes'>;
  /** Aborting it ends the connection, which resolves. */
  readonly signal: AbortSignal;
  /** Told of the body once it is being read; what it returns is told of the end of each event. */
  onBody(body: Readable): () => void;
}

/**
 * Resolves when the connection has ended: one that breaks ends like one that is closed. Rejects with McpxError `upstream`
 * for an event that is far too long, after which nothing can be made of the stream.
 */
export function readEvents({ body }: Response, options: ReadEventsOptions): Promise<void> {
  const { client, signal, onBody, onEvent, onLong, onRetry } = options;
  let ended = (): void => {};
  const reader = new SseReader(client.frameBytes, {
    onEvent(event) {
      ended();
      onEvent(event);
    },
    onLong(message, id) {
      ended();
      onLong(message, id);
    },
    onRetry,
  });
  return new Promise((resolve, reject) => {
    const stop = (): void => void body.destroy();
    const finish = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    body.on('data', (chunk: Buffer) => {
      if (reader.push(chunk)) return;
      reject(tooLarge(client.server, client.frameBytes));
      body.destroy();
    });
    ended = onBody(body);
    body.on('error', () => {});
    body.on('close', finish);
    body.on('end', finish);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** Whether the event carries a message: one without data only gives the stream an id to resume from. */
export function isMessage({
  event,
  data,
}: {
  readonly event?: string | undefined;
  readonly data: string;
}): boolean {
  return data !== '' && (event === undefined || event === 'message');
}
