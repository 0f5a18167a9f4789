// All live calls of stateless hosts: found again by a retry, and kept a while after their end for a repeated one.
import type { Clock } from '../../clock.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { ParkedCall } from './parked-call.ts';

/** Bytes of results kept for repeated retries, in all; the oldest go first (design/2-relay.md, "2026-07-28"). */
const MOST_BYTES = 64 * 1024 * 1024;

export class ParkedCalls {
  readonly #most: number;
  readonly #clock: Clock;
  /** In the order of their beginning. */
  readonly #calls = new Map<string, ParkedCall>();
  /** When the newest state that names a call expires; milliseconds, by the monotonic clock. */
  readonly #expiries = new Map<string, number>();
  #bytes = 0;

  /** `most` is `limits.parkedCalls`. */
  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  add(call: ParkedCall): void {
    this.#calls.set(call.id, call);
  }

  get(id: string): ParkedCall | undefined {
    return this.#calls.get(id);
  }

  /** Whether one more call may wait for its host. */
  mayPark(): boolean {
    let waiting = 0;
    for (const call of this.#calls.values()) if (call.waits) waiting += 1;
    return waiting < this.#most;
  }

  /** The call is named by a state that is good for `ttl` milliseconds from now. */
  keep(call: ParkedCall, ttl: number): void {
    const expiry = this.#clock.monotonic() + ttl;
    this.#expiries.set(call.id, expiry);
    // It may have ended in the moment in which its questions went out.
    if (call.outcome && !this.#calls.has(call.id)) {
      this.#calls.set(call.id, call);
      this.#bytes += bytesOf(call.outcome);
    }
    this.#clock.after(ttl, () => {
      // A later state may have taken its place; a call that still runs is forgotten when it ends.
      if (this.#expiries.get(call.id) === expiry && call.outcome) this.#forget(call);
    });
  }

  /** The call has its outcome: kept as long as a state names it, and within the bytes there are. */
  finished(call: ParkedCall): void {
    const expiry = this.#expiries.get(call.id);
    if (expiry === undefined || expiry <= this.#clock.monotonic()) {
      this.#calls.delete(call.id);
      this.#expiries.delete(call.id);
      return;
    }
    this.#bytes += bytesOf(call.outcome);
    for (const oldest of this.#calls.values()) {
      if (this.#bytes <= MOST_BYTES) break;
      if (oldest.outcome) this.#forget(oldest);
    }
  }

  cutAll(reason: unknown): void {
    for (const call of this.#calls.values()) call.cut(reason);
  }

  #forget(call: ParkedCall): void {
    if (!this.#calls.delete(call.id)) return;
    this.#expiries.delete(call.id);
    this.#bytes -= bytesOf(call.outcome);
  }
}

function bytesOf(reply: Reply | undefined): number {
  const text: JsonText = reply === undefined ? '' : 'result' in reply ? reply.result : reply.error;
  return Buffer.byteLength(text);
}
