// A connection of an upstream as the relay uses it: who uses it, which calls run on it, and its reopening.

import { setMaxListeners } from 'node:events';
import { McpxError } from '../../errors.ts';
import type { JsonText } from '../../protocol/types.ts';
import { AskerGone } from '../../upstream/questions.ts';
import type {
  Connection,
  ConnectionHandlers,
  Era,
  Ticket,
  UpstreamConnector,
  UpstreamInfo,
  UpstreamNotification,
  UpstreamRequest,
} from '../../upstream/types.ts';
import { orAborted } from '../../waiting.ts';
import type { Call } from '../calls/call.ts';
import { ConnectionUrls, type UrlEffects } from '../questions/asked-urls.ts';
import type { Requester } from '../requesters.ts';

/** What a channel tells the relay. */
export interface ChannelEvents {
  onRequest(channel: Channel, request: UpstreamRequest): void;
  onNotification(channel: Channel, notification: UpstreamNotification): void;
  /** Each time a connection has been opened. */
  onReady(channel: Channel, connection: Connection): void;
  onFailed(channel: Channel, error: Error): void;
  onClosed(channel: Channel, reason: string): void;
}

/** Milliseconds for which a failed start is not tried again, so that a broken upstream is not started in a loop. */
const RETRY_AFTER = 1_000;

/** One upstream process or session, opened when first needed and opened again after it is gone. */
export class Channel {
  readonly server: string;
  /** Whether several hosts may use it (`isolation: "shared"`). */
  readonly shared: boolean;
  /** When the last call on it began or ended; milliseconds, by the monotonic clock. */
  lastUsed: number;
  readonly hosts = new Set<Requester>();
  /** The log level that the current connection was told for all hosts together (`shared-channel.ts`). */
  toldLevel: string | undefined;
  /** Resource URIs that a modern upstream is listened to for, and the way to end that. */
  readonly listening = new Map<string, AbortController>();
  readonly #calls = new Map<string, Call>();
  readonly #connector: UpstreamConnector;
  /** What is declared to the upstream: the text of the `capabilities` object. */
  readonly capabilities: JsonText;
  readonly #prefer: Era;
  readonly #events: ChannelEvents;
  readonly #now: () => number;
  readonly #life = new AbortController();
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #failed: { readonly error: Error; readonly at: number } | undefined;
  #loosePauses = 0;
  readonly #onRelease = new Set<() => void>();
  readonly #work = new Set<Promise<void>>();
  /** The last of what is done in turn, by what it is about. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #urlEffects: UrlEffects;
  #urls: ConnectionUrls;
  #gone = new AbortController();

  constructor(options: {
    readonly connector: UpstreamConnector;
    readonly shared: boolean;
    readonly capabilities: JsonText;
    /** The era that is tried first: that of the host. */
    readonly prefer: Era;
    readonly events: ChannelEvents;
    readonly urlEffects: UrlEffects;
    readonly now: () => number;
  }) {
    setMaxListeners(0, this.#life.signal);
    this.server = options.connector.server;
    this.shared = options.shared;
    this.#connector = options.connector;
    this.capabilities = options.capabilities;
    this.#prefer = options.prefer;
    this.lastUsed = options.now();
    this.#events = options.events;
    this.#now = options.now;
    this.#urlEffects = options.urlEffects;
    this.#urls = new ConnectionUrls(options.urlEffects);
  }

  /** The open connection, if there is one now. */
  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Aborts when mcpx itself lets go of this channel; `reason` says why. */
  get ending(): AbortSignal {
    return this.#life.signal;
  }

  /** Aborts, with an AskerGone, when the connection that is open now is over. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The URLs that the current connection has asked to open. */
  get urls(): ConnectionUrls {
    return this.#urls;
  }

  get info(): UpstreamInfo | undefined {
    return this.#connection?.info;
  }

  get calls(): ReadonlyMap<string, Call> {
    return this.#calls;
  }

  /** The open connection, opened if need be. Rejects with the upstream's McpxError, or with the reason of `signal`. */
  async ready(signal: AbortSignal): Promise<Connection> {
    if (this.#connection && !this.#connection.closed) return this.#connection;
    signal.throwIfAborted();
    if (this.#failed && this.#now() - this.#failed.at < RETRY_AFTER) throw this.#failed.error;
    // One opening serves all who wait; a caller that gives up does not end it for the others.
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return await orAborted(this.#opening, signal);
  }

  /** Registers a running call; it is held at once while a question without a call is open on this channel. */
  add(call: Call): void {
    this.#calls.set(call.id, call);
    this.lastUsed = this.#now();
    if (this.#loosePauses > 0) this.#onRelease.add(call.pauseTimeout());
    const end = (): void => {
      this.#calls.delete(call.id);
      this.lastUsed = this.#now();
    };
    call.ended.addEventListener('abort', end, { once: true });
  }

  /**
   * Stops timers while a question is open: those of `call`, or of every call on this channel where the question's call
   * is not known. The returned function lets them run again.
   */
  pauseTimeouts(call: Call | undefined): () => void {
    if (call) return call.pauseTimeout();
    this.#loosePauses += 1;
    if (this.#loosePauses === 1)
      for (const running of this.#calls.values()) this.#onRelease.add(running.pauseTimeout());
    let held = true;
    return () => {
      if (held) this.#release();
      held = false;
    };
  }

  /**
   * Holds the upstream back while those it speaks to do not read, and lets it go on (C51). What comes for one call waits
   * for its host; what may be anybody's only while nobody reads, since one host must not hold up another.
   */
  regulate(): void {
    const hostOf = (ticket: Ticket | undefined): Requester | undefined =>
      ticket === undefined ? undefined : this.#calls.get(ticket)?.host;
    this.#connection?.regulate?.({
      isHeld: (ticket) => {
        const host = hostOf(ticket);
        if (host !== undefined) return host.flow?.full === true;
        return this.hosts.size > 0 && [...this.hosts].every((one) => one.flow?.full === true);
      },
      readerOf: (ticket) => {
        const [only] = this.hosts.size === 1 ? this.hosts : [];
        return (hostOf(ticket) ?? only)?.flow?.reader;
      },
    });
  }

  /** Keeps a question's work in sight, so that the channel is not closed before its outcome went out. */
  async track(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    await work.finally(() => this.#work.delete(work));
  }

  /** Does one thing about `what` after the other, so that what the upstream is told last is what holds. */
  async inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(what);
    const own = (before ?? Promise.resolve()).then(work, work);
    const settled = own.catch(() => {});
    this.#turns.set(what, settled);
    try {
      return await own;
    } finally {
      if (this.#turns.get(what) === settled) this.#turns.delete(what);
    }
  }

  /** Ends the channel for good: open questions get their cancel first, then the connection is closed. */
  async close(reason: string): Promise<void> {
    this.#life.abort(new McpxError('failure', reason));
    await Promise.allSettled(this.#work);
    const connection = this.#connection ?? (await this.#opening?.catch(() => undefined));
    await connection?.close(reason);
  }

  #release(): void {
    this.#loosePauses -= 1;
    // Only when no such question is left do the timers run again: which of the calls asked is not known.
    if (this.#loosePauses > 0) return;
    for (const release of this.#onRelease) release();
    this.#onRelease.clear();
  }

  async #open(): Promise<Connection> {
    const gone = new AbortController();
    this.#gone = gone;
    // A connection knows nothing of what was asked on the one before.
    this.#urls = new ConnectionUrls(this.#urlEffects);
    const handlers: ConnectionHandlers = {
      onRequest: (request) => this.#events.onRequest(this, request),
      onNotification: (notification) => this.#events.onNotification(this, notification),
      onClosed: (reason) => {
        this.#connection = undefined;
        gone.abort(new AskerGone(reason));
        this.#events.onClosed(this, reason);
      },
    };
    try {
      const connection = await this.#connector.open({
        capabilities: this.capabilities,
        prefer: this.#prefer,
        handlers,
        signal: this.#life.signal,
      });
      this.#failed = undefined;
      this.#connection = connection;
      this.regulate();
      this.#events.onReady(this, connection);
      return connection;
    } catch (error) {
      const failure = error instanceof Error ? error : new McpxError('upstream', String(error));
      this.#failed = { error: failure, at: this.#now() };
      this.#events.onFailed(this, failure);
      throw failure;
    }
  }
}

/** Who asked on whose behalf; both absent when nobody can be named, and mcpx never guesses. */
export interface Attribution {
  readonly host: Requester | undefined;
  readonly call: Call | undefined;
}

/**
 * Attributes something that came on `channel`: to the call on whose stream it came; else to the only host of the channel,
 * and to its only call; else, on a shared channel, to the only call that runs; else to nobody.
 */
export function attribute(channel: Channel, origin: string | undefined): Attribution {
  const exact = origin === undefined ? undefined : channel.calls.get(origin);
  if (exact) return { host: exact.host, call: exact };
  // A stream of a call that has ended says that it was none of those that run now.
  const only = origin === undefined && channel.calls.size === 1 ? [...channel.calls.values()][0] : undefined;
  if (!channel.shared) return { host: [...channel.hosts][0], call: only };
  if (only) return { host: only.host, call: only };
  return { host: undefined, call: undefined };
}
