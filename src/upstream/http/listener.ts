// The GET stream of a session: where an upstream speaks when no request of ours is open. There is never a second one.
import type { Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Overlong } from '../../protocol/overlong.ts';
import { EventStream } from './event-stream.ts';
import { discard, type HttpClient, isEventStream, type Response } from './http-client.ts';
import { SessionGone, type UpstreamSession } from './upstream-session.ts';

/** How long opening a connection waits for this stream, so that no question is sent before mcpx can hear it. */
const PATIENCE_MS = 300;

export interface ListenerOptions {
  readonly client: HttpClient;
  readonly session: UpstreamSession;
  readonly clock: Clock;
  readonly log: Log;
  onMessage(text: string, replayed: boolean): void;
  onLong(message: Overlong): void;
  onBody(body: Readable): () => void;
  onSessionGone(): void;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #closing = new AbortController();
  /** It was open, or could not be reached, and is no longer tried: worth opening again once the server answers. */
  lost = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Resolves when the stream is open or refused, or after 300 ms; it goes on in the background. Never rejects. */
  open(): Promise<void> {
    this.lost = false;
    return new Promise((resolve) => {
      const timer = this.#options.clock.after(PATIENCE_MS, resolve);
      const begun = (): void => {
        timer.cancel();
        resolve();
      };
      this.#run(begun)
        .catch((error) => this.#failed(error))
        .finally(begun);
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(begun: () => void): Promise<void> {
    const { client, session, clock, onMessage, onLong, onBody } = this.#options;
    const { signal } = this.#closing;
    const response: Response = await client.send({
      method: 'GET',
      headers: session.forGet(undefined),
      signal,
    });
    if (response.statusCode !== 200 || !isEventStream(response)) {
      // 405 says that there is none; other servers say it with other words, and 404 here is no lost session.
      this.#options.log.debug({ server: client.server, status: response.statusCode }, 'no GET stream');
      discard(response);
      return;
    }
    begun();
    const stream = new EventStream({
      client,
      session,
      clock,
      signal,
      onMessage,
      onLong,
      onBody,
      wanted: () => !signal.aborted,
    });
    await stream.follow(response, 'always');
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    if (error instanceof SessionGone) {
      this.#options.onSessionGone();
      return;
    }
    this.lost = true;
    this.#options.log.warn(
      { server: this.#options.client.server, error: messageOf(error) },
      'lost the GET stream; it is opened again with the next request',
    );
  }
}
