// What the upstreams said of themselves, remembered for every host that comes: it need not wait for a start again.
import type { Clock } from '../../clock.ts';
import { McpxError, messageOf } from '../../errors.ts';
import type { Welcome } from '../../host/types.ts';
import type { Log } from '../../log.ts';
import { serverCapabilities } from '../../protocol/capabilities.ts';
import type { Revision } from '../../protocol/types.ts';
import type { UpstreamInfo } from '../../upstream/types.ts';
import type { Lines } from '../channels/channels.ts';
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
   * Opens the host's lines to servers that have never been seen, for as long as a host can be kept waiting. A server
   * that took longer than that is started for the next host too, but not waited for.
   */
  async meet(host: Requester, lines: Lines): Promise<void> {
    const unseen = this.#servers.filter((server) => !this.#infos.has(server));
    if (unseen.length === 0) return;
    const limit = new AbortController();
    const timer = this.#clock.after(MEETING, () => limit.abort(new McpxError('timeout', 'still starting')));
    const within = AbortSignal.any([limit.signal, host.session.ended]);
    const open = async (server: string): Promise<void> => {
      try {
        const line = await lines.get(host, server, within);
        await line.ready(within);
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
