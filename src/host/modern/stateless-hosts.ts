// Serves requests of 2026-07-28, each for itself, whatever carries them.

import { isMcpxError, messageOf } from '../../errors.ts';
import { isObject, jsonOf, objectText, quote, stringOf, withAt } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { MODERN_METHODS } from '../../protocol/methods.ts';
import { paramsOf } from '../../protocol/params.ts';
import type { JsonText, Reply, Request } from '../../protocol/types.ts';
import type { HostStream } from '../host-stream.ts';
import type { HostOptions } from '../options.ts';
import type { HostFacts } from '../types.ts';
import { type Classify, type MirrorHeaders, openEnvelope } from './envelope.ts';
import { checkHeaders, checkParamHeaders } from './header-check.ts';
import { HostSubscription, readFilter } from './host-subscription.ts';
import { StatelessExchange } from './stateless-exchange.ts';
import { answered, refuse, type StatelessResponse, SUPPORTED } from './stateless-response.ts';

/** How a request came, and where what is said about it goes. */
export interface Arrival {
  readonly from: Pick<HostFacts, 'principal' | 'transport'>;
  readonly stream: HostStream;
  /** Whether the stream takes more than a response. */
  readonly streams: boolean;
  /** The headers that mirror the body; undefined on stdio. */
  readonly headers: MirrorHeaders | undefined;
  /** A header by its name in lower case. */
  readonly header?: (name: string) => string | undefined;
  /** Told of the exchange before the relay is, so that it can be given up. */
  readonly onOpen: (exchange: StatelessExchange) => void;
}

export interface StatelessOptions extends HostOptions {
  /** How many subscriptions may be open at once. */
  readonly subscriptions: number;
}

export class StatelessHosts {
  readonly #options: StatelessOptions;
  readonly #open = new Set<StatelessExchange>();
  readonly #serverInfo: JsonText;
  #classify: Promise<Classify> | undefined;
  #closed: string | undefined;

  constructor(options: StatelessOptions) {
    this.#options = options;
    this.#serverInfo = jsonOf(options.serverInfo);
  }

  /** Whether the relay serves such hosts. */
  get served(): boolean {
    return this.#options.handler.stateless !== undefined;
  }

  /**
   * Serves one request. Resolves with its answer; with undefined when none is to be sent, since the host gave it up or it
   * was a subscription that has ended; with `legacy` where it turns out to be of an older revision. Never rejects.
   */
  async serve(request: Request, way: Arrival): Promise<StatelessResponse | 'legacy' | undefined> {
    const { id, method } = request;
    // The package takes a while to load, which hosts of older revisions need not wait for.
    this.#classify ??= import('@modelcontextprotocol/server').then((sdk) => sdk.classifyInboundRequest);
    const envelope = openEnvelope(await this.#classify, request, way.headers, way.from);
    if (envelope === 'legacy' || 'reply' in envelope) return envelope;
    const refused = way.headers === undefined ? undefined : checkHeaders(request, way.headers);
    if (refused !== undefined) return refused;
    if (!MODERN_METHODS.has(method))
      return refuse(404, RPC.methodNotFound, `2026-07-28 has no method ${quote(method)}.`);
    const listens = method === 'subscriptions/listen';
    const exchange = new (listens ? HostSubscription : StatelessExchange)(
      request,
      envelope,
      way.stream,
      way.streams,
    );
    way.onOpen(exchange);
    if (this.#closed !== undefined) exchange.abort(this.#closed);
    if (exchange.aborted) return undefined;
    this.#open.add(exchange);
    const work = exchange instanceof HostSubscription ? this.#listen(exchange) : this.#answer(exchange, way);
    const answer = await exchange.outcome(work.catch((error) => this.#failed(id, error)));
    this.#open.delete(exchange);
    return answer && { status: answer.status, reply: this.#named(answer.reply) };
  }

  /** Ends what is open; `reason` is a sentence. */
  close(reason: string): void {
    this.#closed = reason;
    for (const exchange of [...this.#open]) {
      if (exchange instanceof HostSubscription) exchange.end(reason, this.#serverInfo);
      else exchange.abort(reason);
    }
  }

  async #answer(exchange: StatelessExchange, way: Arrival): Promise<StatelessResponse> {
    const { handler } = this.#options;
    if (exchange.method === 'server/discover') return await this.#discover(exchange.facts);
    const refused = await this.#checkParams(exchange, way);
    if (refused !== undefined) return refused;
    return answered((await handler.stateless?.(exchange)) ?? unknownMethod(exchange.method));
  }

  async #checkParams(
    exchange: StatelessExchange,
    { header }: Arrival,
  ): Promise<StatelessResponse | undefined> {
    const { handler } = this.#options;
    if (header === undefined || exchange.method !== 'tools/call' || exchange.params === undefined)
      return undefined;
    const name = stringOf(paramsOf(exchange)?.get('name'));
    if (name === undefined || handler.toolSchema === undefined) return undefined;
    const check = async (fresh: boolean): Promise<StatelessResponse | undefined> => {
      const schema = await handler.toolSchema?.(name, exchange, fresh);
      return schema === undefined ? undefined : checkParamHeaders(schema, exchange.params, header);
    };
    // The tool may have changed since, and the host may have the newer list.
    return (await check(false)) && (await check(true));
  }

  /** server/discover. What mcpx offers hangs on its upstreams, so that hosts are not to keep it. */
  async #discover(facts: HostFacts): Promise<StatelessResponse> {
    const welcome = await this.#options.handler.discover?.(facts);
    if (welcome === undefined) return answered(unknownMethod('server/discover'));
    const { capabilities, instructions } = welcome;
    const result = objectText([
      ['resultType', quote('complete')],
      ['supportedVersions', SUPPORTED],
      ['capabilities', capabilities],
      ...(instructions === undefined ? [] : [['instructions', quote(instructions)] as const]),
      ['ttlMs', jsonOf(0)],
      ['cacheScope', quote('private')],
    ]);
    return answered({ result });
  }

  /** Resolves only where there is nothing to listen to: a subscription lasts until one side ends it. */
  async #listen(subscription: HostSubscription): Promise<StatelessResponse> {
    const { handler, subscriptions } = this.#options;
    const filter = readFilter(subscription.params);
    if (typeof filter === 'string') return refuse(400, RPC.invalidParams, `Invalid params: ${filter}.`);
    if (!subscription.streams)
      return refuse(
        406,
        RPC.invalidRequest,
        'A subscription is a stream; the Accept header must allow text/event-stream.',
      );
    if (handler.listen === undefined) return answered(unknownMethod('subscriptions/listen'));
    const open = [...this.#open].filter((exchange) => exchange instanceof HostSubscription).length;
    if (open > subscriptions)
      return refuse(
        503,
        RPC.internal,
        `mcpx has as many open subscriptions as it allows (${subscriptions}); end some.`,
      );
    subscription.acknowledge(await handler.listen(subscription, filter));
    return await new Promise(() => {});
  }

  /** mcpx names itself in every result (basic/index, "_meta"). */
  #named(reply: Reply): Reply {
    if (!('result' in reply) || !isObject(reply.result)) return reply;
    return { result: withAt(reply.result, ['_meta', META.serverInfo], this.#serverInfo) };
  }

  #failed(id: JsonText, error: unknown): StatelessResponse {
    this.#options.log.error({ request: id, error: messageOf(error) }, 'a request failed inside mcpx');
    const words = isMcpxError(error) ? [error.message, error.hint].filter(Boolean).join(' ') : undefined;
    return answered(errorReply(RPC.internal, words ?? 'Something went wrong inside mcpx.'));
  }
}

function unknownMethod(method: string): Reply {
  return errorReply(RPC.methodNotFound, `mcpx does not serve ${quote(method)}.`);
}
