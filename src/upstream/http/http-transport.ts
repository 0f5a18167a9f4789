// Streamable HTTP towards one upstream: one POST a message, streams that resume, sessions that are begun again.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { wholeNumber } from '../../protocol/ids.ts';
import { parseMessage } from '../../protocol/message.ts';
import type { JsonText, Revision } from '../../protocol/types.ts';
import { Inflow } from '../inflow.ts';
import type { Outgoing, Sink, Source, Transport } from '../transport.ts';
import type { Regulation } from '../types.ts';
import { EventStream } from './event-stream.ts';
import { discard, type HttpClient, headerOf, isEventStream, type Response } from './http-client.ts';
import { isRefusal } from './http-error.ts';
import { Listener } from './listener.ts';
import { type PostFailure, postAnswer, postOneWay } from './one-way.ts';
import { SessionGone, saysSessionGone, UpstreamSession } from './upstream-session.ts';

/** A stream that stays open after its reply is closed after this long, in milliseconds; most servers end it at once. */
const AFTER_REPLY_MS = 2000;
/** How long the end of a connection waits for the server to take note, in milliseconds. */
const DELETE_MS = 3000;

type Request = Extract<Outgoing, { kind: 'request' }>;

export interface HttpTransportOptions {
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

export class HttpTransport implements Transport {
  /** The status that `initialize` was refused with; it tells whether an older transport is worth a try. */
  refusedWith: number | undefined;
  /** Whether the server gave this connection a session. */
  get hasSession(): boolean {
    return this.#session.hasId;
  }
  readonly #client: HttpClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #sink: Sink;
  readonly #inflow: Inflow;
  /** The requests that are out, by id; aborting one closes its stream. */
  readonly #exchanges = new Map<JsonText, AbortController>();
  #session = new UpstreamSession(0);
  #sessions = 0;
  #streams = 0;
  #renewal: Promise<void> | undefined;
  #listener: Listener | undefined;

  constructor(sink: Sink, { client, clock, log }: HttpTransportOptions) {
    this.#sink = sink;
    this.#client = client;
    this.#inflow = new Inflow(client.arrivals);
    this.#clock = clock;
    this.#log = log;
  }

  async start(): Promise<void> {}

  send(text: string, what: Outgoing): Promise<void> {
    switch (what.kind) {
      case 'request':
        return this.#request(text, what);
      case 'notification':
        return this.#notification(text, what.method);
      case 'reply':
        return this.#reply(text, what.scope);
    }
  }

  abandon(id: JsonText): void {
    this.#exchanges.get(id)?.abort();
  }

  agreed(revision: Revision): void {
    this.#session.agreed(revision);
  }

  ready(): Promise<void> {
    const session = this.#session;
    const scope = this.#scopeOfStream(session);
    const source = { origin: undefined, scope, replayed: false, repliesTo: undefined };
    this.#listener = new Listener({
      client: this.#client,
      session,
      clock: this.#clock,
      log: this.#log,
      onMessage: (text, replayed) => this.#sink.receive(text, { ...source, replayed }),
      onLong: (message) => this.#sink.overlong(message, this.#client.frameBytes, source),
      onBody: (body) => this.#inflow.add(body, undefined),
      onSessionGone: () => this.#forget(session),
    });
    return this.#listener.open();
  }

  regulate(regulation: Regulation): void {
    this.#inflow.regulate(regulation);
  }

  stderrTail(): string {
    return '';
  }

  async close(): Promise<void> {
    this.#listener?.close();
    for (const exchange of [...this.#exchanges.values()]) exchange.abort();
    const session = this.#session;
    if (!session.hasId || session.gone) return;
    session.gone = true;
    try {
      const signal = AbortSignal.timeout(DELETE_MS);
      discard(await this.#client.send({ method: 'DELETE', headers: session.forDelete(), signal }));
    } catch {
      // It finds out by itself; 405 is allowed as well (basic/transports, "Session Management").
    }
  }

  /** A session that turns out to be gone is begun again once, since this request cannot have been carried out in it. */
  async #request(text: string, request: Request): Promise<void> {
    const session = await this.#currentSession(request.method);
    try {
      await this.#exchange(text, request, session);
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      this.#forget(session);
      await this.#again(text, request);
    }
  }

  async #again(text: string, request: Request): Promise<void> {
    const session = await this.#currentSession(request.method);
    if (!this.#sink.awaiting(request.id)) return;
    try {
      await this.#exchange(text, request, session);
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      this.#forget(session);
      throw new McpxError('upstream', `${this.#client.server}: forgot a session that it had just begun`);
    }
  }

  async #exchange(text: string, request: Request, session: UpstreamSession): Promise<void> {
    const { id } = request;
    const abort = new AbortController();
    this.#exchanges.set(id, abort);
    try {
      const { signal } = abort;
      const response = await this.#client.send({
        method: 'POST',
        headers: session.forPost(),
        body: text,
        signal,
        opening: request.method === 'initialize',
      });
      if (response.statusCode > 299) return await this.#refused(response, request, session);
      if (request.method === 'initialize') session.adopt(headerOf(response, 'mcp-session-id'));
      else if (this.#listener?.lost === true) void this.#listener.open();
      const source = {
        origin: request.ticket,
        scope: this.#scopeOfStream(session),
        replayed: false,
        repliesTo: id,
      };
      if (isEventStream(response)) await this.#follow(response, request, session, source, signal);
      else
        this.#sink.receive(
          await this.#client.text(response, (body) => this.#inflow.add(body, request.ticket)),
          source,
        );
      await this.#sink.taken();
      if (this.#sink.awaiting(id)) {
        throw new McpxError(
          'upstream',
          `${this.#client.server}: answered ${request.method} without a reply to it`,
        );
      }
    } catch (error) {
      await this.#sink.taken();
      // Cancelled or answered: whatever became of the connection is of no interest any more.
      if (this.#sink.awaiting(id)) throw error;
    } finally {
      this.#exchanges.delete(id);
    }
  }

  async #follow(
    first: Response,
    { id }: Request,
    session: UpstreamSession,
    source: Source,
    signal: AbortSignal,
  ): Promise<void> {
    const stream = new EventStream({
      client: this.#client,
      session,
      clock: this.#clock,
      signal,
      onMessage: (text, replayed) => {
        this.#sink.receive(text, { ...source, replayed });
        void this.#sink.taken().then(() => {
          if (!this.#sink.awaiting(id)) this.#endSoon(id);
        });
      },
      onLong: (message) => this.#sink.overlong(message, this.#client.frameBytes, source),
      onBody: (body) => this.#inflow.add(body, source.origin),
      wanted: () => this.#sink.taken().then(() => this.#sink.awaiting(id)),
    });
    try {
      await stream.follow(first, 'with an event id');
    } catch (error) {
      // A server that has gone took its session along: what it asked in it is lost.
      if (isRefusal(error)) this.#forget(session);
      if (!(error instanceof SessionGone)) throw error;
      // The call may have been carried out in the old session: sending it again is not ours to decide.
      this.#forget(session);
      throw new McpxError('upstream', `${this.#client.server}: ended the session before it replied`);
    }
  }

  #endSoon(id: JsonText): void {
    const exchange = this.#exchanges.get(id);
    if (exchange !== undefined) this.#clock.after(AFTER_REPLY_MS, () => exchange.abort());
  }

  /** Throws, unless the body is the JSON-RPC error that answers this request. */
  async #refused(response: Response, request: Request, session: UpstreamSession): Promise<void> {
    const { error, body } = await this.#client.failure(response, (body) =>
      this.#inflow.add(body, request.ticket),
    );
    if (session.hasId && saysSessionGone(response.statusCode, body)) throw new SessionGone();
    if (request.method === 'initialize') this.refusedWith = response.statusCode;
    const parsed = parseMessage(body);
    if (
      !parsed.ok ||
      parsed.message.kind !== 'error' ||
      wholeNumber(parsed.message.id) !== Number(request.id)
    )
      throw error;
    this.#sink.receive(body, {
      origin: request.ticket,
      scope: this.#scopeOfStream(session),
      replayed: false,
      repliesTo: request.id,
    });
  }

  async #notification(text: string, method: string): Promise<void> {
    const session = await this.#currentSession(method);
    this.#expectTaken(await postOneWay(this.#client, session, text), session);
  }

  async #reply(text: string, scope: string): Promise<void> {
    const session = this.#session;
    if (session.hasId && scope !== session.scope) throw new McpxError('upstream', 'its session has ended');
    this.#expectTaken(await postAnswer(this.#client, session, text, this.#clock), session);
  }

  #expectTaken(untaken: PostFailure | undefined, session: UpstreamSession): void {
    if (untaken === undefined) return;
    if (untaken.sessionGone) this.#forget(session);
    throw untaken.error;
  }

  /** The session to send in, begun again first where it is gone. The handshake itself never waits for the handshake. */
  async #currentSession(method: string): Promise<UpstreamSession> {
    if (method !== 'initialize' && method !== 'notifications/initialized') {
      if (this.#session.gone) this.#renewal ??= this.#renew();
      await this.#renewal;
    }
    return this.#session;
  }

  async #renew(): Promise<void> {
    this.#log.info({ server: this.#client.server }, 'the session is gone; beginning a new one');
    this.#sessions += 1;
    this.#session = new UpstreamSession(this.#sessions);
    try {
      await this.#sink.renew();
    } catch (error) {
      this.#session.gone = true;
      throw error;
    } finally {
      this.#renewal = undefined;
    }
  }

  /** The upstream no longer knows this session: nothing asked in it can be answered any more. */
  #forget(session: UpstreamSession): void {
    if (session.gone) return;
    session.gone = true;
    this.#listener?.close();
    this.#sink.scopeEnded(session.scope, `${this.#client.server} ended the session in which it asked`);
  }

  #scopeOfStream(session: UpstreamSession): string {
    if (session.hasId) return session.scope;
    this.#streams += 1;
    return `stream-${this.#streams}`;
  }
}
