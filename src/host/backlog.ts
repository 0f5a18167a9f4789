// What a host has not read yet: notices are dropped early, upstreams are held back next, and then it is cut off (C51).
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { Clock, Timer } from '../clock.ts';
import { pieceEnd } from '../protocol/pieces.ts';
import type { JsonText } from '../protocol/types.ts';
import { chunkOf } from './http-answers.ts';
import type { Flow } from './types.ts';

/** What one chunk of small requests brings in answers before the host can be held back; bytes. */
const SLACK = 256 * 1024;
/** Characters that are handed to a connection at once, so that a host that reads slowly is seen to read. */
const PIECE = 256 * 1024;
/** Bytes of a response that no host is refused. */
const SHORT = 16 * 1024;
/** Timers may fire a little early. */
const SPARE = 100;

/** How long an output may stand still while upstreams are held back for it, where others may be held back with it. */
export interface Patience {
  readonly clock: Clock;
  /** Milliseconds in which even a slow reader takes something. */
  readonly ms: number;
  /** The same for a host that has been cut off already and has not caught up since. */
  readonly againMs: number;
  /** Told of every output that is cut. */
  readonly onCut: () => void;
}

export interface BacklogOptions {
  /** What is part of this is part of that, too. */
  readonly within?: Backlog;
  /** Without it an output that stands still is left alone: it holds up nobody but its own host. */
  readonly patience?: Patience;
}

interface Waiting {
  /** Roughly. */
  bytes: number;
  /** When the host last took something. */
  since: number;
}

/** The outputs of one host, each a pipe or the response to a request. `capacity` is `limits.frameBytes`. */
export class Backlog implements Flow {
  readonly #capacity: number;
  readonly #within: Backlog | undefined;
  readonly #patience: Patience | undefined;
  readonly #waiting = new Map<Writable, Waiting>();
  readonly #listeners = new Set<() => void>();
  readonly #waiters = new Set<{ readonly output: Writable; readonly then: () => void }>();
  #total = 0;
  #full = false;
  #timer: Timer | undefined;
  #isCutting = false;
  #hasCut = false;
  readonly #leave: (() => void) | undefined;

  constructor(capacity: number, { within, patience }: BacklogOptions = {}) {
    this.#capacity = capacity;
    this.#within = within;
    this.#patience = patience;
    this.#leave = within?.onChange(() => this.#tell());
  }

  /** Itself: whatever goes out by it is for one host. */
  get reader(): this {
    return this;
  }

  get full(): boolean {
    return this.#full || this.#within?.full === true;
  }

  /** Returns what takes the listener away again. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether a notification still goes out there: those alone never hold an upstream back. */
  hasRoom(output: Writable): boolean {
    return output.writableLength <= this.#capacity / 4 && this.#total <= this.#capacity / 2;
  }

  /** Whether one more message would be more than may be kept. */
  isOver(output: Writable): boolean {
    const isOver = Math.max(output.writableLength, this.#total) > 2 * this.#capacity + SLACK;
    return isOver || this.#within?.isOver(output) === true;
  }

  /** Whether a response is more than may be kept; what is short always may, so that there is room to say so. */
  refuses(output: Writable, text: JsonText): boolean {
    return text.length > SHORT && this.isOver(output);
  }

  /** Calls `then` once a notification goes out there again; not by 'drain', which a short backlog never brings. */
  whenRoom(output: Writable, then: () => void): void {
    this.#waiters.add({ output, then });
  }

  write(output: Writable, text: string): void {
    this.#add(output, text.length);
    output.write(text, () => this.#take(output, text.length));
  }

  /** Sends the last text of a response, and ends it: in pieces, each once the one before has gone out. */
  end(response: ServerResponse, text: string): void {
    this.#add(response, text.length);
    const next = (from: number): void => {
      if (response.destroyed) return;
      const to = pieceEnd(text, from, PIECE);
      const taken = (): void => this.#take(response, to - from);
      const piece = chunkOf(text.slice(from, to));
      if (to === text.length) {
        response.once('finish', taken);
        response.end(piece);
      } else {
        response.write(piece, (error) => {
          taken();
          if (!error) next(to);
        });
      }
    };
    next(0);
  }

  /** Nothing goes out by it any more. */
  close(): void {
    this.#timer?.cancel();
    this.#leave?.();
  }

  #add(output: Writable, length: number): void {
    // What is destroyed need not call anybody back.
    if (!this.#waiting.has(output))
      output.once('close', () => this.#take(output, this.#waiting.get(output)?.bytes ?? 0));
    this.#count(output, length);
  }

  #count(output: Writable, length: number): void {
    const before = this.#waiting.get(output);
    const since = this.#patience?.clock.monotonic() ?? 0;
    if (before === undefined) this.#waiting.set(output, { bytes: length, since });
    else {
      if (before.bytes === 0) before.since = since;
      before.bytes += length;
    }
    this.#total += length;
    if (this.#within !== undefined) this.#within.#count(output, length);
    this.#judge();
  }

  #take(output: Writable, length: number): void {
    const waiting = this.#waiting.get(output);
    const taken = Math.min(waiting?.bytes ?? 0, length);
    this.#total -= taken;
    if (output.closed) this.#waiting.delete(output);
    else if (waiting !== undefined) {
      waiting.bytes -= taken;
      waiting.since = this.#patience?.clock.monotonic() ?? 0;
    }
    if (this.#within !== undefined) this.#within.#take(output, length);
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
    this.#hasCut = this.#hasCut && (full || this.#isCutting);
    this.#timer?.cancel();
    if (full) this.#watch();
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Cuts what stands still for too long, and looks again for as long as upstreams are held back. */
  #watch(): void {
    const patience = this.#patience;
    if (patience === undefined) return;
    const { clock, onCut } = patience;
    const ms = this.#hasCut ? patience.againMs : patience.ms;
    const now = clock.monotonic();
    let first = now;
    this.#isCutting = true;
    for (const [output, waiting] of [...this.#waiting]) {
      if (!this.#full) break;
      if (waiting.bytes === 0) continue;
      if (waiting.since > now - ms) first = Math.min(first, waiting.since);
      else {
        this.#hasCut = true;
        onCut();
        output.destroy();
        // Its 'close' comes later, and what is cut does not wait any more.
        this.#take(output, waiting.bytes);
      }
    }
    this.#isCutting = false;
    this.#timer?.cancel();
    if (this.#full) this.#timer = clock.after(first + ms - now + SPARE, () => this.#watch());
  }
}
