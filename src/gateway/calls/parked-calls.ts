// All calls that go on without a request of their host: one limit, one table in which they are found again, one store of results.
import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Reply } from '../../protocol/types.ts';
import type { ParkableCall, Parking } from './parkable-call.ts';

/** Bytes of results kept for those who come back, in all; the oldest go first (docs/relay.md, "2026-07-28"). */
const MOST_BYTES = 64 * 1024 * 1024;
/** Bytes that a kept call costs besides its result, roughly: so that a great many small ones are bounded too. */
const OVERHEAD = 1_024;

/** A call of which only its own kind knows what its host has to do first. */
type AnyCall = ParkableCall<unknown>;

interface Entry {
  readonly call: AnyCall;
  expiry: Timer | undefined;
  expired: boolean;
  /** Under which the same request of the same host finds it. */
  key: string | undefined;
  /** Bytes of its result that count against `MOST_BYTES`. */
  bytes: number;
}

export class ParkedCalls implements Parking {
  readonly #most: number;
  readonly #clock: Clock;
  /** By id, in the order in which they were added. */
  readonly #entries = new Map<string, Entry>();
  /** Those that wait for their host now. */
  readonly #waiting = new Set<AnyCall>();
  #bytes = 0;
  #keys = 0;

  /** `most` is `limits.parkedCalls`: calls that wait for whoever made them, of whatever kind. */
  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Why no other call may be parked now: McpxError `limit`; undefined where one may. */
  whyFull(): McpxError | undefined {
    if (this.#waiting.size < this.#most) return undefined;
    return new McpxError(
      'limit',
      `too many calls wait for their hosts (limits.parkedCalls is ${this.#most})`,
      'answer or cancel some of them, or raise limits.parkedCalls in mcpx.json',
    );
  }

  /** The call can be found from now on; without `keep` it is forgotten at its end. */
  add(call: AnyCall): void {
    if (!this.#entries.has(call.id))
      this.#entries.set(call.id, { call, expiry: undefined, expired: true, key: undefined, bytes: 0 });
    this.changed(call);
  }

  get(id: string): AnyCall | undefined {
    return this.#entries.get(id)?.call;
  }

  /** Whether any call is kept under a key. */
  get hasKeys(): boolean {
    return this.#keys > 0;
  }

  /** The calls kept under a key, oldest first. */
  withKey(key: string): readonly AnyCall[] {
    return [...this.#entries.values()].filter((entry) => entry.key === key).map(({ call }) => call);
  }

  /**
   * Whoever made the call may come back for it within `ttl` milliseconds from now, by its id or under `key`; a later
   * `keep` takes the place of an earlier one. Then `onExpiry` is called, and an outcome is forgotten.
   */
  keep(
    call: AnyCall,
    ttl: number,
    { key, onExpiry }: { readonly key?: string; readonly onExpiry?: () => void } = {},
  ): void {
    // It may have ended, and been forgotten, in the moment in which its host was told to come back.
    this.add(call);
    const entry = this.#entries.get(call.id);
    if (entry === undefined) return;
    entry.expiry?.cancel();
    entry.expired = false;
    if (key !== undefined && entry.key === undefined) this.#keys += 1;
    entry.key = key ?? entry.key;
    entry.expiry = this.#clock.after(ttl, () => {
      entry.expired = true;
      onExpiry?.();
      // A call that still runs is forgotten when it ends.
      if (call.outcome !== undefined) this.forget(call);
    });
    if (call.outcome !== undefined) this.#count(entry);
  }

  /** Somebody has come back for the call: its time does not run while they wait. */
  stopExpiry(call: AnyCall): void {
    this.#entries.get(call.id)?.expiry?.cancel();
  }

  forget(call: AnyCall): void {
    const entry = this.#entries.get(call.id);
    if (entry === undefined) return;
    entry.expiry?.cancel();
    if (entry.key !== undefined) this.#keys -= 1;
    this.#bytes -= entry.bytes;
    this.#entries.delete(call.id);
    this.#waiting.delete(call);
  }

  /** Called by a call when a request of its host begins or stops waiting for it. */
  changed(call: AnyCall): void {
    if (call.parked && this.#entries.has(call.id)) this.#waiting.add(call);
    else this.#waiting.delete(call);
  }

  /** Called by a call that has its outcome: kept as long as somebody may come back for it, and within the bytes there are. */
  ended(call: AnyCall): void {
    this.#waiting.delete(call);
    const entry = this.#entries.get(call.id);
    if (entry === undefined) return;
    if (entry.expired) this.forget(call);
    else this.#count(entry);
  }

  /** Gives every call up. */
  cutAll(reason: unknown): void {
    for (const { call } of this.#entries.values()) call.cut(reason);
  }

  #count(entry: Entry): void {
    const bytes = bytesOf(entry.call.outcome);
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const oldest of [...this.#entries.values()]) {
      if (this.#bytes <= MOST_BYTES) break;
      if (oldest.call.outcome !== undefined) this.forget(oldest.call);
    }
  }
}

function bytesOf(reply: Reply | undefined): number {
  if (reply === undefined) return 0;
  return OVERHEAD + Buffer.byteLength('result' in reply ? reply.result : reply.error);
}
