// Tool calls that no host makes, but whoever uses the API: nobody can be shown a question, so each waits in the broker.
import { McpxError, messageOf } from '../../errors.ts';
import { json, member, quote, stringOf } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { spellResult } from '../../protocol/spell-message.ts';
import type { JsonText, Reply, Revision } from '../../protocol/types.ts';
import { LoneRequester, silentSession } from '../requesters.ts';
import type { RequestDeps } from '../routing/serve-request.ts';
import type { RequestContext } from './call.ts';
import { ParkableCall } from './parkable-call.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { sendCall } from './send-call.ts';

export interface ApiCallRequest {
  readonly server: string;
  /** As the upstream names it. */
  readonly tool: string;
  /** The text of an object. */
  readonly arguments: JsonText;
  readonly principal: string;
}

/** Nothing has to be done first by whoever made such a call: its questions wait in the broker. */
export type ApiCall = ParkableCall<never>;

/** Whom rows name as the host of such a call. */
const NAME = 'HTTP API';
/** In whose words results are; the newest in which a result is whole, whatever the upstream speaks. */
const REVISION: Revision = '2025-11-25';
/** Milliseconds that an outcome can be fetched. */
const KEPT = 600_000;
const METHOD = 'tools/call';

export interface ApiCallsOptions {
  readonly parked: ParkedCalls;
  /** Carries a call; rejects with what is to be said of its failure. */
  readonly run: (call: ApiCall, request: ApiCallRequest) => Promise<Reply>;
}

export class ApiCalls {
  readonly #options: ApiCallsOptions;
  readonly #running = new Set<ApiCall>();
  readonly #fetchable = new WeakSet<ParkableCall<unknown>>();

  constructor(options: ApiCallsOptions) {
    this.#options = options;
  }

  /** Starts a call, to be waited for with `attach`. */
  start(request: ApiCallRequest): ApiCall {
    const { parked, run } = this.#options;
    const { principal } = request;
    const call: ApiCall = new ParkableCall<never>({
      principal,
      parking: parked,
      interruptions: { next: () => new Promise(() => {}) },
      request: { method: METHOD, params: paramsOf(request), streams: false },
    });
    this.#running.add(call);
    const spell = (failure: unknown): Reply => errorReply(RPC.internal, messageOf(failure));
    void call.run(() => run(call, request), spell).then(() => this.#running.delete(call));
    return call;
  }

  /** Starts a call that nobody waits for: its outcome can be fetched. McpxError `limit` when it may not be parked. */
  startParked(request: ApiCallRequest): ApiCall {
    const { parked } = this.#options;
    const full = parked.whyFull();
    if (full !== undefined) throw full;
    const call = this.start(request);
    this.#fetchable.add(call);
    parked.add(call);
    call.ended.addEventListener('abort', () => parked.keep(call, KEPT), { once: true });
    return call;
  }

  /** A call of this principal that runs, or whose outcome is kept. */
  get(id: string, principal: string): ApiCall | undefined {
    const call = this.#options.parked.get(id);
    return call !== undefined && call.principal === principal && this.#fetchable.has(call)
      ? (call as ApiCall)
      : undefined;
  }

  /** Gives every such call up. */
  close(reason: string): void {
    for (const call of this.#running) call.cut(new McpxError('failure', reason));
  }
}

/**
 * Leases a connection for the time of the call, and goes through a modern upstream's rounds on its behalf. Rejects with
 * McpxError `not_found` for a server that is not there, `upstream` for one that answers with an error, or as `sendCall`.
 */
export async function runApiCall(
  deps: RequestDeps,
  call: ApiCall,
  { server, tool, principal }: ApiCallRequest,
): Promise<Reply> {
  const { channels, servers } = deps;
  if (!servers.includes(server))
    throw new McpxError(
      'not_found',
      `There is no server ${quote(server)} behind this gateway.`,
      `It has ${servers.map(quote).join(', ')}.`,
    );
  const { exchange, id } = call;
  const { params, signal } = exchange;
  const facts = {
    revision: REVISION,
    capabilities: {},
    clientName: NAME,
    principal,
    transport: 'http',
  } as const;
  const ended = new AbortController();
  const host = new LoneRequester(silentSession(facts, ended.signal), {
    takesRounds: false,
    isParked: () => call.parked,
  });
  const context: RequestContext = { host, exchange, progress: undefined, open: () => undefined };
  try {
    const channel = await channels.get(host, server, signal);
    await channel.ready(signal);
    const { reply } = await sendCall(deps, channel, { id, context, method: METHOD, params, target: tool });
    if ('result' in reply) return { result: spellResult(REVISION, METHOD, reply.result) };
    const said = stringOf(member(reply.error, 'message')) ?? reply.error;
    throw new McpxError('upstream', `${server} answered with an error: ${said}`);
  } finally {
    ended.abort('the call has ended');
    await channels.release(host, 'the call has ended');
  }
}

function paramsOf({ tool, arguments: args }: ApiCallRequest): JsonText {
  return json`{"name":${quote(tool)},"arguments":${args}}`;
}
