// How the store gets at its database: writes in order and patiently, reads at once, changes announced to who listens.
import type { Clock, Timer } from '../../clock.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Connection } from './connection.ts';
import { storeError } from './errors.ts';
import { follow } from './follow.ts';
import { type Patience, PatientQueue } from './patience.ts';

export interface AccessOptions {
  readonly dir: string;
  /** The database's name in `dir`. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly patience: Patience;
  /** Milliseconds between two looks for other processes' commits where file events fail. */
  readonly poll: number;
}

/** Milliseconds for which the files are still followed after the last listener has gone. */
const LINGER = 2_000;

export class Access {
  readonly #connection: Connection;
  readonly #options: AccessOptions;
  readonly #queue: PatientQueue;
  readonly #listeners = new Set<() => void>();
  #unfollow: (() => void) | undefined;
  #lingering: Timer | undefined;
  #version: number;
  #appended = false;
  #closed = false;

  constructor(connection: Connection, options: AccessOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#queue = new PatientQueue(options.clock, options.patience.total);
    this.#version = this.#dataVersion();
  }

  onChange(listener: () => void): () => void {
    if (this.#closed) return () => {};
    this.#listeners.add(listener);
    this.#unfollow ??= follow({
      dir: this.#options.dir,
      files: [this.#options.file, `${this.#options.file}-wal`],
      clock: this.#options.clock,
      poll: this.#options.poll,
      changed: () => this.#changedElsewhere(),
      onChange: () => this.#announce(),
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#linger();
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#lingering?.cancel();
    this.#stopFollowing();
    this.#listeners.clear();
    // Behind what still waits, which would otherwise find the connection closed.
    await this.#queue.run(() => this.#connection.close());
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
      return body(this.#connection);
    } catch (error) {
      const known = storeError(error, this.#options.dir);
      if (!isMcpxError(known) || known.code !== 'store_busy') throw known;
    }
    return this.#queue.run(() => this.#guarded(() => body(this.#connection)));
  }

  /** Runs `body` in a transaction of its own, behind those that wait for the lock. */
  write<Result>(body: (db: Connection) => Result): Promise<Result> {
    return this.#queue.run(() => {
      this.#appended = false;
      const result = this.#guarded(() => this.#connection.transaction(() => body(this.#connection)));
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
    try {
      return body();
    } catch (error) {
      throw storeError(error, this.#options.dir);
    }
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #changedElsewhere(): boolean {
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
