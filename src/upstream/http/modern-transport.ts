// Streamable HTTP of 2026-07-28: one POST a request, its answer a body or a stream; nothing resumes, and closing cancels.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { wholeNumber } from '../../protocol/ids.ts';
import { member } from '../../protocol/json-text.ts';
import { parseMessage, RPC, replyText } from '../../protocol/message.ts';
import { MODERN_OFFER } from '../../protocol/revisions.ts';
import type { JsonText } from '../../protocol/types.ts';
import { Inflow } from '../inflow.ts';
import type { Outgoing, Sink, Source, Transport } from '../transport.ts';
import type { Regulation } from '../types.ts';
import { type HttpClient, isEventStream, type Response } from './http-client.ts';
import { isMessage, readEvents } from './read-events.ts';

/** A stream that stays open after its reply is closed after this long, in milliseconds; most servers end it at once. */
const AFTER_REPLY_MS = 2000;

const ALWAYS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': MODERN_OFFER,
};

/** Codes that an endpoint of this revision may send with a 4xx; others come from something else at this address. */
const KNOWN: readonly number[] = [
  RPC.parse,
  RPC.invalidRequest,
  RPC.methodNotFound,
  RPC.invalidParams,
  RPC.internal,
  RPC.headerMismatch,
  RPC.missingCapability,
];

type Request = Extract<Outgoing, { kind: 'request' }>;

export class ModernTransport implements Transport {
  /** The status of the last response that was no success and no reply either. */
  refusedWith: number | undefined;
  readonly #sink: Sink;
  readonly #client: HttpClient;
  readonly #clock: Clock;
  readonly #inflow: Inflow;
  /** The requests that are out, by id; aborting one closes its response. */
  readonly #exchanges = new Map<JsonText, AbortController>();

  constructor(sink: Sink, client: HttpClient, clock: Clock) {
    this.#sink = sink;
    this.#client = client;
    this.#inflow = new Inflow(client.arrivals);
    this.#clock = clock;
  }

  async start(): Promise<void> {}

  /** The revision has neither notifications nor responses from clients over HTTP: those are not sent. */
  async send(text: string, what: Outgoing): Promise<void> {
    if (what.kind !== 'request') return;
    const { id } = what;
    const abort = new AbortController();
    this.#exchanges.set(id, abort);
    try {
      await this.#exchange(text, what, abort.signal);
      if (this.#sink.awaiting(id)) throw this.#error(`answered ${what.method} without a reply to it`);
    } catch (error) {
      // Cancelled or answered: whatever became of the connection is of no interest any more.
      await this.#sink.taken();
      if (this.#sink.awaiting(id)) throw error;
    } finally {
      this.#exchanges.delete(id);
    }
  }

  abandon(id: JsonText): void {
    this.#exchanges.get(id)?.abort();
  }

  agreed(): void {}

  async ready(): Promise<void> {}

  regulate(regulation: Regulation): void {
    this.#inflow.regulate(regulation);
  }

  stderrTail(): string {
    return '';
  }

  async close(): Promise<void> {
    for (const exchange of [...this.#exchanges.values()]) exchange.abort();
  }

  async #exchange(text: string, request: Request, signal: AbortSignal): Promise<void> {
    const response = await this.#client.send({
      method: 'POST',
      headers: { ...ALWAYS, ...request.headers },
      body: text,
      signal,
      opening: request.method === 'server/discover',
    });
    const source: Source = {
      origin: request.ticket,
      scope: 'response',
      replayed: false,
      repliesTo: request.id,
    };
    if (response.statusCode > 299) await this.#refused(response, request, source);
    else if (isEventStream(response)) await this.#follow(response, request, source, signal);
    else {
      this.#sink.receive(
        await this.#client.text(response, (body) => this.#inflow.add(body, request.ticket)),
        source,
      );
      await this.#sink.taken();
    }
  }

  /** An error of the protocol is a reply, also without an id: it can be about nothing but this request. */
  async #refused(response: Response, { id, method }: Request, source: Source): Promise<void> {
    const { statusCode } = response;
    const { error, body } = await this.#client.failure(response, (body) =>
      this.#inflow.add(body, source.origin),
    );
    const parsed = parseMessage(body);
    const reply = parsed.ok && parsed.message.kind === 'error' ? parsed.message : undefined;
    const isReply = reply !== undefined && (reply.id === 'null' || wholeNumber(reply.id) === Number(id));
    const code = isReply ? Number(member(reply.error, 'code')) : undefined;
    // Statuses of a server that does not know the protocol, or a later owner of the address.
    const strange = [400, 404, 405].includes(statusCode) && (code === undefined || !KNOWN.includes(code));
    if (strange && method !== 'server/discover') this.#sink.doubted();
    if (isReply) {
      this.#sink.receive(replyText(id, { error: reply.error }), source);
      return;
    }
    this.refusedWith = statusCode;
    throw error;
  }

  async #follow(
    response: Response,
    { id, method }: Request,
    source: Source,
    signal: AbortSignal,
  ): Promise<void> {
    const { body } = response;
    await readEvents(response, {
      client: this.#client,
      signal,
      onBody: () => this.#inflow.add(body, source.origin),
      onEvent: (event) => {
        if (!isMessage(event)) return;
        this.#sink.receive(event.data, source);
        void this.#sink.taken().then(() => {
          if (!this.#sink.awaiting(id)) this.#clock.after(AFTER_REPLY_MS, () => body.destroy());
        });
      },
      onLong: (event) => this.#sink.overlong(event, this.#client.frameBytes, source),
      // Streams of this revision are not resumed.
      onRetry() {},
    });
    await this.#sink.taken();
    if (this.#sink.awaiting(id)) throw this.#error(`the stream of ${method} ended before the reply`);
  }

  #error(reason: string): McpxError {
    return new McpxError('upstream', `${this.#client.server}: ${reason}`);
  }
}
