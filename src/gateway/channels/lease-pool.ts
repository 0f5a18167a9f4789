// The channels of one server: at most `limits.channels`, leased again when idle, waited for in turn.

import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { orAborted } from '../../waiting.ts';
import type { Requester } from '../requesters.ts';
import type { Line } from './channel.ts';

/** Milliseconds an idle line is kept for the next stateless host before its process or session is ended. */
const KEEP_IDLE = 60_000;
/** Milliseconds without a call after which a session's line may be ended for another host that waits. */
const RECLAIM_AFTER = 60_000;

interface Idle {
  readonly key: string;
  readonly line: Line;
  readonly timer: Timer;
}

/** One in the queue, until it has its line. */
interface Waiter {
  wake: () => void;
}

/**
 * Gives hosts a line each. A session keeps its line until it ends; a stateless host leases one for the time of a call
 * (design/2-relay.md, "Calls, channels and attribution").
 */
export class Pool {
  readonly #server: string;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #make: (host: Requester) => Line;
  readonly #onReclaim: (line: Line, host: Requester) => void;
  readonly #taken = new Map<Line, Requester>();
  /** Most recently used last. */
  #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];

  constructor(options: {
    readonly server: string;
    readonly most: number;
    readonly clock: Clock;
    readonly make: (host: Requester) => Line;
    /** Called when a host loses the line that it has: it takes one anew when it calls again. */
    readonly onReclaim: (line: Line, host: Requester) => void;
  }) {
    this.#server = options.server;
    this.#most = options.most;
    this.#clock = options.clock;
    this.#make = options.make;
    this.#onReclaim = options.onReclaim;
  }

  /** Every line there is. */
  get lines(): readonly Line[] {
    return [...this.#taken.keys(), ...this.#idle.map(({ line }) => line)];
  }

  /**
   * A line for this host; `key` names the principal and capabilities among which idle lines may change hands. Waits in
   * turn when the limit is reached; McpxError `limit` when every line is held by a call that waits for its host.
   */
  async take(host: Requester, key: string, signal: AbortSignal): Promise<Line> {
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
        const line = this.#waiting[0] === waiter ? this.#now(host, key) : undefined;
        if (line) return line;
      }
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      // There may be a line for the next one too, or one that this one was woken for and did not take.
      this.#waiting[0]?.wake();
    }
  }

  /** Takes a line back: for the next host, or to its end. */
  async release(line: Line, key: string | undefined, reason: string): Promise<void> {
    this.#taken.delete(line);
    if (key === undefined) await line.close(reason);
    else {
      const timer = this.#clock.after(KEEP_IDLE, () => void this.#drop(line, 'it was idle'));
      this.#idle.push({ key, line, timer });
    }
    this.#waiting[0]?.wake();
  }

  #leased(host: Requester, key: string): Line | undefined {
    if (!host.leases) return undefined;
    const found = this.#idle.findLast((idle) => idle.key === key);
    if (!found) return undefined;
    found.timer.cancel();
    this.#idle = this.#idle.filter((idle) => idle !== found);
    return found.line;
  }

  #fresh(host: Requester): Line | undefined {
    if (this.#taken.size + this.#idle.length < this.#most) return this.#make(host);
    const [oldest] = this.#idle;
    if (oldest) void this.#drop(oldest.line, 'another host needs its place');
    else if (!this.#reclaim()) return undefined;
    return this.#make(host);
  }

  /** Ends the line of the session that has not called for longest; it is opened again when that session calls. */
  #reclaim(): boolean {
    const before = this.#clock.monotonic() - RECLAIM_AFTER;
    const [longest] = [...this.#taken]
      .filter(([line, host]) => !host.leases && line.calls.size === 0 && line.lastUsed < before)
      .sort(([a], [b]) => a.lastUsed - b.lastUsed);
    if (!longest) return false;
    const [line, host] = longest;
    this.#taken.delete(line);
    line.hosts.delete(host);
    this.#onReclaim(line, host);
    void line.close('another host needs its place');
    return true;
  }

  async #drop(line: Line, reason: string): Promise<void> {
    for (const idle of this.#idle) if (idle.line === line) idle.timer.cancel();
    this.#idle = this.#idle.filter((idle) => idle.line !== line);
    await line.close(reason);
  }

  #now(host: Requester, key: string): Line | undefined {
    const line = this.#leased(host, key) ?? this.#fresh(host);
    if (line) this.#taken.set(line, host);
    return line;
  }

  /** Resolves when a line may be free, or one that nobody calls on may have become free for the taking. */
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
