// Who waits for a row to change: each is told once, whichever process changed it.
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from './store.ts';
import type { Row } from './types.ts';

interface Waiter {
  readonly done: (row: Row) => boolean;
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH = 500;
const RETRY = 500;

/** Follows the store's changes while somebody waits, and reads only rows that are waited for. */
export class Waiters {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #byRow = new Map<string, Set<Waiter>>();
  #stop: (() => void) | undefined;
  /** The newest change that was looked at; set before a waiter's first look at its row, so that none falls between. */
  #cursor: Promise<number> | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves with the row as soon as `done` holds for it; rejects when `signal` aborts, or with a store's failure. */
  async until(id: string, done: (row: Row) => boolean, signal?: AbortSignal): Promise<Row> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = withResolvers<Row>();
    const waiter: Waiter = { done, resolve, reject };
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#add(id, waiter);
    try {
      this.#firstLook(id, waiter).catch(reject);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#remove(id, waiter);
    }
  }

  /** Gives those who wait for what has just changed their rows, and fails the others. */
  async close(error: unknown): Promise<void> {
    if (this.#byRow.size > 0) await this.#wake();
    for (const waiters of this.#byRow.values()) {
      for (const waiter of waiters) waiter.reject(error);
    }
  }

  async #firstLook(id: string, waiter: Waiter): Promise<void> {
    await this.#cursor;
    const row = await this.#store.get(id);
    if (row !== undefined && waiter.done(row)) waiter.resolve(row);
  }

  #add(id: string, waiter: Waiter): void {
    const waiters = this.#byRow.get(id) ?? new Set();
    this.#byRow.set(id, waiters.add(waiter));
    if (this.#stop !== undefined) return;
    this.#cursor = this.#store.lastSeq();
    this.#cursor.catch(() => {});
    this.#stop = this.#store.onChange(() => void this.#wake());
  }

  #remove(id: string, waiter: Waiter): void {
    const waiters = this.#byRow.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#byRow.delete(id);
    if (this.#byRow.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #wake(): Promise<void> {
    this.#again = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
    });
    return this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#look();
      }
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'cannot follow the store, trying again');
      this.#clock.after(RETRY, () => {
        if (this.#byRow.size > 0) void this.#wake();
      });
    }
  }

  async #look(): Promise<void> {
    let cursor = (await this.#cursor) ?? 0;
    for (;;) {
      const marks = await this.#store.marks(cursor, BATCH);
      for (const id of new Set(marks.map((mark) => mark.id))) await this.#tell(id);
      cursor = marks.at(-1)?.seq ?? cursor;
      this.#cursor = Promise.resolve(cursor);
      if (marks.length < BATCH) return;
    }
  }

  async #tell(id: string): Promise<void> {
    if (!this.#byRow.has(id)) return;
    const row = await this.#store.get(id);
    if (row === undefined) return;
    for (const waiter of this.#byRow.get(id) ?? []) {
      if (waiter.done(row)) waiter.resolve(row);
    }
  }
}

function withResolvers<Value>(): {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Whether the server has the answer, or never will. */
export function isDelivered(row: Row): boolean {
  return (
    row.deliveredAt !== undefined ||
    row.undelivered === true ||
    row.state === 'withdrawn' ||
    row.state === 'lost'
  );
}
