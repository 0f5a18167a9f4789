// Starts every configured upstream once, side by side, and reports on each.
import { loadSettings } from '../config/load.ts';
import type { ServerConfig } from '../config/types.ts';
import { isMcpxError, messageOf } from '../errors.ts';
import { probe } from '../gateway/probe.ts';
import { connectorsFor } from '../gateway/start.ts';
import { silent } from '../log.ts';
import { read } from '../protocol/json-text.ts';
import { errorReply, RPC } from '../protocol/message.ts';
import { isLegacy } from '../protocol/revisions.ts';
import type { UpstreamConnector, UpstreamRequest } from '../upstream/types.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

/** One upstream as `--json` prints it; what is not known is absent. */
export interface ServerReport {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  readonly state: 'ready' | 'failed' | 'disabled';
  readonly era?: 'legacy' | 'modern';
  readonly revision?: string;
  /** Why hosts of older revisions are served by the modern side too, where they are. */
  readonly eraReason?: string;
  readonly serverInfo?: unknown;
  readonly tools?: number;
  readonly prompts?: number;
  readonly resources?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** One report per configured server, in config order. A server that fails is a report, not a failure. */
export function lookAtServers(io: Io, words: readonly string[]): Promise<ServerReport[]> {
  const { settings } = loadSettings({
    ...io,
    flags: io.globals,
    ...(words.length > 0 && { command: words }),
  });
  const connectors = connectorsFor({ settings, clock: io.clock, log: silent, version: version() });
  return Promise.all(
    settings.servers.map(async (server: ServerConfig): Promise<ServerReport> => {
      const facts = { name: server.name, transport: server.transport };
      const connector = connectors.get(server.name);
      if (!connector) return { ...facts, state: 'disabled' };
      try {
        // The newest that it speaks, as a host of today would get it.
        const offer = await probe(connector, io.signal, 'modern');
        const { revision, serverInfo, tools, prompts, resources } = offer;
        if (!isLegacy(revision) && server.transport === 'http') await lookForSession(connector, io.signal);
        const eraReason = connector.modernForAll;
        return {
          ...facts,
          state: 'ready',
          era: isLegacy(revision) ? 'legacy' : 'modern',
          revision,
          ...(eraReason !== undefined && { eraReason }),
          serverInfo: read(serverInfo),
          tools: tools.length,
          prompts: prompts.length,
          resources,
        };
      } catch (error) {
        if (io.signal.aborted) throw error;
        const code = isMcpxError(error) ? error.code : 'bug';
        const hint = isMcpxError(error) && error.hint !== undefined ? { hint: error.hint } : {};
        return { ...facts, state: 'failed', error: { code, message: messageOf(error), ...hint } };
      }
    }),
  );
}

/** Opens it as for an older host, which shows whether its older side keeps sessions. That it fails there is no news. */
async function lookForSession(connector: UpstreamConnector, signal: AbortSignal): Promise<void> {
  const handlers = {
    onRequest: (request: UpstreamRequest) =>
      void request.reply(errorReply(RPC.methodNotFound, 'mcpx is only looking')),
    onNotification: () => {},
    onClosed: () => {},
  };
  const opened = connector.open({ prefer: 'legacy', capabilities: '{}', handlers, signal });
  await opened.then((connection) => connection.close('mcpx has looked')).catch(() => {});
}
