// HTTP+SSE of 2024-11-05: one GET stream brings everything, and its first event names the address to POST to.

import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { FAR_TOO_LONG } from '../../protocol/overlong.ts';
import { readUrl } from '../../url/read-url.ts';
import { Inflow } from '../inflow.ts';
import type { Outgoing, Sink, Source, Transport } from '../transport.ts';
import type { Regulation } from '../types.ts';
import { discard, type HttpClient, isEventStream, type Response } from './http-client.ts';
import { isMessage, readEvents } from './read-events.ts';

/** Everything comes on the one stream, so nothing can be traced to a request. */
const STREAM: Source = { origin: undefined, scope: 'stream', replayed: false, repliesTo: 'all' };

/** How long the `endpoint` event may take, which is to come first, in milliseconds. */
const ENDPOINT_MS = 5000;

/** GET gives no event stream, or one that names no endpoint: this is not an HTTP+SSE server. */
export class NotOlder extends Error {
  override readonly name = 'NotOlder';
}

/**
 * By hand and not through the SDK's transport, which parses and prints every message anew, cuts a stream that is
 * silent for five minutes, and opens a new session behind the protocol's back when its stream breaks.
 */
export class SseTransport implements Transport {
  readonly #sink: Sink;
  readonly #client: HttpClient;
  readonly #clock: Clock;
  readonly #inflow: Inflow;
  readonly #closing = new AbortController();
  #endpoint: URL | undefined;

  constructor(sink: Sink, client: HttpClient, clock: Clock) {
    this.#sink = sink;
    this.#client = client;
    this.#inflow = new Inflow(client.arrivals);
    this.#clock = clock;
  }

  /** Resolves with the `endpoint` event. */
  async start(): Promise<void> {
    const { signal } = this.#closing;
    const headers = { accept: 'text/event-stream' };
    const response = await this.#client.send({ method: 'GET', headers, signal, opening: true });
    if (response.statusCode !== 200 || !isEventStream(response)) {
      discard(response);
      throw new NotOlder();
    }
    await new Promise<void>((resolve, reject) => {
      const timer = this.#clock.after(ENDPOINT_MS, () => reject(new NotOlder()));
      const named = (): void => {
        timer.cancel();
        resolve();
      };
      this.#read(response, named, reject);
    });
  }

  async send(text: string, _what: Outgoing): Promise<void> {
    const response = await this.#client.send(
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: text, quick: true },
      this.#endpoint,
    );
    if (response.statusCode > 299) throw (await this.#client.failure(response)).error;
    discard(response);
  }

  abandon(): void {}

  agreed(): void {}

  async ready(): Promise<void> {}

  regulate(regulation: Regulation): void {
    this.#inflow.regulate(regulation);
  }

  stderrTail(): string {
    return '';
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  #read(response: Response, ready: () => void, failed: (error: McpxError) => void): void {
    const { server, frameBytes } = this.#client;
    const end = (reason: string): void => {
      response.body.destroy();
      failed(new McpxError('upstream', `${server}: ${reason}`));
      if (this.#closing.signal.aborted) return;
      this.#closing.abort();
      this.#sink.closed(reason);
    };
    const reading = readEvents(response, {
      client: this.#client,
      signal: this.#closing.signal,
      onBody: (body) => this.#inflow.add(body, undefined),
      onEvent: (event) => {
        if (event.event === 'endpoint') {
          const refusal = this.#adopt(event.data);
          if (refusal === undefined) ready();
          else end(refusal);
        } else if (isMessage(event)) this.#sink.receive(event.data, STREAM);
      },
      onLong: (event) => this.#sink.overlong(event, frameBytes, STREAM),
      // A new connection would be a new session, so there is nothing to wait for.
      onRetry() {},
    });
    reading.then(
      () => end('it closed the event stream'),
      () => end(`it sent an event longer than ${FAR_TOO_LONG} times limits.frameBytes (${frameBytes} bytes)`),
    );
  }

  /** The configured headers go to the endpoint too, so it must be of the same origin; else says why not. */
  #adopt(data: string): string | undefined {
    const { url } = this.#client;
    const endpoint = readUrl(data, url);
    if (endpoint?.origin !== url.origin) return `it names an endpoint outside ${url.origin}`;
    this.#endpoint = endpoint;
    return undefined;
  }
}
