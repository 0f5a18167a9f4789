// How the store gets at its database: writes in order and patiently, reads at once, changes announced to who listens.

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { Clock, Timer } from '../../clock.ts';
import { isMcpxError, McpxError, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { Backoff } from '../../waiting.ts';
import type { StoreTrouble } from '../types.ts';
import { type CarriedOver, type Held, putBack, takeAlong, takeHeld } from './carry-over.ts';
import type { Connection } from './connection.ts';
import { storeError } from './errors.ts';
import { follow } from './follow.ts';
import { type Patience, PatientQueue } from './patience.ts';
import { StoreFiles } from './store-files.ts';

export interface AccessOptions {
  readonly dir: string;
  /** The database's name in `dir`. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly patience: Patience;
  /** Milliseconds between two looks for other processes' commits where file events fail. */
  readonly poll: number;
  /** Opens the database again, made anew where it is missing. Throws as `openSqliteStore` rejects. */
  readonly connect: () => Connection;
}

/** Milliseconds for which the files are still followed after the last listener has gone. */
const LINGER = 2_000;
/** Milliseconds between two looks whether the files are still those that were opened (C50: noticed within 5 s). */
const LOOK = 2_000;
/** Milliseconds until it is opened anew: files that are taken away or put back go one after the other. */
const SETTLE = 500;
/** Milliseconds for which a gateway may be opening the store anew that a command finds damaged. */
const PASSING = 5_000;
/** Milliseconds before a store that could not be opened anew is tried again; doubles. */
const FIRST_RETRY = 500;
const LONGEST_RETRY = 15_000;

export class Access {
  #connection: Connection;
  readonly #options: AccessOptions;
  readonly #queue: PatientQueue;
  readonly #listeners = new Set<() => void>();
  #unfollow: (() => void) | undefined;
  #lingering: Timer | undefined;
  #version: number;
  #appended = false;
  #closed = false;
  readonly #files: StoreFiles;
  readonly #backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  #looking: Timer | undefined;
  /** Files that were taken away are about to be opened anew. */
  #settling = false;
  /** When the old files were closed, by the monotonic clock. */
  #leftAt = 0;
  #held: Held | undefined;
  #carried: CarriedOver | undefined;
  /** Why nothing can be read or written now. */
  #broken: unknown;
  #trouble: StoreTrouble | undefined;
  #damage: string | undefined;
  readonly #onReopened = new Set<() => void>();

  constructor(connection: Connection, options: AccessOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#queue = new PatientQueue(options.clock, options.patience.total);
    this.#version = this.#dataVersion();
    this.#files = new StoreFiles(join(options.dir, options.file));
    this.#files.reset();
    this.#lookAfter(LOOK);
  }

  /** What is written again into a store that had to be opened anew. */
  carryFor(held: Held): void {
    this.#held = held;
  }

  /** What has happened to the files of the store since it was opened; undefined where nothing has. */
  get trouble(): StoreTrouble | undefined {
    return this.#trouble;
  }

  /** Calls `listener` each time the store has been opened anew. */
  onReopened(listener: () => void): void {
    this.#onReopened.add(listener);
  }

  onChange(listener: () => void): () => void {
    if (this.#closed) return () => {};
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#linger();
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#looking?.cancel();
    this.#lingering?.cancel();
    this.#stopFollowing();
    this.#listeners.clear();
    // Behind what still waits, which would otherwise find the connection closed.
    await this.#queue.run(() => this.#connection.close());
  }

  #follow(): void {
    const { dir, file, clock, poll } = this.#options;
    this.#unfollow ??= follow({
      dir,
      files: [file, `${file}-wal`],
      clock,
      poll,
      changed: () => this.#changedElsewhere(),
      onChange: () => this.#announce(),
    });
  }

  /** Where question follows question, setting the file watch up anew for each would cost more than all the rest. */
  #linger(): void {
    this.#lingering?.cancel();
    this.#lingering = this.#options.clock.after(LINGER, () => {
      if (this.#listeners.size === 0) this.#stopFollowing();
    });
  }

  #stopFollowing(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  /** Runs `body` now. */
  async read<Result>(body: (db: Connection) => Result): Promise<Result> {
    // A reader does not wait for writers in WAL; it goes to the queue only in the rare moments when it must.
    try {
      if (this.#broken !== undefined) throw this.#broken;
      return body(this.#connection);
    } catch (error) {
      const known = this.#failure(error);
      if (!isMcpxError(known) || known.code !== 'store_busy') throw known;
    }
    return this.#queue.run(() => this.#guarded(() => body(this.#connection)));
  }

  /** Runs `body` in a transaction of its own, behind those that wait for the lock. */
  write<Result>(body: (db: Connection) => Result): Promise<Result> {
    return this.#queue.run(() => {
      this.#appended = false;
      const result = this.#guarded(() => this.#connection.transaction(() => body(this.#connection)));
      this.#files.logGrew();
      if (this.#appended) this.#announce();
      return result;
    });
  }

  /** Moves the log into the database and empties it, outside any transaction; false where somebody is in the way. */
  scrub(): Promise<boolean> {
    return this.#queue.run(() =>
      this.#guarded(() => {
        const sql = 'PRAGMA wal_checkpoint(TRUNCATE)';
        return this.#connection.all<{ busy: number }>(sql)[0]?.busy === 0;
      }),
    );
  }

  /** Says, within a write, that listeners are to be told once it is committed. */
  appended(): void {
    this.#appended = true;
  }

  #guarded<Result>(body: () => Result): Result {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return body();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** What the caller is told. While files that do not belong together wait to be opened anew, it waits as for a lock. */
  #failure(error: unknown): unknown {
    const known = storeError(error, this.#options.dir);
    if (!isMcpxError(known) || known.code !== 'store_damaged' || this.#broken !== undefined) return known;
    if (this.#files.taken() !== undefined) {
      this.#look();
      return this.#openingAnew();
    }
    // A file that was cut off keeps its name and its number: it shows when it is read.
    this.#damage = 'mcpx.db is damaged';
    return known;
  }

  #openingAnew(): McpxError {
    return new McpxError('store_busy', `The store in ${this.#options.dir} is being opened anew.`);
  }

  #lookAfter(ms: number): void {
    if (!this.#closed) this.#looking = this.#options.clock.after(ms, () => this.#look());
  }

  #look(): void {
    if (this.#settling || this.#closed) return;
    this.#looking?.cancel();
    const taken = this.#files.taken() ?? this.#damage ?? this.#cutLog();
    const reason = this.#broken === undefined ? taken : this.#trouble?.reason;
    if (reason === undefined) {
      this.#lookAfter(LOOK);
      return;
    }
    this.#settling = true;
    this.#looking = this.#options.clock.after(this.#broken === undefined ? SETTLE : 0, () => {
      void this.#openAnew(reason).then((ms) => {
        this.#settling = false;
        this.#lookAfter(ms);
      });
    });
  }

  /**
   * Whether somebody has cut the log off. What is read may come from memory, so that it shows only where the log is moved
   * into the database. (Its index says it too, but a process that opens and closes that file loses its locks on it.)
   */
  #cutLog(): string | undefined {
    if (this.#broken !== undefined || !this.#files.logIsShorter()) return undefined;
    try {
      this.#connection.all('PRAGMA wal_checkpoint(PASSIVE)');
      return undefined;
    } catch {
      return 'mcpx.db-wal was cut off';
    }
  }

  /** Milliseconds until the next look. Behind what still waits for the lock of the files that were taken away. */
  async #openAnew(reason: string): Promise<number> {
    const { dir, log, clock } = this.#options;
    const since =
      this.#trouble?.state === 'unavailable' ? this.#trouble.since : new Date(clock.now()).toISOString();
    if (this.#broken === undefined)
      log.error({ dir, reason }, 'the store was taken away under mcpx; it is opened anew');
    try {
      await this.#queue.run(() => this.#leaveOld());
      releaseStatements();
      await new Promise((resolve) => setImmediate(resolve));
      const rows = await this.#queue.run(() => this.#reopen());
      this.#trouble = { state: 'reopened', reason, since };
      this.#backoff.reset();
      log.warn({ dir, reason, rows }, 'the store is open again, with the questions that are open');
      if (this.#unfollow !== undefined) this.#stopFollowing();
      if (this.#listeners.size > 0) this.#follow();
      this.#announce();
      for (const listener of this.#onReopened) listener();
      return LOOK;
    } catch (error) {
      if (this.#closed) return LOOK;
      this.#trouble = { state: 'unavailable', reason, since, error: messageOf(error) };
      log.error({ dir, reason, error: messageOf(error) }, 'the store cannot be opened; mcpx goes on trying');
      return this.#backoff.next();
    }
  }

  #leaveOld(): void {
    if (this.#broken !== undefined) return;
    // The old files have no names any more, but can be read as long as they are open.
    this.#carried = this.#readOld();
    // Whoever reads or writes meanwhile waits as for a lock.
    this.#broken = this.#openingAnew();
    this.#leftAt = this.#options.clock.monotonic();
    this.#connection.close();
  }

  /** How many rows were written again. */
  #reopen(): number {
    try {
      this.#connection = this.#connectSound();
      const connection = this.#connection;
      const { clock } = this.#options;
      const carried = this.#carried;
      const rows =
        carried === undefined ? 0 : connection.transaction(() => putBack(connection, carried, clock.now()));
      this.#broken = undefined;
      this.#carried = undefined;
      this.#damage = undefined;
      this.#files.reset();
      this.#version = this.#dataVersion();
      return rows;
    } catch (error) {
      this.#connection.close();
      const known = storeError(error, this.#options.dir);
      // What is in the way for a moment only is waited for; anything else is what callers are told meanwhile.
      this.#broken = this.#isPassing(known) ? this.#openingAnew() : known;
      throw known;
    }
  }

  /** A lock; and what a command finds while a gateway opens the store anew. */
  #isPassing(error: unknown): boolean {
    if (!isMcpxError(error)) return false;
    if (error.code !== 'store_damaged' || this.#held !== undefined) return error.code === 'store_busy';
    return this.#options.clock.monotonic() - this.#leftAt < PASSING;
  }

  /**
   * A gateway puts a damaged database aside and makes a new one, since calls wait for it: whose log was taken away may
   * hold half of what was written. A command leaves it as it is.
   */
  #connectSound(): Connection {
    const { connect } = this.#options;
    let damaged: unknown;
    try {
      const connection = connect();
      const sound = connection.all<{ quick_check: string }>('PRAGMA quick_check(1)')[0]?.quick_check === 'ok';
      if (sound || this.#held === undefined) return connection;
      connection.close();
    } catch (error) {
      damaged = storeError(error, this.#options.dir);
      const isDamaged = isMcpxError(damaged) && damaged.code === 'store_damaged';
      if (!isDamaged || this.#held === undefined) throw damaged;
    }
    this.#putAside();
    return connect();
  }

  #putAside(): void {
    const { dir, file, clock, log } = this.#options;
    const aside = `${file}.damaged-${clock.now()}`;
    for (const part of ['', '-wal', '-shm']) {
      const path = join(dir, `${file}${part}`);
      if (existsSync(path)) renameSync(path, join(dir, `${aside}${part}`));
    }
    log.error({ dir, aside }, 'the store was damaged and is put aside; a new one is made');
  }

  #readOld(): CarriedOver | undefined {
    if (this.#held === undefined) return undefined;
    try {
      return takeAlong(this.#connection, this.#held);
    } catch (error) {
      const { dir, log } = this.#options;
      log.error({ dir, error: messageOf(storeError(error, dir)) }, 'the old store cannot be read');
      return takeHeld(this.#held);
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #changedElsewhere(): boolean {
    if (this.#broken !== undefined) return false;
    try {
      const version = this.#dataVersion();
      const changed = version !== this.#version;
      this.#version = version;
      return changed;
    } catch (error) {
      this.#options.log.debug(
        { error: messageOf(storeError(error, this.#options.dir)) },
        'store not readable',
      );
      return false;
    }
  }

  #dataVersion(): number {
    return this.#connection.all<{ data_version: number }>('PRAGMA data_version')[0]?.data_version ?? 0;
  }
}

/**
 * The driver closes a database only when its statements have been collected; until then a new connection of this process
 * to the same file is given the old index, which has no name any more.
 */
function releaseStatements(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
