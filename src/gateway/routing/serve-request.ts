// What each request of a host comes to: which server it goes to, under which name, and how its reply comes back.
// This folder: in comes a request of a host, out goes what became of it: the reply, the server that gave it, its revision.

import { isMcpxError, McpxError, sentenceOf } from '../../errors.ts';
import type { Exchange, HostFacts } from '../../host/types.ts';
import { declares } from '../../protocol/capabilities.ts';
import { at, json, quote, read } from '../../protocol/json-text.ts';
import { LEVELS, levelIn } from '../../protocol/log-level.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { mayAsk } from '../../protocol/methods.ts';
import { paramsOf, shareParams } from '../../protocol/params.ts';
import { atLeast, isLegacy } from '../../protocol/revisions.ts';
import { spellError, spellResult } from '../../protocol/spell-message.ts';
import type { JsonText, Reply, Revision } from '../../protocol/types.ts';
import { isUrlRequired } from '../../protocol/url-required.ts';
import type { UpstreamInfo } from '../../upstream/types.ts';
import type { RequestContext } from '../calls/call.ts';
import { type CallOutcome, sendCall } from '../calls/send-call.ts';
import type { Channel } from '../channels/channel.ts';
import type { Channels } from '../channels/channels.ts';
import { changeSubscription, listenTo, settleLevel } from '../channels/shared-channel.ts';
import { readRound } from '../input-required/rounds.ts';
import type { QuestionDeps } from '../questions/question.ts';
import type { Requester } from '../requesters.ts';
import type { Catalog, NameKind } from './catalog.ts';
import { joinedPage, LISTS } from './lists.ts';
import { JointStart } from './servers.ts';
import type { ToolSchemas } from './tool-schemas.ts';

/** JSON-RPC code of a request that was given up for time, as the official SDKs use it; 2026-07-28 gives it no meaning. */
const REQUEST_TIMEOUT = -32001;

export interface RequestDeps extends QuestionDeps {
  /** The servers in use, in config order. */
  readonly servers: readonly string[];
  readonly channels: Channels;
  readonly catalog: Catalog;
  readonly toolSchemas: ToolSchemas;
}

/** What became of a request of a host. */
export interface RequestOutcome {
  /** In the words of the host's revision, but for an interim result, which is for whoever goes through the rounds. */
  readonly reply: Reply;
  /** The server that was asked in the end; undefined where mcpx itself replied, or several servers did. */
  readonly server?: string;
  /** Tool or prompt name, or resource URI, as that server knows it. */
  readonly target?: string | undefined;
  /** Of that server, or the newest revision that a part of the reply came in. */
  readonly revision?: Revision;
}

/**
 * Serves one request of a host, which says where it went and what came back. Rejects with a McpxError, of which
 * `failureReply` makes what the host gets, or with the reason of the request's signal.
 */
export async function serveRequest(deps: RequestDeps, context: RequestContext): Promise<RequestOutcome> {
  const { host, exchange } = context;
  const { revision } = host.session.facts;
  const outcome = await new Served(deps, context).outcome();
  const { reply } = outcome;
  if ('error' in reply) return { ...outcome, reply: { error: spellError(revision, reply.error) } };
  const most = deps.settings.limits.questionsPerRound;
  if (host.takesRounds && isInterim(exchange.method, outcome, most)) return outcome;
  const result = spellResult(revision, exchange.method, reply.result, outcome.revision);
  if (exchange.method === 'tools/list') deps.toolSchemas.learn(result);
  return { ...outcome, reply: { result } };
}

/** What a host gets for a failure of `serveRequest`. Throws what is no McpxError. */
export function failureReply({ revision }: HostFacts, error: unknown): Reply {
  if (!isMcpxError(error)) throw error;
  const timedOut = error.code === 'timeout' && isLegacy(revision);
  return errorReply(timedOut ? REQUEST_TIMEOUT : RPC.internal, sentenceOf(error));
}

/** Whether a modern upstream asks for something first. McpxError `upstream` where the method cannot be answered so. */
function isInterim(method: string, { reply, server, revision }: RequestOutcome, most: number): boolean {
  if ('error' in reply || revision === undefined || isLegacy(revision)) return false;
  const round = readRound(method, reply.result, most);
  if (typeof round === 'string' && !mayAsk(method))
    throw new McpxError('upstream', `${server ?? 'a server'}: ${round}`);
  return round !== undefined;
}

class Served {
  readonly #deps: RequestDeps;
  readonly #context: RequestContext;
  readonly #host: Requester;
  readonly #exchange: Exchange;

  constructor(deps: RequestDeps, context: RequestContext) {
    this.#deps = deps;
    this.#context = context;
    this.#host = context.host;
    this.#exchange = context.exchange;
  }

  async outcome(): Promise<RequestOutcome> {
    switch (this.#exchange.method) {
      case 'tools/call':
        return this.#named('tools', ['name']);
      case 'prompts/get':
        return this.#named('prompts', ['name']);
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#resource();
      case 'completion/complete':
        return this.#completion();
      case 'logging/setLevel':
        return { reply: await this.#setLevel() };
      default:
        return this.#list();
    }
  }

  #text(path: readonly string[]): string | undefined {
    const value = paramsOf(this.#exchange)?.at(path);
    return value?.startsWith('"') ? String(read(value)) : undefined;
  }

  async #list(): Promise<RequestOutcome> {
    const kind = LISTS.get(this.#exchange.method);
    if (!kind)
      return refused(RPC.methodNotFound, `mcpx does not know the method ${quote(this.#exchange.method)}`);
    const [only] = this.#deps.servers;
    // One server under its own names: its pages and cursors pass as they are.
    if (only !== undefined && this.#deps.catalog.passesThrough)
      return (
        (await this.#sendIfOffered(only, kind.needs, this.#exchange.params)) ?? {
          reply: { result: json`{${quote(kind.key)}:[]}` },
        }
      );
    const { servers, catalog, log, clock } = this.#deps;
    const start = new JointStart(clock);
    let revision: Revision = '2025-11-25';
    const page = async (server: string, params: JsonText | undefined): Promise<Reply | undefined> => {
      const outcome = await this.#sendIfOffered(server, kind.needs, params);
      if (outcome !== undefined && !isLegacy(outcome.revision)) revision = outcome.revision;
      return outcome?.reply;
    };
    try {
      const reply = await joinedPage(kind, servers, this.#exchange.params, catalog, log, (server, params) =>
        this.#unlessLate(start, server, () => page(server, params)),
      );
      return { reply, revision };
    } finally {
      start.end();
    }
  }

  /** What `work` gives once the server is there; undefined where that takes too long for those that are there already. */
  async #unlessLate<T>(start: JointStart, server: string, work: () => Promise<T>): Promise<T | undefined> {
    const host = this.#host;
    const exchange = this.#exchange;
    const channel = await this.#deps.channels.get(host, server, exchange.signal);
    try {
      await channel.ready(AbortSignal.any([exchange.signal, start.late]));
    } catch (error) {
      if (error !== start.late.reason) throw error;
      this.#deps.log.warn({ server, method: exchange.method }, 'left out: it is still starting');
      host.leftOut.add(server);
      return undefined;
    }
    start.onReady();
    return work();
  }

  async #named(kind: NameKind, path: readonly string[]): Promise<RequestOutcome> {
    const exposed = this.#text(path);
    if (exposed === undefined) return refused(RPC.invalidParams, `params.${path.join('.')} must be a string`);
    const { catalog } = this.#deps;
    let target = catalog.target(kind, exposed);
    if (!target) {
      await this.#fill(`${kind}/list`);
      await this.#letGo();
      target = catalog.target(kind, exposed);
    }
    if (!target)
      return refused(
        RPC.invalidParams,
        `no server offers ${quote(exposed)}; ${kind}/list names what there is`,
      );
    const params = this.#exchange.params ?? '{}';
    const { pinned } = this.#context;
    if (pinned !== undefined && target.server !== pinned)
      return refused(
        RPC.invalidParams,
        `requestState was refused: mismatch (${pinned} gave it, and ${quote(exposed)} is of ${target.server} now)`,
      );
    const own = target.name === exposed ? params : paramsOf(this.#exchange)?.with(path, quote(target.name));
    return this.#exchange.method === 'completion/complete'
      ? this.#complete(target.server, own, target.name)
      : this.#send(target.server, own, target.name);
  }

  async #resource(): Promise<RequestOutcome> {
    const uri = this.#text(['uri']);
    if (uri === undefined) return refused(RPC.invalidParams, 'params.uri must be a string');
    const { servers, catalog } = this.#deps;
    let server = this.#context.pinned ?? (servers.length === 1 ? servers[0] : catalog.serverOf(uri));
    if (server === undefined) {
      await Promise.all([this.#fill('resources/list'), this.#fill('resources/templates/list')]);
      await this.#letGo();
      server = catalog.serverOf(uri);
    }
    const candidates = server === undefined ? servers : [server];
    let outcome: RequestOutcome | undefined;
    let failure: McpxError | undefined;
    // A URI that no server lists (a tool may have named it) goes to each in turn, until one knows it.
    for (const one of candidates) {
      const answer = await this.#aboutResource(one, uri).catch((error: unknown) => {
        // That one server is down is no reason not to ask the next.
        if (!isMcpxError(error) || candidates.length === 1) throw error;
        failure ??= error;
      });
      if (!answer) continue;
      outcome = answer;
      const { reply } = answer;
      if ('error' in reply && isUrlRequired(reply.error)) break;
      if ('error' in reply) {
        await this.#letGo();
        continue;
      }
      break;
    }
    if (!outcome && failure) throw failure;
    if (outcome || this.#exchange.method === 'resources/read')
      return (
        outcome ?? refused(RPC.resourceNotFound, 'no server offers resources', json`{"uri":${quote(uri)}}`)
      );
    const who = server === undefined ? 'no server can' : `${server} does not offer subscriptions and cannot`;
    return refused(RPC.methodNotFound, `${who} tell of changes to ${quote(uri)}`);
  }

  /** A modern upstream has no subscribe request: it is listened to instead. */
  async #aboutResource(server: string, uri: string): Promise<RequestOutcome | undefined> {
    const { method, params } = this.#exchange;
    const channel = await this.#deps.channels.get(this.#host, server, this.#exchange.signal);
    const connection = await channel.ready(this.#exchange.signal);
    if (method === 'resources/read') return this.#sendIfOffered(server, 'resources', params, uri);
    // mcpx has declared what any of its servers offers; what this one did not declare it is not asked for.
    if (!offersSubscriptions(connection.info)) return undefined;
    const wanted = method === 'resources/subscribe';
    const send = async (): Promise<Reply | undefined> => {
      if (isLegacy(connection.info.revision))
        return (await this.#sendIfOffered(server, 'resources', params, uri))?.reply;
      listenTo(channel, connection, uri, wanted);
      return { result: '{}' };
    };
    const reply = await changeSubscription(channel, this.#host, uri, { wanted, send });
    return reply && { reply };
  }

  async #completion(): Promise<RequestOutcome> {
    const type = this.#text(['ref', 'type']);
    if (type === 'ref/prompt') return this.#named('prompts', ['ref', 'name']);
    const uri = this.#text(['ref', 'uri']);
    if (type !== 'ref/resource' || uri === undefined)
      return refused(
        RPC.invalidParams,
        'params.ref must be a ref/prompt with a name or a ref/resource with a uri',
      );
    const { servers, catalog } = this.#deps;
    const find = (): string | undefined =>
      servers.length === 1 ? servers[0] : (catalog.serverOfTemplate(uri) ?? catalog.serverOf(uri));
    let server = find();
    if (server === undefined) {
      await Promise.all([this.#fill('resources/list'), this.#fill('resources/templates/list')]);
      server = find();
    }
    if (server === undefined)
      return refused(RPC.invalidParams, `no server offers the resource ${quote(uri)}`);
    return this.#complete(server, this.#exchange.params, uri);
  }

  /** Completions are declared from 2025-03-26 on; before, every server may be asked. */
  async #complete(server: string, params: JsonText | undefined, target: string): Promise<RequestOutcome> {
    const channel = await this.#deps.channels.get(this.#host, server, this.#exchange.signal);
    const { info } = await channel.ready(this.#exchange.signal);
    if (atLeast(info.revision, '2025-03-26') && !declares(info.capabilities, 'completions'))
      return refused(RPC.methodNotFound, `${server} does not offer completions`);
    return this.#sendOn(channel, params, target, this.#exchange.method);
  }

  async #setLevel(): Promise<Reply> {
    if (levelIn(this.#exchange.params) === undefined)
      return errorReply(RPC.invalidParams, `params.level must be one of ${LEVELS.join(', ')}`);
    this.#host.logLevel = this.#exchange.params;
    const start = new JointStart(this.#deps.clock);
    // A server that comes later is told the level then.
    const replies = await Promise.all(
      this.#deps.servers.map((server) =>
        this.#unlessLate(start, server, () => this.#setLevelOf(server)).catch(() => undefined),
      ),
    );
    start.end();
    // An upstream that refuses the level is the judge of it; that another server is down is no reason to refuse.
    return replies.find((reply) => reply !== undefined && 'error' in reply) ?? { result: '{}' };
  }

  /** A modern upstream is told with each request instead. */
  async #setLevelOf(server: string): Promise<Reply | undefined> {
    const { params, signal } = this.#exchange;
    const channel = await this.#deps.channels.get(this.#host, server, signal);
    const connection = await channel.ready(signal);
    if (!isLegacy(connection.info.revision)) return undefined;
    const send = async (own: JsonText | undefined): Promise<Reply | undefined> =>
      (await this.#sendIfOffered(server, 'logging', own))?.reply;
    return channel.shared ? settleLevel(channel, send, params) : send(params);
  }

  /** The one call of a stateless host holds no connection but that of the server it goes to, however long it may be parked. */
  async #letGo(): Promise<void> {
    if (this.#host.leases) await this.#deps.channels.release(this.#host, 'another server is asked');
  }

  /** Reads a whole list of every server into the catalog, for a name or URI that is not known yet. */
  async #fill(method: string): Promise<void> {
    const kind = LISTS.get(method);
    if (!kind) return;
    const { servers, catalog, log } = this.#deps;
    let params: JsonText | undefined;
    // A server that never stops paging is left after this many pages.
    for (let page = 0; page < 100; page += 1) {
      const reply = await joinedPage(
        kind,
        servers,
        params,
        catalog,
        log,
        async (server, own) => (await this.#sendIfOffered(server, kind.needs, own, undefined, method))?.reply,
      );
      const cursor = 'result' in reply ? at(reply.result, ['nextCursor']) : undefined;
      if (cursor === undefined) return;
      params = json`{"cursor":${cursor}}`;
    }
  }

  async #sendIfOffered(
    server: string,
    capability: string,
    params: JsonText | undefined,
    target?: string,
    method = this.#exchange.method,
  ): Promise<CallOutcome | undefined> {
    const channel = await this.#deps.channels.get(this.#host, server, this.#exchange.signal);
    const connection = await channel.ready(this.#exchange.signal);
    if (connection.info.capabilities[capability] === undefined) return undefined;
    return this.#sendOn(channel, params, target, method);
  }

  async #send(
    server: string,
    params: JsonText | undefined,
    target: string | undefined,
  ): Promise<CallOutcome> {
    const channel = await this.#deps.channels.get(this.#host, server, this.#exchange.signal);
    await channel.ready(this.#exchange.signal);
    return this.#sendOn(channel, params, target, this.#exchange.method);
  }

  #sendOn(
    channel: Channel,
    params: JsonText | undefined,
    target: string | undefined,
    method: string,
  ): Promise<CallOutcome> {
    const request = { context: this.#context, method, params, target };
    shareParams(this.#exchange, request);
    return sendCall(this.#deps, channel, request);
  }
}

function refused(code: number, message: string, data?: JsonText): RequestOutcome {
  return { reply: errorReply(code, message, data) };
}

function offersSubscriptions({ capabilities }: UpstreamInfo): boolean {
  const { resources } = capabilities;
  return typeof resources === 'object' && resources !== null && Reflect.get(resources, 'subscribe') === true;
}
