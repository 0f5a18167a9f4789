// A configured server becomes something the relay can open channels to.
import type { Clock } from '../clock.ts';
import type { ServerConfig } from '../config/types.ts';
import type { Log } from '../log.ts';
import { openChannel } from './channel.ts';
import { agentForStreams, splitHeaders } from './http/http-client.ts';
import { openHttp } from './http/open-http.ts';
import { StdioTransport } from './stdio/stdio-transport.ts';
import type { UpstreamConnector } from './types.ts';

export interface ConnectorDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** `frameBytes` bounds one message from the upstream. */
  readonly limits: { readonly frameBytes: number };
  /** mcpx's own version, as told to upstreams. */
  readonly clientVersion: string;
}

/** Nothing is started or connected before `open`. */
export function connectorFor(config: ServerConfig, deps: ConnectorDeps): UpstreamConnector {
  const { clock, log, clientVersion } = deps;
  const { frameBytes } = deps.limits;
  const channelDeps = { server: config.name, clock, log, clientVersion };
  if (config.transport === 'stdio') {
    return {
      server: config.name,
      transport: 'stdio',
      open: (options) =>
        openChannel((sink) => new StdioTransport(sink, config, frameBytes), options, channelDeps),
    };
  }
  const { reserved } = splitHeaders(config.headers);
  if (reserved.length > 0) {
    log.warn(
      { server: config.name, headers: reserved.join(', ') },
      'mcpx sets these headers itself; left out',
    );
  }
  const agent = agentForStreams();
  return {
    server: config.name,
    transport: 'http',
    open: (options) => openHttp(config, agent, frameBytes, options, channelDeps),
  };
}
