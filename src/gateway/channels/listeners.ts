// `subscriptions/listen` of stateless hosts: one channel per server is kept open as long as anybody listens.

import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { ListenFilter, StatelessRequest } from '../../host/types.ts';
import type { Log } from '../../log.ts';
import { json, member, quote, stringOf } from '../../protocol/json-text.ts';
import { spellNotification } from '../../protocol/spell-message.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Connection, UpstreamNotification } from '../../upstream/types.ts';
import type { Catalog } from '../routing/catalog.ts';
import type { KnownServers } from '../routing/servers.ts';
import type { Channel } from './channel.ts';
import { covers } from './notices.ts';

const KINDS = ['tools', 'prompts', 'resources'] as const;
/** Milliseconds a host waits for servers that have never been seen. */
const MEETING = 10_000;
/** Milliseconds in which the same notice on several channels is one: a server tells each of them of one change. */
const SETTLE = 20;

export interface ListenersOptions {
  readonly servers: readonly string[];
  readonly catalog: Catalog;
  readonly known: KnownServers;
  readonly clock: Clock;
  readonly log: Log;
  /** A new channel to a server on behalf of nobody in particular. */
  readonly makeLine: (server: string) => Channel;
}

interface Listener {
  readonly request: StatelessRequest;
  readonly filter: ListenFilter;
}

/** All hosts that listen; what any channel of a server brings is told to those who asked for it. */
export class Listeners {
  readonly #options: ListenersOptions;
  readonly #all = new Set<Listener>();
  readonly #channels = new Map<string, Channel>();
  /** By URI: how many listeners, and the way to end the subscription. */
  readonly #uris = new Map<string, { count: number; readonly ended: AbortController }>();
  /** The notices that are told in a moment. */
  readonly #settling = new Set<string>();

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  /** Begins to listen; resolves with what of the filter is honoured. */
  async listen(request: StatelessRequest, filter: ListenFilter): Promise<ListenFilter> {
    const opening = this.#options.servers.map((server) => this.#open(server, request.signal));
    await Promise.all(opening);
    const honoured = this.#honoured(filter);
    const listener = { request, filter: honoured };
    if (request.signal.aborted) return honoured;
    this.#all.add(listener);
    for (const uri of honoured.uris) this.#subscribe(uri);
    request.signal.addEventListener('abort', () => this.#leave(listener), { once: true });
    return honoured;
  }

  /** Tells those who listen of what a channel of some host brought. */
  tell(note: UpstreamNotification): void {
    const { method, params } = note;
    if (![...this.#all].some(({ filter }) => wants(filter, method, params))) return;
    const key = `${method} ${uriOf(params) ?? ''}`;
    if (this.#settling.has(key)) return;
    this.#settling.add(key);
    this.#options.clock.after(SETTLE, () => {
      this.#settling.delete(key);
      this.#tellNow(note);
    });
  }

  #tellNow({ method, params }: UpstreamNotification): void {
    for (const { request, filter } of this.#all) {
      if (!wants(filter, method, params)) continue;
      const spelled = spellNotification(request.facts.revision, method, params ?? '{}');
      if (spelled !== undefined) request.notify(method, spelled);
    }
  }

  /** Ends every channel that was kept open to listen. */
  async close(reason: string): Promise<void> {
    this.#all.clear();
    await this.#closeLines(reason);
  }

  /**
   * Opens the channel to a server. One that has said before what it offers is not waited for: hosts give up where the
   * acknowledgement takes as long as a server's start.
   */
  async #open(server: string, signal: AbortSignal): Promise<void> {
    const { known, clock, log } = this.#options;
    const ready = this.#channel(server)
      .ready(signal)
      .catch((error) => log.debug({ server, error: messageOf(error) }, 'cannot listen to a server'));
    if (known.get(server) !== undefined) return;
    await new Promise<void>((resolve) => {
      const timer = clock.after(MEETING, resolve);
      void ready.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #channel(server: string): Channel {
    const channel = this.#channels.get(server) ?? this.#options.makeLine(server);
    this.#channels.set(server, channel);
    return channel;
  }

  #honoured(filter: ListenFilter): ListenFilter {
    const offers = (kind: (typeof KINDS)[number], flag: string): boolean =>
      this.#options.servers.some((server) => {
        const offered = this.#options.known.get(server)?.capabilities[kind];
        return typeof offered === 'object' && offered !== null && Reflect.get(offered, flag) === true;
      });
    return {
      tools: filter.tools && offers('tools', 'listChanged'),
      prompts: filter.prompts && offers('prompts', 'listChanged'),
      resources: filter.resources && offers('resources', 'listChanged'),
      uris: offers('resources', 'subscribe') ? filter.uris : [],
    };
  }

  #subscribe(uri: string): void {
    const known = this.#uris.get(uri);
    if (known) {
      known.count += 1;
      return;
    }
    const ended = new AbortController();
    this.#uris.set(uri, { count: 1, ended });
    const { catalog, servers, log } = this.#options;
    const owner = catalog.serverOf(uri);
    for (const server of owner === undefined ? servers : [owner]) {
      this.#channel(server)
        .ready(ended.signal)
        .then((connection) => this.#subscribeOn(connection, uri, ended.signal))
        .catch((error) => log.debug({ server, error: messageOf(error) }, 'a subscription failed'));
    }
  }

  async #subscribeOn(connection: Connection, uri: string, ended: AbortSignal): Promise<void> {
    if (connection.subscribe) {
      connection.subscribe({ tools: false, prompts: false, resources: false, uris: [uri] }, ended);
      return;
    }
    const send = (method: string): Promise<unknown> =>
      connection.request(method, json`{"uri":${quote(uri)}}`, { signal: new AbortController().signal });
    ended.addEventListener('abort', () => void send('resources/unsubscribe').catch(() => {}), { once: true });
    await send('resources/subscribe');
  }

  #leave(listener: Listener): void {
    if (!this.#all.delete(listener)) return;
    for (const uri of listener.filter.uris) {
      const known = this.#uris.get(uri);
      if (!known) continue;
      known.count -= 1;
      if (known.count > 0) continue;
      this.#uris.delete(uri);
      known.ended.abort();
    }
    if (this.#all.size === 0) void this.#closeLines('nobody listens any more');
  }

  async #closeLines(reason: string): Promise<void> {
    const channels = [...this.#channels.values()];
    this.#channels.clear();
    await Promise.all(channels.map((channel) => channel.close(reason)));
  }
}

function wants(filter: ListenFilter, method: string, params: JsonText | undefined): boolean {
  for (const kind of KINDS) if (method === `notifications/${kind}/list_changed`) return filter[kind];
  if (method !== 'notifications/resources/updated') return false;
  const uri = uriOf(params);
  return uri !== undefined && filter.uris.some((subscribed) => covers(subscribed, uri));
}

function uriOf(params: JsonText | undefined): string | undefined {
  return params === undefined ? undefined : stringOf(member(params, 'uri'));
}
