// The channels of one server: at most `limits.channels`, leased again when idle, waited for in turn.

import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { orAborted } from '../../waiting.ts';
import type { Requester } from '../requesters.ts';
import type { Channel } from './channel.ts';

/** Milliseconds an idle channel is kept for the next stateless host before its process or session is ended. */
const KEEP_IDLE = 60_000;
/** Milliseconds without a call after which a session's channel may be ended for another host that waits. */
const RECLAIM_AFTER = 60_000;

interface Idle {
  readonly key: string;
  readonly channel: Channel;
  readonly timer: Timer;
}

/** One in the queue, until it has its channel. */
interface Waiter {
  wake: () => void;
}

/**
 * Gives hosts a channel each. A session keeps its channel until it ends; a stateless host leases one for the time of a call
 * (docs/relay.md, "Calls, channels and attribution").
 */
export class Pool {
  readonly #server: string;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #make: (host: Requester) => Channel;
  readonly #onReclaim: (channel: Channel, host: Requester) => void;
  readonly #taken = new Map<Channel, Requester>();
  /** Most recently used last. */
  #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];

  constructor(options: {
    readonly server: string;
    readonly most: number;
    readonly clock: Clock;
    readonly make: (host: Requester) => Channel;
    /** Called when a host loses the channel that it has: it takes one anew when it calls again. */
    readonly onReclaim: (channel: Channel, host: Requester) => void;
  }) {
    this.#server = options.server;
    this.#most = options.most;
    this.#clock = options.clock;
    this.#make = options.make;
    this.#onReclaim = options.onReclaim;
  }

  /** Every channel there is. */
  get channels(): readonly Channel[] {
    return [...this.#taken.keys(), ...this.#idle.map(({ channel }) => channel)];
  }

  /**
   * A channel for this host; `key` names the principal and capabilities among which idle channels may change hands. Waits in
   * turn when the limit is reached; McpxError `limit` when every channel is held by a call that waits for its host.
   */
  async take(host: Requester, key: string, signal: AbortSignal): Promise<Channel> {
    signal.throwIfAborted();
    // Whoever came before is served before.
    const atOnce = this.#waiting.length === 0 ? this.#now(host, key) : undefined;
    if (atOnce) return atOnce;
    if ([...this.#taken.values()].every((other) => other.parked)) throw this.#allHeld();
    const waiter: Waiter = { wake: () => {} };
    this.#waiting.push(waiter);
    try {
      for (;;) {
        await this.#woken(waiter, signal);
        const channel = this.#waiting[0] === waiter ? this.#now(host, key) : undefined;
        if (channel) return channel;
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      // There may be a channel for the next one too, or one that this one was woken for and did not take.
      this.#waiting[0]?.wake();
    }
  }

  /** Takes a channel back: for the next host, or to its end. */
  async release(channel: Channel, key: string | undefined, reason: string): Promise<void> {
    this.#taken.delete(channel);
    if (key === undefined) await channel.close(reason);
    else {
      const timer = this.#clock.after(KEEP_IDLE, () => void this.#drop(channel, 'it was idle'));
      this.#idle.push({ key, channel, timer });
    }
    this.#waiting[0]?.wake();
  }

  #leased(host: Requester, key: string): Channel | undefined {
    if (!host.leases) return undefined;
    const found = this.#idle.findLast((idle) => idle.key === key);
    if (!found) return undefined;
    found.timer.cancel();
    this.#idle = this.#idle.filter((idle) => idle !== found);
    return found.channel;
  }

  #fresh(host: Requester): Channel | undefined {
    if (this.#taken.size + this.#idle.length < this.#most) return this.#make(host);
    const [oldest] = this.#idle;
    if (oldest) void this.#drop(oldest.channel, 'another host needs its place');
    else if (!this.#reclaim()) return undefined;
    return this.#make(host);
  }

  /** Ends the channel of the session that has not called for longest; it is opened again when that session calls. */
  #reclaim(): boolean {
    const before = this.#clock.monotonic() - RECLAIM_AFTER;
    const [longest] = [...this.#taken]
      .filter(([channel, host]) => !host.leases && channel.calls.size === 0 && channel.lastUsed < before)
      .sort(([a], [b]) => a.lastUsed - b.lastUsed);
    if (!longest) return false;
    const [channel, host] = longest;
    this.#taken.delete(channel);
    channel.hosts.delete(host);
    this.#onReclaim(channel, host);
    void channel.close('another host needs its place');
    return true;
  }

  async #drop(channel: Channel, reason: string): Promise<void> {
    for (const idle of this.#idle) if (idle.channel === channel) idle.timer.cancel();
    this.#idle = this.#idle.filter((idle) => idle.channel !== channel);
    await channel.close(reason);
  }

  #now(host: Requester, key: string): Channel | undefined {
    const channel = this.#leased(host, key) ?? this.#fresh(host);
    if (channel) this.#taken.set(channel, host);
    return channel;
  }

  /** Resolves when a channel may be free, or one that nobody calls on may have become free for the taking. */
  async #woken(waiter: Waiter, signal: AbortSignal): Promise<void> {
    let timer: Timer | undefined;
    const woken = new Promise<void>((resolve) => {
      waiter.wake = resolve;
      timer = this.#clock.after(RECLAIM_AFTER, resolve);
    });
    await orAborted(woken, signal).finally(() => timer?.cancel());
  }

  #allHeld(): McpxError {
    return new McpxError(
      'limit',
      `all ${this.#most} channels of ${this.#server} (limits.channels) are held by calls that wait for their hosts`,
      'answer or cancel some of them, or raise limits.channels in mcpx.json',
    );
  }
}
