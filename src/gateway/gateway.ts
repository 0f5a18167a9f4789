// The relay: one handler for all host sessions, lines to all upstreams, and the broker between them.
import type { Broker } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/types.ts';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { HostHandler, HostSession, Welcome } from '../host/types.ts';
import type { Log } from '../log.ts';
import { serverCapabilities } from '../protocol/capabilities.ts';
import { errorReply, RPC } from '../protocol/message.ts';
import type { Reply } from '../protocol/types.ts';
import type { Channel, UpstreamConnector, UpstreamInfo } from '../upstream/types.ts';
import { Catalog } from './catalog.ts';
import { HostState } from './host-state.ts';
import { type Line, orAborted } from './line.ts';
import { Lines } from './lines.ts';
import { namingFor } from './names.ts';
import { passNotification, tell } from './notices.ts';
import { passRequest } from './pass-request.ts';
import { carryQuestion } from './question.ts';
import { type RequestDeps, serveRequest } from './requests.ts';
import { COMPLETE, completeUrl, urlEffects } from './url/complete-url.ts';

/** Milliseconds `initialize` waits for upstreams that have never been seen; later ones are told of by list-changed. */
const WELCOME_WAIT = 10_000;

export interface GatewayOptions {
  readonly settings: Settings;
  readonly broker: Broker;
  /** By server name; disabled servers have none. */
  readonly connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Gateway {
  readonly handler: HostHandler;
  /** Ends every call and every line; open questions get cancel. */
  close(reason: string): Promise<void>;
}

/** Builds the relay over its upstreams and the broker. Nothing is started before a host needs it. */
export function createGateway(options: GatewayOptions): Gateway {
  const { settings, broker, connectors, clock, log } = options;
  const servers = settings.servers.filter(({ name }) => connectors.has(name)).map(({ name }) => name);
  const hosts = new Map<HostSession, HostState>();
  const known = new Map<string, UpstreamInfo>();
  const closing = new AbortController();

  const lines: Lines = new Lines({
    servers: settings.servers,
    connectors,
    clock,
    brokerOn: settings.elicit.audience === 'all',
    urlEffects: urlEffects(broker, log),
    events: {
      onRequest(line, request) {
        const carried =
          request.method === 'elicitation/create'
            ? carryQuestion({ broker, settings, clock, log }, line, request)
            : passRequest(line, request);
        void carried;
      },
      onNotification(line, note) {
        if (note.method === COMPLETE) completeUrl(line, note);
        else passNotification(line, note);
      },
      onReady,
      onFailed: (line, error) =>
        log.warn({ server: line.server, error: messageOf(error) }, 'upstream not available'),
      onClosed: (line, reason) => log.info({ server: line.server, reason }, 'upstream closed'),
    },
  });
  const deps: RequestDeps = {
    broker,
    settings,
    servers,
    lines,
    catalog: new Catalog(servers, namingFor(settings.serve.naming, servers.length), log),
    clock,
    log,
  };

  function onReady(line: Line, channel: Channel): void {
    const first = !known.has(line.server);
    known.set(line.server, channel.info);
    log.info({ server: line.server, revision: channel.info.revision }, 'upstream ready');
    for (const host of line.hosts) {
      if (host.logLevel !== undefined && channel.info.capabilities['logging'] !== undefined)
        channel
          .request('logging/setLevel', host.logLevel, { signal: closing.signal })
          .catch((error) => log.debug({ server: line.server, error: messageOf(error) }, 'log level not set'));
    }
    if (!first) return;
    for (const host of hosts.values()) if (host.welcomed) announce(host, channel.info);
  }

  /** Tells a host that was welcomed before this server was known what it may list now. */
  function announce(host: HostState, info: UpstreamInfo): void {
    for (const list of ['tools', 'prompts', 'resources'])
      if (info.capabilities[list] !== undefined) tell(host, `notifications/${list}/list_changed`, undefined);
  }

  async function welcome(session: HostSession): Promise<Welcome> {
    const host = new HostState(session);
    hosts.set(session, host);
    const unseen = servers.filter((server) => !known.has(server));
    const limit = new AbortController();
    const timer = clock.after(WELCOME_WAIT, () => limit.abort(new McpxError('timeout', 'still starting')));
    await Promise.all(
      unseen.map((server) =>
        lines
          .of(host, server)
          .ready(AbortSignal.any([limit.signal, session.ended]))
          .catch((error) => log.debug({ server, error: messageOf(error) }, 'not ready for initialize')),
      ),
    );
    timer.cancel();
    host.welcomed = true;
    const infos = servers.flatMap((server) => known.get(server) ?? []);
    // A server that is still unknown may come to offer anything that can be announced later.
    const open =
      infos.length < servers.length ? [{ tools: CHANGING, prompts: CHANGING, resources: CHANGING }] : [];
    return {
      capabilities: serverCapabilities(session.facts.revision, [
        ...infos.map((info) => info.capabilities),
        ...open,
      ]),
      instructions: instructionsOf(servers, known),
    };
  }

  async function request(
    session: HostSession,
    exchange: Parameters<HostHandler['request']>[1],
  ): Promise<Reply> {
    const host = hosts.get(session);
    if (!host) return errorReply(RPC.internal, 'this session has ended; initialize again');
    try {
      return await orAborted(serveRequest(deps, host, exchange), exchange.signal);
    } catch (error) {
      if (!exchange.signal.aborted && !isMcpxError(error))
        log.error({ method: exchange.method, error: messageOf(error) }, 'a request failed inside mcpx');
      return errorReply(RPC.internal, `mcpx failed: ${messageOf(error)}`);
    }
  }

  return {
    handler: {
      welcome,
      request,
      notification(session, method, params) {
        const host = hosts.get(session);
        if (!host || method !== 'notifications/roots/list_changed') return;
        for (const line of host.lines.values())
          void line.channel?.notify(method, params).catch(() => undefined);
      },
      ended(session, reason) {
        const host = hosts.get(session);
        hosts.delete(session);
        if (!host) return;
        for (const call of host.calls) call.cut(new McpxError('failure', reason));
        lines
          .release(host, reason)
          .catch((error) => log.warn({ error: messageOf(error) }, 'a line did not close cleanly'));
      },
    },
    async close(reason) {
      closing.abort(new McpxError('failure', reason));
      // The lines first: their open questions are lost with this gateway, not withdrawn by their calls.
      const closed = lines.closeAll(hosts.values(), reason);
      for (const host of hosts.values())
        for (const call of host.calls) call.cut(new McpxError('failure', reason));
      await closed;
      hosts.clear();
    },
  };
}

const CHANGING = { listChanged: true };

/** One server's instructions as they are; those of several each under the server's name. */
function instructionsOf(
  servers: readonly string[],
  known: ReadonlyMap<string, UpstreamInfo>,
): string | undefined {
  const texts = servers.flatMap((server) => {
    const text = known.get(server)?.instructions;
    return text === undefined ? [] : [servers.length === 1 ? text : `# ${server}\n${text}`];
  });
  return texts.length === 0 ? undefined : texts.join('\n\n');
}
