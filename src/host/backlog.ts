// What a host has not read yet: notices are dropped early, upstreams are held back next, and then it is cut off (C51).
import type { Writable } from 'node:stream';
import type { Flow } from './types.ts';

/** What one chunk of small requests brings in answers before the host can be held back; bytes. */
const SLACK = 256 * 1024;

/** The outputs of one host, each a pipe or the response to a request. `capacity` is `limits.frameBytes`. */
export class Backlog implements Flow {
  readonly #capacity: number;
  /** Bytes, roughly, that wait in each output, and in all of them. */
  readonly #waiting = new Map<Writable, number>();
  readonly #listeners = new Set<() => void>();
  readonly #waiters = new Set<{ readonly output: Writable; readonly then: () => void }>();
  #total = 0;
  #full = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get full(): boolean {
    return this.#full;
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Whether a notification still goes out there: those alone never hold an upstream back. */
  hasRoom(output: Writable): boolean {
    return output.writableLength <= this.#capacity / 4 && this.#total <= this.#capacity / 2;
  }

  /** Whether one more message would be more than may be kept. */
  isOver(output: Writable): boolean {
    return Math.max(output.writableLength, this.#total) > 2 * this.#capacity + SLACK;
  }

  /** Calls `then` once a notification goes out there again; not by 'drain', which a short backlog never brings. */
  whenRoom(output: Writable, then: () => void): void {
    this.#waiters.add({ output, then });
  }

  write(output: Writable, text: string): void {
    this.#add(output, text.length);
    output.write(text, () => this.#take(output, text.length));
  }

  /** Counts what `end` was or is to be called with. */
  ends(output: Writable, length: number): void {
    this.#add(output, length);
    output.once('finish', () => this.#take(output, length));
  }

  #add(output: Writable, length: number): void {
    const before = this.#waiting.get(output);
    // What is destroyed need not call anybody back.
    if (before === undefined) output.once('close', () => this.#take(output, this.#waiting.get(output) ?? 0));
    this.#waiting.set(output, (before ?? 0) + length);
    this.#total += length;
    this.#judge();
  }

  #take(output: Writable, length: number): void {
    const before = this.#waiting.get(output) ?? 0;
    const taken = Math.min(before, length);
    this.#total -= taken;
    if (output.closed) this.#waiting.delete(output);
    else this.#waiting.set(output, before - taken);
    this.#judge();
    for (const waiter of [...this.#waiters]) {
      if (!waiter.output.closed && !this.hasRoom(waiter.output)) continue;
      this.#waiters.delete(waiter);
      if (!waiter.output.closed) waiter.then();
    }
  }

  #judge(): void {
    // Let go on well below where it is held back, so that it is not stopped and started with every message.
    const full = this.#total > this.#capacity / (this.#full ? 8 : 2);
    if (full === this.#full) return;
    this.#full = full;
    for (const listener of this.#listeners) listener();
  }
}
