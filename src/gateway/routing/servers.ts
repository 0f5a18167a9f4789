// What the upstreams said of themselves, remembered for every host that comes: it need not wait for a start again.
import type { Clock, Timer } from '../../clock.ts';
import type { ServerConfig } from '../../config/types.ts';
import { isMcpxError, McpxError, messageOf } from '../../errors.ts';
import type { Welcome } from '../../host/types.ts';
import type { Log } from '../../log.ts';
import { serverCapabilities } from '../../protocol/capabilities.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import type { Revision } from '../../protocol/types.ts';
import type { UpstreamConnector, UpstreamInfo } from '../../upstream/types.ts';
import type { Channels } from '../channels/channels.ts';
import type { Requester } from '../requesters.ts';

/** Milliseconds a host waits for upstreams that have never been seen; later ones are told of by list-changed. */
const MEETING = 10_000;
const CHANGING = { listChanged: true };

export class KnownServers {
  readonly #servers: readonly string[];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #infos = new Map<string, UpstreamInfo>();
  /** Servers that one host has been kept waiting for already. */
  readonly #late = new Set<string>();

  constructor(servers: readonly string[], clock: Clock, log: Log) {
    this.#servers = servers;
    this.#clock = clock;
    this.#log = log;
  }

  get(server: string): UpstreamInfo | undefined {
    return this.#infos.get(server);
  }

  /** Takes in what a server said; whether it had not been seen before. */
  learn(server: string, info: UpstreamInfo): boolean {
    const first = !this.#infos.has(server);
    this.#infos.set(server, info);
    return first;
  }

  /**
   * Opens the host's channels to servers that have never been seen, for as long as a host can be kept waiting. A server
   * that took longer than that is started for the next host too, but not waited for.
   */
  async meet(host: Requester, channels: Channels): Promise<void> {
    const unseen = this.#servers.filter((server) => !this.#infos.has(server));
    if (unseen.length === 0) return;
    const limit = new AbortController();
    const timer = this.#clock.after(MEETING, () => limit.abort(new McpxError('timeout', 'still starting')));
    const within = AbortSignal.any([limit.signal, host.session.ended]);
    const open = async (server: string): Promise<void> => {
      try {
        const channel = await channels.get(host, server, within);
        await channel.ready(within);
      } catch (error) {
        if (limit.signal.aborted) this.#late.add(server);
        this.#log.debug({ server, error: messageOf(error) }, 'not ready for a new host');
      }
    };
    const opened = unseen.map((server) => ({ server, opened: open(server) }));
    await Promise.all(opened.filter(({ server }) => !this.#late.has(server)).map((one) => one.opened));
    timer.cancel();
  }

  /** What a host of this revision is told of all servers together. */
  welcome(revision: Revision): Welcome {
    const infos = this.#servers.flatMap((server) => this.#infos.get(server) ?? []);
    // A server that is still unknown may come to offer anything that can be announced later.
    const unknown = { tools: CHANGING, prompts: CHANGING, resources: CHANGING };
    const open = infos.length < this.#servers.length ? [unknown] : [];
    return {
      capabilities: serverCapabilities(revision, [...infos.map((info) => info.capabilities), ...open]),
      instructions: this.#instructions(),
    };
  }

  /** One server's instructions as they are; those of several each under the server's name. */
  #instructions(): string | undefined {
    const texts = this.#servers.flatMap((server) => {
      const text = this.#infos.get(server)?.instructions;
      return text === undefined ? [] : [this.#servers.length === 1 ? text : `# ${server}\n${text}`];
    });
    return texts.length === 0 ? undefined : texts.join('\n\n');
  }
}

export interface ServerState {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** `ready`: a connection is open. `failed`: the last attempt to open one failed. `idle`: nobody needs it now. */
  readonly state: 'ready' | 'failed' | 'idle' | 'disabled';
  /** As it was last negotiated; absent while it has never been open. */
  readonly era?: 'legacy' | 'modern';
  readonly revision?: Revision;
  /** Why hosts of older revisions are served by the modern side too, where they are. */
  readonly eraReason?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

export class ServerStates {
  readonly #servers: readonly ServerConfig[];
  readonly #known: KnownServers;
  readonly #channels: Channels;
  readonly #connectors: ReadonlyMap<string, UpstreamConnector>;
  readonly #failures = new Map<string, Error>();

  constructor(
    servers: readonly ServerConfig[],
    known: KnownServers,
    channels: Channels,
    connectors: ReadonlyMap<string, UpstreamConnector>,
  ) {
    this.#connectors = connectors;
    this.#servers = servers;
    this.#known = known;
    this.#channels = channels;
  }

  opened(server: string): void {
    this.#failures.delete(server);
  }

  failed(server: string, error: Error): void {
    this.#failures.set(server, error);
  }

  /** In config order. */
  list(): ServerState[] {
    return this.#servers.map(({ name, transport, disabled }): ServerState => {
      if (disabled) return { name, transport, state: 'disabled' };
      const revision = this.#known.get(name)?.revision;
      const eraReason = this.#connectors.get(name)?.modernForAll;
      const failure = this.#failures.get(name);
      const state = this.#channels.isOpen(name) ? 'ready' : failure === undefined ? 'idle' : 'failed';
      return {
        name,
        transport,
        state,
        ...(revision !== undefined && { era: isLegacy(revision) ? 'legacy' : 'modern', revision }),
        ...(eraReason !== undefined && { eraReason }),
        ...(state === 'failed' && failure !== undefined && { error: errorOf(failure) }),
      };
    });
  }
}

function errorOf(failure: Error): NonNullable<ServerState['error']> {
  const { code, hint } = isMcpxError(failure) ? failure : { code: 'bug', hint: undefined };
  return { code, message: messageOf(failure), ...(hint !== undefined && { hint }) };
}

/** Milliseconds that the first server to be ready is kept waiting for the others. */
const GRACE = 3_000;

/**
 * One upstream that hangs must not take the others down: once one server is ready, the others have a little longer.
 * Until then all are waited for, since there is nothing to give.
 */
export class JointStart {
  readonly #clock: Clock;
  readonly #late = new AbortController();
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts when servers that are not ready are to be left out. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  onReady(): void {
    this.#timer ??= this.#clock.after(GRACE, () =>
      this.#late.abort(new McpxError('timeout', 'it is still starting')),
    );
  }

  end(): void {
    this.#timer?.cancel();
  }
}
