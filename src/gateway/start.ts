// Puts a gateway together: the broker's store, a connector for each upstream, and the relay between them.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openBroker } from '../broker/open.ts';
import { keepSecret, sharedSecret } from '../broker/secret-file.ts';
import type { Broker, EraVerdicts } from '../broker/types.ts';
import { openChecks } from '../checks/open.ts';
import type { Clock } from '../clock.ts';
import type { ServerConfig, Settings } from '../config/types.ts';
import { McpxError, messageOf } from '../errors.ts';
import type { FormChecks } from '../form/checks.ts';
import type { Log } from '../log.ts';
import { connectorFor } from '../upstream/connector.ts';
import type { UpstreamConnector } from '../upstream/types.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { readKeys, Sealer } from './input-required/state-seal.ts';
import { probe } from './probe.ts';

/** Milliseconds for which the start waits for servers whose names may clash. */
const LOOK = 10_000;
const STATE_KEY = 'state.key';

export interface Started {
  readonly gateway: Gateway;
  readonly broker: Broker;
  readonly checks: FormChecks;
  /** Ends calls, upstreams and the store, in that order. */
  close(reason: string): Promise<void>;
}

export interface StartOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** `MCPX_STATE_KEY`; without it the key of the state directory is used. */
  readonly stateKey?: string | undefined;
  /** Servers that cannot be started as they are configured, and why. */
  readonly unusable?: ReadonlyMap<string, McpxError>;
}

/** A connector for every server that is not disabled, by name. `verdicts` is what is known of their eras. */
export function connectorsFor(options: StartOptions, verdicts?: EraVerdicts): Map<string, UpstreamConnector> {
  const { settings, clock, log, version } = options;
  const deps = {
    clock,
    log,
    limits: settings.limits,
    clientVersion: version,
    ...(verdicts && { verdicts }),
  };
  const enabled = settings.servers.filter((server) => !server.disabled);
  return new Map(enabled.map((server: ServerConfig) => [server.name, connectorFor(server, deps)]));
}

/** Opens the store and makes the gateway ready; with `naming: "plain"` a clash of names is refused here. */
export async function startGateway(options: StartOptions): Promise<Started> {
  const { settings, clock, log } = options;
  const broker = await openBroker({
    stateDir: settings.stateDir,
    clock,
    log,
    role: 'gateway',
    keep: settings.elicit.keep,
    answerBytes: settings.limits.answerBytes,
    servers: settings.servers.map(({ name }) => name),
  });
  const connectors = connectorsFor(options, broker.verdicts);
  try {
    if (settings.serve.naming === 'plain' && connectors.size > 1) await refuseClash(connectors, clock, log);
  } catch (error) {
    await broker.close();
    throw error;
  }
  const checks = openChecks();
  const sealer = sealerFor(options, broker);
  const { unusable } = options;
  const gateway = createGateway({
    settings,
    broker,
    checks,
    connectors,
    clock,
    log,
    sealer,
    ...(unusable && { unusable }),
  });
  return {
    gateway,
    broker,
    checks,
    async close(reason) {
      await gateway.close(reason);
      await checks.close();
      await broker.close(reason);
    },
  };
}

/** Every process on one state directory seals and opens with the same key, and so does one that is told it. */
function sealerFor({ settings, clock, log, stateKey }: StartOptions, broker: Broker): Sealer {
  if (stateKey) return new Sealer(readKeys(stateKey), clock);
  const { stateDir } = settings;
  const text = sharedSecret(stateDir, STATE_KEY, () => randomBytes(32).toString('hex'));
  broker.onReopened(() => {
    try {
      keepSecret(stateDir, STATE_KEY, text);
    } catch (error) {
      log.error({ error: messageOf(error) }, 'state.key could not be written back');
    }
  });
  return new Sealer(readKeys(text, join(stateDir, STATE_KEY)), clock);
}

/** With plain names two servers may not offer the same tool or prompt (docs/relay.md, "Names"). */
async function refuseClash(
  connectors: ReadonlyMap<string, UpstreamConnector>,
  clock: Clock,
  log: Log,
): Promise<void> {
  const limit = new AbortController();
  const timer = clock.after(LOOK, () => limit.abort(new McpxError('timeout', 'it is still starting')));
  // A server that does not start cannot clash; it is left out now and named by `mcpx servers`.
  const offers = await Promise.all(
    [...connectors].map(([server, connector]) =>
      probe(connector, limit.signal).catch((error) => {
        log.warn({ server, error: messageOf(error) }, 'its names are not checked for clashes');
      }),
    ),
  );
  timer.cancel();
  for (const kind of ['tools', 'prompts'] as const) {
    const owners = new Map<string, string>();
    for (const offer of offers) {
      for (const name of new Set(offer?.[kind])) {
        const other = owners.get(name);
        if (other !== undefined && offer)
          throw new McpxError(
            'config',
            `serve.naming is "plain", but "${other}" and "${offer.server}" both offer ${JSON.stringify(name)}`,
            'set serve.naming to "prefix" or "auto", or disable one of the two servers',
          );
        if (offer) owners.set(name, offer.server);
      }
    }
  }
}
