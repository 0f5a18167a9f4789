// One host session, whatever carries it: its requests in flight, and what mcpx asks or tells the host itself.
import { setMaxListeners } from 'node:events';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { Cancelled } from '../protocol/cancelled.ts';
import { idKey, matchId } from '../protocol/ids.ts';
import { member } from '../protocol/json-text.ts';
import { errorReply, notificationText, type Parsed, RPC, replyText } from '../protocol/message.ts';
import type { JsonText, Message, Reply, Request } from '../protocol/types.ts';
import { Asks } from './asks.ts';
import type { HostStream } from './host-stream.ts';
import { LateNotices } from './late-notices.ts';
import { ServedExchange } from './served-exchange.ts';
import type { Exchange, Flow, HostFacts, HostHandler, HostSession, Welcome } from './types.ts';

export interface SessionOptions {
  readonly id: string;
  readonly facts: HostFacts;
  readonly handler: HostHandler;
  readonly log: Log;
  readonly flow: Flow;
  /** The stream for a request of mcpx's own: `via` (the stream of an exchange) if it serves, else one of the session's. */
  readonly streamFor: (via: HostStream | undefined) => HostStream | undefined;
  /** The stream for notices that belong to no request. */
  readonly standing: () => HostStream | undefined;
  /** Carries a notice on another stream of the session, or keeps it for the next one for `ms` milliseconds. */
  readonly keep: (text: JsonText, ms: number) => void;
}

const INTERNAL = 'Something went wrong inside mcpx.';

/** The legacy session engine, shared by stdio and HTTP (docs/relay.md, "Asking the host"). */
export class LegacySession implements HostSession {
  readonly id: string;
  readonly facts: HostFacts;
  readonly ended: AbortSignal;
  readonly flow: Flow;
  readonly #options: SessionOptions;
  readonly #ending = new AbortController();
  /** By the `idKey` of the request: `77` and `77.0` are one id, `"77"` is another. */
  readonly #exchanges = new Map<string, ServedExchange>();
  readonly #asks = new Asks();
  readonly #late = new LateNotices();
  #welcomed: Promise<void> | undefined;
  #warned = false;

  constructor(options: SessionOptions) {
    this.id = options.id;
    this.facts = options.facts;
    this.ended = this.#ending.signal;
    this.flow = options.flow;
    // Every open call may well listen to it; Node would take that for a leak.
    setMaxListeners(0, this.ended);
    this.#options = options;
  }

  /** How many requests of the host are open. */
  get openRequests(): number {
    return this.#exchanges.size;
  }

  /**
   * Asks the handler for its welcome and passes the answer to `answer`; requests that came meanwhile wait for that,
   * so that nothing precedes the reply to `initialize`. A handler that fails ends the session.
   */
  async greet(answer: (welcome: Welcome | McpxError) => void): Promise<void> {
    let open = (): void => {};
    this.#welcomed = new Promise((resolve) => {
      open = resolve;
    });
    try {
      answer(await this.#options.handler.welcome(this));
    } catch (error) {
      if (!isMcpxError(error)) this.#failed('a welcome', error);
      answer(isMcpxError(error) ? error : new McpxError('bug', INTERNAL));
      this.end('The session could not be opened.');
    }
    this.#welcomed = undefined;
    open();
  }

  /**
   * Serves one request. Resolves with the text of its response, or with undefined when none is to be sent: the host
   * cancelled it, or the session is over. Never rejects.
   */
  async serve(request: Request, stream: HostStream, streams: boolean): Promise<JsonText | undefined> {
    const { id, method } = request;
    if (method === 'ping') return replyText(id, { result: '{}' });
    if (method === 'initialize') return replyText(id, refusal('This session has been initialized already.'));
    const key = idKey(id) ?? id;
    if (this.#exchanges.has(key)) {
      return replyText(
        id,
        refusal('A request with this id is still open; every request needs an id of its own.'),
      );
    }
    const exchange = new ServedExchange(request, stream, streams);
    this.#exchanges.set(key, exchange);
    const reply = await exchange.outcome(this.#handle(id, exchange));
    if (this.#exchanges.get(key) === exchange) this.#exchanges.delete(key);
    return reply;
  }

  /** Takes in what needs no response: a notification, or the reply to a request of mcpx's own. */
  take(message: Exclude<Message, Request>): void {
    if (message.kind === 'notification') {
      this.#notified(message.method, message.params);
      return;
    }
    const reply: Reply = message.kind === 'result' ? { result: message.result } : { error: message.error };
    const outcome = this.#asks.settle(message.id, reply);
    if (outcome === 'other type') this.#otherType(message.id);
    if (outcome === 'none')
      this.#options.log.debug({ session: this.id }, 'ignored a reply to a question that is not open');
  }

  /**
   * Takes in what is no message but carries the id of an open question: a host that answers like that is not waited
   * for. False when it is about no question.
   */
  takeFault({ id, code, reason, stray }: Extract<Parsed, { ok: false }>): boolean {
    const reply = errorReply(code, `The host's answer is not a JSON-RPC response: ${reason}.`);
    return stray === true ? this.#asks.settleOnly(reply) : this.#asks.settle(id, reply) !== 'none';
  }

  /** Ends the session for good; `reason` is a sentence. Nothing is sent to the host any more. */
  end(reason: string): void {
    if (this.ended.aborted) return;
    this.#asks.failAll(new McpxError('unreachable', reason));
    this.#ending.abort(reason);
    for (const exchange of [...this.#exchanges.values()]) exchange.abort(reason);
    this.#exchanges.clear();
    try {
      this.#options.handler.ended(this, reason);
    } catch (error) {
      this.#failed('the end of a session', error);
    }
  }

  async request(
    method: string,
    params: JsonText | undefined,
    { signal, via }: { signal: AbortSignal; via?: Exchange },
  ): Promise<Reply> {
    signal.throwIfAborted();
    const stream = this.#streamFor(via);
    if (stream === undefined) {
      const why = this.ended.aborted
        ? String(this.ended.reason)
        : 'The host has no open stream on which it could be asked.';
      throw new McpxError('unreachable', why);
    }
    return this.#asks.send(method, params, {
      stream,
      signal,
      otherwise: () => this.#streamFor(via),
      tell: () => via?.signal.aborted !== true,
    });
  }

  reachable(via?: Exchange): boolean {
    return this.#streamFor(via) !== undefined;
  }

  notify(method: string, params: JsonText | undefined, options?: { readonly holdFor: number }): void {
    if (this.ended.aborted) return;
    const text = notificationText(method, params);
    const standing = this.#options.standing();
    if (standing !== undefined && options !== undefined) standing.send(text, true);
    else if (standing !== undefined) this.#late.send(standing, method, params, text);
    else if (options !== undefined) this.#options.keep(text, options.holdFor);
  }

  #streamFor(via: Exchange | undefined): HostStream | undefined {
    if (this.ended.aborted) return undefined;
    return this.#options.streamFor(via instanceof ServedExchange && !via.finished ? via.stream : undefined);
  }

  async #handle(id: JsonText, exchange: ServedExchange): Promise<JsonText | undefined> {
    if (this.#welcomed !== undefined) await this.#welcomed;
    if (exchange.aborted) return undefined;
    try {
      return replyText(id, await this.#options.handler.request(this, exchange));
    } catch (error) {
      this.#failed('a request', error);
      return replyText(id, errorReply(RPC.internal, INTERNAL));
    }
  }

  #notified(method: string, params: JsonText | undefined): void {
    if (method === 'notifications/initialized') return;
    if (method === 'notifications/cancelled') {
      const id = params === undefined ? undefined : member(params, 'requestId');
      if (params !== undefined && id !== undefined) this.#cancelled(id, params);
      return;
    }
    if (this.#welcomed !== undefined) {
      void this.#welcomed.then(() => this.#notified(method, params));
      return;
    }
    try {
      this.#options.handler.notification(this, method, params);
    } catch (error) {
      this.#failed('a notification', error);
    }
  }

  #cancelled(id: JsonText, params: JsonText): void {
    const found = matchId(this.#exchanges, id);
    if (!('key' in found)) return;
    if (found.fit === 'other type') this.#otherType(id);
    this.#exchanges.get(found.key)?.abort(new Cancelled(params));
  }

  #otherType(id: JsonText): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#options.log.warn(
      { session: this.id, id },
      'the host names a request by its id in another type; it was accepted, and later ones are not logged',
    );
  }

  #failed(what: string, error: unknown): void {
    this.#options.log.error({ session: this.id, error: messageOf(error) }, `${what} failed inside mcpx`);
  }
}

function refusal(message: string): Reply {
  return errorReply(RPC.invalidRequest, message);
}
