// A modern upstream over an engine: requests with envelope and headers, results of allowed kinds, doubts settled.

import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { member, stringOf } from '../../protocol/json-text.ts';
import { RPC } from '../../protocol/message.ts';
import { mayAsk } from '../../protocol/methods.ts';
import { MODERN_OFFER } from '../../protocol/revisions.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { inert } from '../../text/inert.ts';
import { turnFor } from '../../waiting.ts';
import type { Engine } from '../engine.ts';
import type { ConnectionHandlers, RequestOptions, SubscriptionFilter } from '../types.ts';
import { NotModern, offersModern } from './discover.ts';
import { Envelopes } from './envelope.ts';
import { paramHeaderValues, standardHeaders, ToolHeaders } from './headers.ts';
import { Notices } from './notices.ts';
import { UpstreamSubscription } from './upstream-subscription.ts';

export interface ModernPeerOptions {
  readonly server: string;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly clientVersion: string;
  /** Declared where a request declares nothing of its own. */
  readonly capabilities: JsonText;
  readonly handlers: ConnectionHandlers;
  /** HTTP repeats parts of a request in headers and gives each request a stream; stdio has one pipe. */
  readonly http: boolean;
  /** Aborts when the connection is over. */
  readonly ended: AbortSignal;
  /** Asks what the server is; rejects with NotModern where it is no modern one. */
  discover(signal: AbortSignal): Promise<unknown>;
  /** Ends the connection: the server has become something else. */
  end(reason: string): void;
}

export class ModernPeer {
  readonly #options: ModernPeerOptions;
  readonly #envelopes: Envelopes;
  readonly #tools: ToolHeaders;
  readonly #notices: Notices;
  #doubt: Promise<void> | undefined;

  constructor(options: ModernPeerOptions) {
    this.#options = options;
    this.#envelopes = new Envelopes(MODERN_OFFER, options.clientVersion);
    this.#tools = new ToolHeaders({
      server: options.server,
      log: options.log,
      list: (params, signal) => this.#send('tools/list', params, { signal }, {}),
    });
    this.#notices = new Notices({
      ...options,
      pass: (notification) => {
        if (notification.method === 'notifications/tools/list_changed') this.#tools.forget();
        options.handlers.onNotification(notification);
      },
    });
    options.engine.becomeModern((notification) => this.#notices.hear(notification));
  }

  /** As `Connection.request`. */
  async request(method: string, params: JsonText | undefined, options: RequestOptions): Promise<Reply> {
    let reply = await this.#withHeaders(method, params, options);
    if ('error' in reply && offersModern(reply.error))
      reply = await this.#withHeaders(method, params, options);
    if ('error' in reply) return reply;
    await turnFor(reply.result);
    try {
      this.#check(method, reply.result);
      return this.#options.http && method === 'tools/list'
        ? { result: this.#tools.learn(reply.result) }
        : reply;
    } catch (error) {
      if (error instanceof McpxError) throw error;
      throw new McpxError('upstream', `${this.#options.server}: answered ${method} with malformed JSON`);
    }
  }

  /** As `Connection.subscribe`. */
  subscribe(filter: SubscriptionFilter, wanted: AbortSignal): void {
    const { server, clock, log, ended } = this.#options;
    const signal = AbortSignal.any([wanted, ended]);
    const subscription = new UpstreamSubscription({
      server,
      filter,
      clock,
      log,
      signal,
      listen: (params, onId) => this.#send('subscriptions/listen', params, { signal }, {}, onId),
    });
    this.#notices.subscriptions.add(subscription);
    void subscription.run().finally(() => this.#notices.subscriptions.delete(subscription));
  }

  /** The revision knows no notification of clients but cancellations, which the engine sends. */
  async notify(method: string, _params: JsonText | undefined): Promise<void> {
    this.#options.log.debug({ server: this.#options.server, method }, 'not sent to a server of 2026-07-28');
  }

  /** Asks once more what the server is, and ends the connection where it is no longer modern (basic/versioning). */
  doubted(): void {
    const { ended, end } = this.#options;
    this.#doubt ??= this.#options
      .discover(ended)
      .then(
        () => {},
        (error) => {
          if (error instanceof NotModern) end(`it no longer speaks ${MODERN_OFFER}`);
        },
      )
      .finally(() => {
        this.#doubt = undefined;
      });
  }

  async #withHeaders(method: string, params: JsonText | undefined, options: RequestOptions): Promise<Reply> {
    const tool =
      method === 'tools/call' && params !== undefined ? stringOf(member(params, 'name')) : undefined;
    if (!this.#options.http || tool === undefined || params === undefined)
      return this.#send(method, params, options, {});
    const mirrored = async (): Promise<Readonly<Record<string, string>>> =>
      paramHeaderValues(await this.#tools.of(tool, options.signal), params);
    const before = await mirrored();
    const reply = await this.#send(method, params, options, before);
    if (!('error' in reply) || Number(member(reply.error, 'code')) !== RPC.headerMismatch) return reply;
    // The schema may have changed; with the same headers the answer would be the same.
    this.#tools.forget();
    const after = await mirrored();
    return JSON.stringify(after) === JSON.stringify(before)
      ? reply
      : this.#send(method, params, options, after);
  }

  async #send(
    method: string,
    params: JsonText | undefined,
    options: RequestOptions,
    more: Readonly<Record<string, string>>,
    onId?: (id: JsonText) => void,
  ): Promise<Reply> {
    const { engine, http } = this.#options;
    const { signal, ticket, logLevel, capabilities = this.#options.capabilities } = options;
    const text = this.#envelopes.around(params, capabilities, logLevel);
    const forget = http ? () => {} : this.#notices.origins.note(text, ticket, logLevel);
    try {
      return await engine.request(method, text, {
        signal,
        ...(ticket === undefined ? {} : { ticket }),
        ...(http ? { headers: { ...standardHeaders(MODERN_OFFER, method, params), ...more } } : {}),
        ...(onId === undefined ? {} : { onId }),
      });
    } finally {
      forget();
    }
  }

  /** A result of a kind that is not known is none (basic/index, "ResultType"); one without a kind is complete. */
  #check(method: string, result: JsonText): void {
    const text = member(result, 'resultType');
    if (text === undefined) return;
    const type = stringOf(text);
    if (type === 'complete' || (type === 'input_required' && mayAsk(method))) return;
    const said = inert(text, { oneLine: true, max: 40 });
    throw new McpxError(
      'upstream',
      `${this.#options.server}: answered ${method} with a result of type ${said}, which is not allowed there`,
    );
  }
}
