// A configured server becomes something the relay can open channels to.
import { createHash } from 'node:crypto';
import type { EraVerdicts } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { ServerConfig } from '../config/types.ts';
import type { Log } from '../log.ts';
import { Redactor } from '../text/redact.ts';
import { Eras, type OpenAttempt } from './eras.ts';
import { agentForStreams, splitHeaders } from './http/http-client.ts';
import { openHttp } from './http/open-http.ts';
import { Arrivals } from './inflow.ts';
import { maskedConnector, maskedLog } from './masked.ts';
import { openStdio } from './stdio/open-stdio.ts';
import type { UpstreamConnector } from './types.ts';

export interface ConnectorDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** `frameBytes` bounds one message from the upstream. */
  readonly limits: { readonly frameBytes: number };
  /** mcpx's own version, as told to upstreams. */
  readonly clientVersion: string;
  /** What is known of servers from earlier; without it, what this connector itself finds out. */
  readonly verdicts?: EraVerdicts;
}

/** Nothing is started or connected before `open`. */
export function connectorFor(config: ServerConfig, deps: ConnectorDeps): UpstreamConnector {
  const redactor = new Redactor(config.secrets ?? []);
  const log = maskedLog(deps.log, redactor);
  const { verdicts = forOneConnector() } = deps;
  const { name: server, era } = config;
  const eras = new Eras({
    server,
    era,
    key: keyOf(config),
    verdicts,
    log,
    open: opener(config, { ...deps, log }),
  });
  const connector: UpstreamConnector = {
    server,
    transport: config.transport,
    open: (options) => eras.open(options),
    get modernForAll() {
      return eras.modernForAll;
    },
  };
  return maskedConnector(connector, redactor);
}

function opener(config: ServerConfig, { clock, log, clientVersion, limits }: ConnectorDeps): OpenAttempt {
  const arrivals = new Arrivals(limits.frameBytes);
  const deps = { server: config.name, clock, log, clientVersion };
  if (config.transport === 'stdio')
    return (attempt, found, options) => openStdio(config, arrivals, attempt, found, options, deps);
  const { reserved } = splitHeaders(config.headers);
  if (reserved.length > 0) {
    log.warn(
      { server: config.name, headers: reserved.join(', ') },
      'mcpx sets these headers itself; left out',
    );
  }
  const agent = agentForStreams();
  return (attempt, found, options) => openHttp(config, agent, arrivals, attempt, found, options, deps);
}

/** A digest, since the configuration holds secrets; what does not change the server is not in it. */
function keyOf(config: ServerConfig): string {
  const facts =
    config.transport === 'stdio'
      ? [config.command, config.args, config.env, config.cwd]
      : [config.url, config.headers];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function forOneConnector(): EraVerdicts {
  let verdict: Awaited<ReturnType<EraVerdicts['get']>>;
  return {
    get: async () => verdict,
    async set(_key, found) {
      verdict = found;
    },
  };
}
