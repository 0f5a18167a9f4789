// Which line a host uses for a server: its own, or one shared by all hosts that declared the same.
import type { Clock } from '../clock.ts';
import type { ServerConfig } from '../config/types.ts';
import { clientCapabilities, declares, elicitationModes } from '../protocol/capabilities.ts';
import { member, quote } from '../protocol/json-text.ts';
import { UPSTREAM_OFFER } from '../protocol/revisions.ts';
import type { JsonText } from '../protocol/types.ts';
import type { UpstreamConnector } from '../upstream/types.ts';
import type { HostState } from './host-state.ts';
import { Line, type LineEvents } from './line.ts';
import type { UrlEffects } from './url/channel-urls.ts';

export interface LinesOptions {
  readonly servers: readonly ServerConfig[];
  readonly connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly events: LineEvents;
  readonly urlEffects: UrlEffects;
  readonly clock: Clock;
  /** With the broker on, every question can be answered, whatever the host declared (ELI-09, ELI-22). */
  readonly brokerOn: boolean;
}

/**
 * The lines of all hosts. Towards an upstream only what can really be answered for this host is declared, and hosts
 * with different sets never share a line.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #shared = new Map<string, Line>();

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  /** The host's line to a server; made when first asked for, opened when first used. */
  of(host: HostState, server: string): Line {
    const known = host.lines.get(server);
    if (known) return known;
    const config = this.#options.servers.find((entry) => entry.name === server);
    const line =
      config?.isolation === 'shared' ? this.#sharedLine(server, host) : this.#newLine(server, host, false);
    line.hosts.add(host);
    host.lines.set(server, line);
    return line;
  }

  /** Lets go of a host's lines; those that nobody uses any more are closed. */
  async release(host: HostState, reason: string): Promise<void> {
    const unused: Line[] = [];
    for (const line of host.lines.values()) {
      line.hosts.delete(host);
      if (line.hosts.size === 0) unused.push(line);
    }
    host.lines.clear();
    for (const [key, line] of this.#shared) if (unused.includes(line)) this.#shared.delete(key);
    await Promise.all(unused.map((line) => line.close(reason)));
  }

  /** Ends every line. The questions on them are told at once, in the same turn. */
  async closeAll(hosts: Iterable<HostState>, reason: string): Promise<void> {
    const all = new Set([
      ...this.#shared.values(),
      ...[...hosts].flatMap((host) => [...host.lines.values()]),
    ]);
    this.#shared.clear();
    await Promise.all([...all].map((line) => line.close(reason)));
  }

  #sharedLine(server: string, host: HostState): Line {
    const key = `${quote(server)}${capabilitiesFor(host, this.#options.brokerOn)}`;
    const line = this.#shared.get(key) ?? this.#newLine(server, host, true);
    this.#shared.set(key, line);
    return line;
  }

  #newLine(server: string, host: HostState, shared: boolean): Line {
    const connector = this.#options.connectors.get(server);
    if (!connector) throw new Error(`no connector for server ${server}`);
    return new Line({
      connector,
      shared,
      capabilities: capabilitiesFor(host, this.#options.brokerOn),
      events: this.#options.events,
      urlEffects: this.#options.urlEffects,
      now: () => this.#options.clock.now(),
    });
  }
}

/** What mcpx declares to an upstream for this host, as JSON text. */
function capabilitiesFor(host: HostState, brokerOn: boolean): JsonText {
  const { revision, capabilities } = host.session.facts;
  const modes = elicitationModes(revision, capabilities);
  return clientCapabilities(
    {
      elicitation: brokerOn ? { form: true, url: true } : modes,
      sampling: declared(capabilities, 'sampling'),
      roots: declared(capabilities, 'roots'),
    },
    UPSTREAM_OFFER,
  );
}

function declared(capabilities: unknown, name: 'sampling' | 'roots'): JsonText | undefined {
  return declares(capabilities, name) ? member(JSON.stringify(capabilities), name) : undefined;
}
