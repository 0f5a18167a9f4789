// One SSE stream over as many connections as it takes: read, and when a connection ends, resumed from where it was.
import type { Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Overlong } from '../../protocol/overlong.ts';
import { wait } from '../../waiting.ts';
import { type HttpClient, isEventStream, type Response } from './http-client.ts';
import { isRefusal } from './http-error.ts';
import { isMessage, readEvents } from './read-events.ts';
import { SessionGone, saysSessionGone, type UpstreamSession } from './upstream-session.ts';

/** The wait before a new connection where the server names none, and the longest one, in milliseconds. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** So that `retry: 0` is no busy loop. */
const SHORTEST_WAIT_MS = 20;
/** A connection that ends sooner than this and has brought nothing is no success, in milliseconds. */
const TOO_SHORT_MS = 1000;
/** So many failures in a row and the stream is given up: about two minutes. */
const MOST_FAILURES = 8;
/** The same where nothing listens at the address any more: whoever waits is told at once that the server is gone. */
const MOST_REFUSALS = 2;

export interface StreamOptions {
  readonly client: HttpClient;
  readonly session: UpstreamSession;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes one message; `replayed` says that it came on a resumed connection. */
  onMessage(text: string, replayed: boolean): void;
  /** Takes note of one over `limits.frameBytes`, which was dropped. */
  onLong(message: Overlong): void;
  /** Told of each connection's body once it is being read; what it returns is told of the end of each event. */
  onBody(body: Readable): () => void;
  /** Asked when a connection has ended: whether more is expected on this stream. */
  wanted(): boolean | Promise<boolean>;
}

export class EventStream {
  readonly #options: StreamOptions;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #connections = 0;
  #failures = 0;
  #refusals = 0;
  /** Connections in a row that ended at once with nothing on them. */
  #empty = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /**
   * Reads the stream that `first` begins until it is no longer wanted or `signal` aborts, both of which resolve.
   * Rejects with McpxError when it cannot be resumed, with SessionGone when its session is over.
   */
  async follow(first: Response, resumable: 'with an event id' | 'always'): Promise<void> {
    const { clock } = this.#options;
    let response: Response | undefined = first;
    while (response !== undefined) {
      const begun = clock.monotonic();
      const heard = await this.#read(response);
      if (await this.#done()) return;
      this.#empty = heard || clock.monotonic() - begun >= TOO_SHORT_MS ? 0 : this.#empty + 1;
      if (resumable === 'with an event id' && this.#lastEventId === undefined) {
        throw new McpxError('upstream', `${this.#options.client.server}: the stream ended before the reply`);
      }
      response = await this.#reconnect();
    }
  }

  async #done(): Promise<boolean> {
    return this.#options.signal.aborted || !(await this.#options.wanted());
  }

  /** Resolves at the end of the connection with whether it has brought an event. */
  async #read(response: Response): Promise<boolean> {
    const { client, signal, onMessage, onLong, onBody } = this.#options;
    let heard = false;
    this.#connections += 1;
    const replayed = this.#connections > 1;
    const hear = (id: string | undefined): void => {
      heard = true;
      if (id !== undefined) this.#lastEventId = id === '' ? undefined : id;
    };
    await readEvents(response, {
      client,
      signal,
      onBody,
      onEvent: (event) => {
        hear(event.id);
        if (isMessage(event)) onMessage(event.data, replayed);
      },
      onLong: (message, id) => {
        hear(id);
        onLong(message);
      },
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
    });
    return heard;
  }

  /** A new connection, or undefined when none is wanted any more. */
  async #reconnect(): Promise<Response | undefined> {
    for (;;) {
      await this.#wait();
      if (await this.#done()) return undefined;
      const outcome = await this.#attempt();
      if (!(outcome instanceof McpxError)) {
        this.#failures = 0;
        this.#refusals = 0;
        return outcome;
      }
      this.#failures += 1;
      if (isRefusal(outcome)) this.#refusals += 1;
      if (this.#failures >= MOST_FAILURES || this.#refusals >= MOST_REFUSALS) throw outcome;
    }
  }

  /** A connection, or the failure after which another try makes sense; throws where none does. */
  async #attempt(): Promise<Response | McpxError | undefined> {
    const { client, session, signal } = this.#options;
    let response: Response;
    try {
      response = await client.send({ method: 'GET', headers: session.forGet(this.#lastEventId), signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof McpxError) return error;
      throw error;
    }
    const { statusCode } = response;
    if (statusCode === 200 && isEventStream(response)) return response;
    const { error, body } = await client.failure(response);
    if (session.hasId && saysSessionGone(statusCode, body)) throw new SessionGone();
    // 409: the server has not noticed yet that the old connection is gone.
    if (statusCode >= 500 || [408, 409, 425, 429].includes(statusCode)) return error;
    throw new McpxError(
      'upstream',
      `${client.server}: the stream broke off, and the server does not resume it`,
    );
  }

  /**
   * Waits what the server asked for, doubled with every failure in a row, and where it asked for nothing also with
   * every empty connection; ends early when `signal` aborts.
   */
  #wait(): Promise<void> {
    const { clock, signal } = this.#options;
    const asked = Math.max(this.#retryMs ?? FIRST_WAIT_MS, SHORTEST_WAIT_MS);
    const doublings = Math.max(this.#failures, this.#retryMs === undefined ? this.#empty : 0);
    const ms = Math.max(asked, Math.min(asked * 2 ** doublings, LONGEST_WAIT_MS));
    return wait(clock, ms, signal).catch(() => {});
  }
}
