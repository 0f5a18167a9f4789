// Which channel a host uses for a server: its own, or one shared by all hosts that declared the same.
// This folder: in come a requester and a server, out goes a channel; what a server says of itself goes to whom it concerns.

import type { Clock } from '../../clock.ts';
import type { ServerConfig } from '../../config/types.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { clientCapabilities, declares, elicitationModes } from '../../protocol/capabilities.ts';
import { jsonOf, member, quote } from '../../protocol/json-text.ts';
import { atLeast, UPSTREAM_OFFER } from '../../protocol/revisions.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Era, UpstreamConnector } from '../../upstream/types.ts';
import { orAborted } from '../../waiting.ts';
import type { UrlEffects } from '../questions/asked-urls.ts';
import type { Requester } from '../requesters.ts';
import { Channel, type ChannelEvents } from './channel.ts';
import { Pool } from './lease-pool.ts';
import { leaveShared } from './shared-channel.ts';

export interface ChannelsOptions {
  readonly servers: readonly ServerConfig[];
  readonly connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly events: ChannelEvents;
  readonly urlEffects: UrlEffects;
  readonly clock: Clock;
  readonly log: Log;
  /** `limits.channels`: channels per server, those shared by all hosts not counted. */
  readonly most: number;
  /** Whether a server is known to be modern and over HTTP: one channel then serves every stateless host. */
  readonly isStateless: (server: string) => boolean;
  /** With the broker on, every question can be answered, whatever the host declared (ELI-09, ELI-22). */
  readonly brokerOn: boolean;
}

/**
 * The channels of all hosts. Towards an upstream only what can really be answered for this host is declared, and hosts
 * with different sets never share a channel.
 */
export class Channels {
  readonly #options: ChannelsOptions;
  readonly #shared = new Map<string, Channel>();
  readonly #pools = new Map<string, Pool>();
  /** The channels that each host has now, by server name. */
  readonly #channels = new Map<Requester, Map<string, Channel>>();
  /** Channels that are being taken, by server name. */
  readonly #taking = new WeakMap<Requester, Map<string, Promise<Channel>>>();
  /** What was declared on a leased channel: a stateless host may declare something else with its next request. */
  readonly #leases = new WeakMap<Channel, string>();

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /**
   * The host's channel to a server: the one it has, else one of its own or a shared one; opened when first used. Waits
   * where `limits.channels` are in use, and rejects as `Pool.take` does.
   */
  async get(host: Requester, server: string, signal: AbortSignal): Promise<Channel> {
    const known = this.#channels.get(host)?.get(server);
    if (known) return known;
    const pending = this.#taking.get(host) ?? new Map<string, Promise<Channel>>();
    this.#taking.set(host, pending);
    let taking = pending.get(server);
    if (!taking) {
      // Two requests of one session at once must not take two channels, nor one end the other's waiting.
      taking = this.#take(host, server).finally(() => pending.delete(server));
      pending.set(server, taking);
    }
    return orAborted(taking, signal);
  }

  /** The channels that a host has now, by server name. */
  of(host: Requester): ReadonlyMap<string, Channel> {
    return this.#channels.get(host) ?? NO_LINES;
  }

  /** Gives up every call of a host. */
  cutCallsOf(host: Requester, reason: unknown): void {
    for (const channel of this.of(host).values())
      for (const call of channel.calls.values()) if (call.context.host === host) call.cut(reason);
  }

  /** Lets go of a host's channels: a stateless host's are leased on, others that nobody uses any more are closed. */
  async release(host: Requester, reason: string): Promise<void> {
    const channels = [...this.of(host)];
    this.#channels.delete(host);
    await Promise.all(
      channels.map(async ([server, channel]) => {
        if (channel.shared) leaveShared(channel, host, this.#options.log);
        else channel.hosts.delete(host);
        channel.regulate();
        if (!channel.shared) {
          await this.#pool(server).release(
            channel,
            host.leases ? this.#leases.get(channel) : undefined,
            reason,
          );
        } else if (channel.hosts.size === 0 && !host.leases) {
          for (const [key, shared] of this.#shared) if (shared === channel) this.#shared.delete(key);
          await channel.close(reason);
        }
      }),
    );
  }

  /** A channel without a host, to hear what the server tells everybody; the caller closes it. */
  listening(server: string): Channel {
    return this.#make(server, 'modern', NOTHING);
  }

  /** Whether a connection to this server is open now. */
  isOpen(server: string): boolean {
    const shared = [...this.#shared.values()].filter((channel) => channel.server === server);
    const own = this.#pools.get(server)?.channels ?? [];
    return [...shared, ...own].some(({ connection }) => connection !== undefined && !connection.closed);
  }

  /** Ends every channel. The questions on them are told at once, in the same turn. */
  async closeAll(reason: string): Promise<void> {
    const all = [...this.#shared.values(), ...[...this.#pools.values()].flatMap((pool) => pool.channels)];
    this.#shared.clear();
    await Promise.all(all.map((channel) => channel.close(reason)));
  }

  async #take(host: Requester, server: string): Promise<Channel> {
    const { ended } = host.session;
    const config = this.#options.servers.find((entry) => entry.name === server);
    const isShared = config?.isolation === 'shared' || (host.leases && this.#options.isStateless(server));
    const key = leaseKey(host, this.#options.brokerOn);
    const channel = isShared
      ? this.#sharedLine(server, host)
      : await this.#pool(server).take(host, key, ended);
    this.#leases.set(channel, key);
    channel.hosts.add(host);
    channel.regulate();
    const own = this.#channels.get(host);
    if (own) own.set(server, channel);
    else {
      this.#channels.set(host, new Map([[server, channel]]));
      host.flow?.onChange(() => {
        for (const one of this.of(host).values()) one.regulate();
      });
    }
    // The host went away while it waited: nobody else would give the channel back.
    if (ended.aborted) await this.release(host, messageOf(ended.reason));
    return channel;
  }

  #pool(server: string): Pool {
    const known = this.#pools.get(server);
    if (known) return known;
    const { most, clock } = this.#options;
    const pool = new Pool({
      server,
      most,
      clock,
      make: (host) => this.#newLine(server, host, false),
      onReclaim: (_channel, host) => this.#channels.get(host)?.delete(server),
    });
    this.#pools.set(server, pool);
    return pool;
  }

  #sharedLine(server: string, host: Requester): Channel {
    const key = `${quote(server)}${capabilitiesFor(host, this.#options.brokerOn)}`;
    const channel = this.#shared.get(key) ?? this.#newLine(server, host, true);
    this.#shared.set(key, channel);
    return channel;
  }

  #newLine(server: string, host: Requester, shared: boolean): Channel {
    const capabilities = capabilitiesFor(host, this.#options.brokerOn);
    return this.#make(server, host.prefers, capabilities, shared);
  }

  #make(server: string, prefer: Era, capabilities: JsonText, shared = false): Channel {
    const connector = this.#options.connectors.get(server);
    if (!connector) throw new Error(`no connector for server ${server}`);
    const { events, urlEffects, clock } = this.#options;
    return new Channel({
      connector,
      shared,
      capabilities,
      prefer,
      events,
      urlEffects,
      now: () => clock.monotonic(),
    });
  }
}

const NO_LINES: ReadonlyMap<string, Channel> = new Map();

/** Nobody can be asked through a channel that only listens. */
const NOTHING = '{}';

/** Idle channels change hands only within one principal and one set of capabilities. */
function leaseKey(host: Requester, brokerOn: boolean): string {
  return `${quote(host.session.facts.principal)}${capabilitiesFor(host, brokerOn)}`;
}

/** What mcpx declares to an upstream for this host, as JSON text. */
export function capabilitiesFor(host: Requester, brokerOn: boolean): JsonText {
  const { revision, capabilities } = host.session.facts;
  const modes = elicitationModes(revision, capabilities);
  return clientCapabilities(
    {
      elicitation: brokerOn ? { form: true, url: true } : modes,
      sampling: samplingOf(host),
      roots: declared(capabilities, 'roots'),
    },
    UPSTREAM_OFFER,
  );
}

/** What stands in it came with 2025-11-25; in the words of an older host it means nothing. */
function samplingOf({ session }: Requester): JsonText | undefined {
  const { revision, capabilities } = session.facts;
  const sampling = declared(capabilities, 'sampling');
  return sampling === undefined || atLeast(revision, '2025-11-25') ? sampling : '{}';
}

function declared(capabilities: unknown, name: 'sampling' | 'roots'): JsonText | undefined {
  return declares(capabilities, name) ? member(jsonOf(capabilities), name) : undefined;
}
