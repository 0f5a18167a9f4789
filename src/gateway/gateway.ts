// The relay: one handler for all host sessions, channels to all upstreams, and the broker between them.

import type { Broker } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/types.ts';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { FormChecks } from '../form/checks.ts';
import type { Exchange, HostFacts, HostHandler, HostSession, Welcome } from '../host/types.ts';
import type { Log } from '../log.ts';
import { at, json, quote } from '../protocol/json-text.ts';
import { errorReply, RPC } from '../protocol/message.ts';
import { LEGACY_METHODS, mayAsk } from '../protocol/methods.ts';
import { isLegacy } from '../protocol/revisions.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { Connection, UpstreamConnector, UpstreamInfo } from '../upstream/types.ts';
import { orAborted } from '../waiting.ts';
import { ApiCalls, runApiCall } from './calls/api-calls.ts';
import { BlockableCalls } from './calls/blockable-calls.ts';
import { ParkedCalls } from './calls/parked-calls.ts';
import { progressOf } from './calls/progress.ts';
import type { Channel } from './channels/channel.ts';
import { Channels } from './channels/channels.ts';
import { Listeners } from './channels/listeners.ts';
import { passNotification, tell } from './channels/notices.ts';
import { listenTo, lowestLevel, subscribedOn } from './channels/shared-channel.ts';
import type { Sealer } from './input-required/state-seal.ts';
import { configDigest, Stateless } from './input-required/stateless-call.ts';
import { COMPLETE, knowsUrlErrors, urlEffects } from './questions/asked-urls.ts';
import { passRequest } from './questions/pass-request.ts';
import { carryQuestion } from './questions/question.ts';
import { QuestionQuota, Refusals } from './questions/question-quota.ts';
import { completeUrl } from './questions/question-url.ts';
import { LoneRequester, type Requester, SessionRequester, silentSession } from './requesters.ts';
import { Catalog, namingFor } from './routing/catalog.ts';
import { failureReply, serveRequest } from './routing/serve-request.ts';
import { KnownServers, type ServerState, ServerStates } from './routing/servers.ts';
import { ToolSchemas } from './routing/tool-schemas.ts';

export interface GatewayOptions {
  readonly settings: Settings;
  readonly broker: Broker;
  readonly checks: FormChecks;
  /** By server name; disabled servers have none. */
  readonly connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly clock: Clock;
  readonly log: Log;
  /** Seals what a stateless host brings back. */
  readonly sealer: Sealer;
  /** Servers that are known to be unusable before anybody needs them, and why. */
  readonly unusable?: ReadonlyMap<string, Error>;
}

export interface Gateway {
  readonly handler: HostHandler;
  /** Tool calls that no host makes. */
  readonly apiCalls: Pick<ApiCalls, 'start' | 'startParked' | 'get'>;
  /** Every configured server, in config order. */
  servers(): readonly ServerState[];
  /** Ends every call and every channel; open questions get cancel. */
  close(reason: string): Promise<void>;
}

/** Builds the relay over its upstreams and the broker. Nothing is started before a host needs it. */
export function createGateway(options: GatewayOptions): Gateway {
  const { settings, broker, checks, connectors, clock, log } = options;
  const servers = settings.servers.filter(({ name }) => connectors.has(name)).map(({ name }) => name);
  const hosts = new Map<HostSession, SessionRequester>();
  const known = new KnownServers(servers, clock, log);
  const closing = new AbortController();

  const channels: Channels = new Channels({
    servers: settings.servers,
    connectors,
    clock,
    log,
    brokerOn: settings.elicit.audience === 'all',
    urlEffects: urlEffects(broker, log),
    most: settings.limits.channels,
    isStateless: (server) =>
      connectors.get(server)?.transport === 'http' && known.get(server)?.revision === '2026-07-28',
    events: {
      onRequest(channel, request) {
        const carried =
          request.method === 'elicitation/create'
            ? carryQuestion(deps, channel, request)
            : passRequest(deps, channel, request);
        void carried;
      },
      onNotification(channel, note) {
        if (note.method === 'notifications/tools/list_changed') deps.toolSchemas.forget(channel.server);
        if (note.method === COMPLETE) completeUrl(channel, note);
        else passNotification(channel, note);
        listeners.tell(note);
      },
      onReady,
      onFailed(channel, error) {
        states.failed(channel.server, error);
        log.warn({ server: channel.server, error: messageOf(error) }, 'upstream not available');
      },
      onClosed: (channel, reason) => log.info({ server: channel.server, reason }, 'upstream closed'),
    },
  });
  const catalog = new Catalog(servers, namingFor(settings.serve.naming, servers.length), log);
  const parked = new ParkedCalls(settings.limits.parkedCalls, clock);
  const deps = {
    broker,
    parked,
    settings,
    checks,
    quota: new QuestionQuota(settings.limits, clock),
    refusals: new Refusals(clock, log),
    servers,
    channels,
    catalog,
    toolSchemas: new ToolSchemas({ servers, catalog, channels, clock }),
    clock,
    log,
  };

  const apiCalls = new ApiCalls({ parked, run: (call, request) => runApiCall(deps, call, request) });
  const blockable = new BlockableCalls({
    parked,
    clock,
    ttl: settings.elicit.ttl,
    serve: async (context) => (await serveRequest(deps, context)).reply,
    spell: failed,
  });
  const states = new ServerStates(settings.servers, known, channels, connectors);
  for (const [server, error] of options.unusable ?? []) states.failed(server, error);
  const listeners = new Listeners({
    servers,
    catalog,
    known,
    clock,
    log,
    makeLine: (server) => channels.listening(server),
  });
  const stateless = new Stateless({
    ...deps,
    sealer: options.sealer,
    configDigest: (server) => configDigest(settings.servers.find(({ name }) => name === server)),
  });

  function onReady(channel: Channel, connection: Connection): void {
    const first = known.learn(channel.server, connection.info);
    states.opened(channel.server);
    log.info({ server: channel.server, revision: connection.info.revision }, 'upstream ready');
    restore(channel, connection);
    // A modern upstream tells of changes only where they are asked for.
    connection.subscribe?.({ tools: true, prompts: true, resources: true, uris: [] }, channel.ending);
    const left = [...channel.hosts].filter((host) => host.leftOut.delete(channel.server));
    for (const host of first ? hosts.values() : left) if (host.welcomed) announce(host, connection.info);
  }

  /** Tells an upstream that was opened again what its session knew: the log level and the subscriptions of its hosts. */
  function restore(channel: Channel, connection: Connection): void {
    const uris = subscribedOn(channel);
    if (!isLegacy(connection.info.revision)) {
      for (const uri of uris) listenTo(channel, connection, uri, true);
      return;
    }
    const { server } = channel;
    const send = (method: string, params: JsonText): void =>
      void connection
        .request(method, params, { signal: closing.signal })
        .catch((error) => log.debug({ server, method, error: messageOf(error) }, 'not told again'));
    channel.toldLevel = lowestLevel(channel);
    if (channel.toldLevel !== undefined && connection.info.capabilities['logging'] !== undefined)
      send('logging/setLevel', json`{"level":${quote(channel.toldLevel)}}`);
    for (const uri of uris) send('resources/subscribe', json`{"uri":${quote(uri)}}`);
  }

  /** Tells a host that was welcomed or has listed without this server what it may list now. */
  function announce(host: Requester, info: UpstreamInfo): void {
    for (const list of ['tools', 'prompts', 'resources'])
      if (info.capabilities[list] !== undefined) tell(host, `notifications/${list}/list_changed`, undefined);
  }

  async function welcome(session: HostSession): Promise<Welcome> {
    const host = new SessionRequester(session);
    hosts.set(session, host);
    await known.meet(host, channels);
    host.welcomed = true;
    return known.welcome(session.facts.revision);
  }

  async function request(session: HostSession, exchange: Exchange): Promise<Reply> {
    const host = hosts.get(session);
    if (!host) return errorReply(RPC.internal, 'this session has ended; initialize again');
    try {
      return await orAborted(replyTo(host, exchange), exchange.signal);
    } catch (error) {
      return failed(host, error);
    }
  }

  async function replyTo(host: Requester, exchange: Exchange): Promise<Reply> {
    const { facts } = host.session;
    if (!LEGACY_METHODS.has(exchange.method))
      return errorReply(RPC.methodNotFound, `mcpx does not know the method ${quote(exchange.method)}`);
    if (mayAsk(exchange.method) && knowsUrlErrors(facts)) return blockable.serve(host, exchange);
    const progress = progressOf(facts, exchange);
    const { reply } = await serveRequest(deps, { host, exchange, progress, open: () => exchange });
    return reply;
  }

  function failed(host: Requester, error: unknown): Reply {
    if (isMcpxError(error)) return failureReply(host.session.facts, error);
    log.error({ error: messageOf(error) }, 'a request failed inside mcpx');
    return errorReply(RPC.internal, `mcpx failed: ${messageOf(error)}`);
  }

  async function discover(facts: HostFacts): Promise<Welcome> {
    const ending = new AbortController();
    const host = new LoneRequester(silentSession(facts, ending.signal));
    await known.meet(host, channels);
    ending.abort('discovered');
    await channels.release(host, 'discovered');
    return known.welcome(facts.revision);
  }

  return {
    handler: {
      welcome,
      request,
      discover,
      stateless: (one) => stateless.serve(one),
      listen: (one, filter) => listeners.listen(one, filter),
      toolSchema: (name, one, fresh) => deps.toolSchemas.of(name, one, fresh),
      notification(session, method, params) {
        const host = hosts.get(session);
        if (!host || method !== 'notifications/roots/list_changed') return;
        // Only upstreams that were told to expect it.
        for (const channel of channels.of(host).values())
          if (at(channel.capabilities, ['roots', 'listChanged']) === 'true')
            void channel.connection?.notify(method, params).catch(() => undefined);
      },
      ended(session, reason) {
        const host = hosts.get(session);
        hosts.delete(session);
        if (!host) return;
        channels.cutCallsOf(host, new McpxError('failure', reason));
        channels
          .release(host, reason)
          .catch((error) => log.warn({ error: messageOf(error) }, 'a channel did not close cleanly'));
      },
    },
    apiCalls,
    servers: () => states.list(),
    async close(reason) {
      closing.abort(new McpxError('failure', reason));
      // The channels first: their open questions are lost with this gateway, not withdrawn by their calls.
      const closed = channels.closeAll(reason);
      parked.cutAll(new McpxError('failure', reason));
      apiCalls.close(reason);
      for (const host of hosts.values()) channels.cutCallsOf(host, new McpxError('failure', reason));
      await Promise.all([closed, listeners.close(reason)]);
      hosts.clear();
    },
  };
}
