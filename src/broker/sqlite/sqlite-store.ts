// The store in SQLite, through libsql: `<state dir>/mcpx.db`, shared by any number of processes.
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { isMcpxError, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import { preparePrivateFile, prepareStateDir } from '../state-dir.ts';
import type { ChangeMark, Outcome, Presence, Store } from '../store.ts';
import type { Change, Row, RowFilter, RowState, Settled } from '../types.ts';
import { Connection, type Value } from './connection.ts';
import { storeError } from './errors.ts';
import { follow } from './follow.ts';
import { checkHeader, migrate } from './migrations.ts';
import { type Patience, PatientQueue } from './patience.ts';
import {
  type ChangeRecord,
  IsoTimes,
  NEW_COLUMNS,
  newValues,
  pack,
  RECORD,
  toChange,
  toRow,
} from './rows.ts';

export interface SqliteOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly patience: Patience;
  /** Milliseconds between two looks for other processes' commits where file events fail. */
  readonly poll: number;
}

const FILE = 'mcpx.db';

/**
 * Opens the store, making the directory and the database as needed and migrating an older one.
 * McpxError `config`, `store_readonly`, `store_full`, `store_busy`, `store_damaged` or `store_newer`.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { dir, clock, patience } = options;
  const path = join(dir, FILE);
  prepareStateDir(dir);
  preparePrivateFile(dir, path);
  checkHeader(path, dir);
  const opening = new PatientQueue(clock, patience.total);
  const connection = await opening.run(() => connect(path, dir, patience.call));
  return new SqliteStore(connection, options);
}

function connect(path: string, dir: string, waitMs: number): Connection {
  let connection: Connection | undefined;
  try {
    connection = new Connection(path, waitMs);
    connection.exec('PRAGMA journal_mode = WAL');
    // A power cut may take the newest commits with it, never the database. What it takes of answers had its call
    // in a gateway that lost power too, so nobody waits for them; and nothing is sent upstream from a row alone.
    connection.exec('PRAGMA synchronous = NORMAL');
    connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, dir);
    return connection;
  } catch (error) {
    connection?.close();
    throw storeError(error, dir);
  }
}

const SELECT = `SELECT ${RECORD} FROM rows`;
const INSERT = `INSERT INTO rows (${NEW_COLUMNS.join(', ')}) VALUES (${NEW_COLUMNS.map(() => '?').join(', ')})`;
const ORDER = 'ORDER BY expires_at, created_at, n';
const EVENT = `INSERT INTO events (row, event, at, state, delivered, completed, reason)
  SELECT id, ?, ?, state, delivered_at IS NOT NULL, completed_at IS NOT NULL, reason FROM rows WHERE id = ?`;
const SETTLE = `UPDATE rows SET state = ?, action = ?, content = ?, answered_by = ?, settled_at = ?, reason = coalesce(?, reason)
  WHERE id = ? AND state = 'pending'`;
const CHANGES = `SELECT e.seq, e.event, e.state, e.delivered, e.completed, e.reason, ${RECORD}
  FROM events e JOIN rows ON rows.id = e.row WHERE e.seq > ? ORDER BY e.seq LIMIT ?`;
const SAVE_OWNER = `INSERT INTO owners (id, process, seen) VALUES (?, ?, ?)`;
const SAVE_WATCHER = `INSERT INTO watchers (id, kind, process, seen) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`;

/** Nobody there means cancel, never anything else (ELI-03, C34). */
const EXPIRED: Outcome = {
  state: 'expired',
  answer: { action: 'cancel', by: 'mcpx' },
  reason: 'nobody answered in time',
};
/** Rows deleted or expired in one transaction, so that none is long. */
const BATCH = 500;

interface Recorded {
  readonly record: string;
}

interface PresenceRecord {
  readonly id: string;
  readonly process: string;
  readonly seen: number;
}

class SqliteStore implements Store {
  readonly #connection: Connection;
  readonly #options: SqliteOptions;
  readonly #queue: PatientQueue;
  readonly #listeners = new Set<() => void>();
  #unfollow: (() => void) | undefined;
  #version: number;
  #appended = false;
  #closed = false;

  constructor(connection: Connection, options: SqliteOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#queue = new PatientQueue(options.clock, options.patience.total);
    this.#version = this.#dataVersion();
  }

  insert(row: Row, owner: Presence | undefined): Promise<void> {
    return this.#write((db) => {
      if (owner !== undefined) {
        db.run(
          `${SAVE_OWNER} ON CONFLICT (id) DO NOTHING`,
          owner.id,
          JSON.stringify(owner.process),
          owner.seen,
        );
      }
      db.run(INSERT, ...newValues(row, owner?.id));
      this.#event(row.id, 'opened', Date.parse(row.createdAt));
    });
  }

  get(id: string): Promise<Row | undefined> {
    return this.#read(() => this.#row(id));
  }

  find(prefix: string, limit: number): Promise<string[]> {
    return this.#read((db) => {
      // Ids are ASCII, so U+FFFF is past every one that begins with the prefix.
      const sql = 'SELECT id FROM rows WHERE id >= ? AND id < ? ORDER BY id LIMIT ?';
      return db.all<{ id: string }>(sql, prefix, `${prefix}\uffff`, limit).map(({ id }) => id);
    });
  }

  list(filter: RowFilter): Promise<Row[]> {
    return this.#read((db) => {
      const state = filter.state ?? 'pending';
      const wanted: readonly (readonly [string, string | undefined])[] = [
        ['state', state === 'all' ? undefined : state],
        ['server', filter.server],
        ['audience', filter.audience],
        ['principal', filter.principal],
      ];
      const tests: string[] = [];
      const values: Value[] = [];
      for (const [column, value] of wanted) {
        if (value === undefined) continue;
        tests.push(`${column} = ?`);
        values.push(pack(value));
      }
      const where = tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;
      const sql = `${SELECT} ${where} ${ORDER} LIMIT ?`;
      const times = new IsoTimes();
      const found = db.all<Recorded>(sql, ...values, filter.limit ?? -1);
      return found.map(({ record }) => toRow(record, times));
    });
  }

  settle(id: string, outcome: Outcome): Promise<Settled | undefined> {
    return this.#write((db) => {
      // Read under the lock: the wait for it may have been long enough for the row to fall due.
      const now = this.#options.clock.now();
      if (isAnswer(outcome.state)) this.#expireRow(db, id, now);
      const won = this.#settle(db, id, outcome, now);
      const row = this.#row(id);
      return row === undefined ? undefined : { won, row };
    });
  }

  note(id: string, note: { reason?: string; inline?: boolean }): Promise<void> {
    return this.#write((db) => {
      const reason = note.reason === undefined ? null : pack(note.reason);
      const inline = note.inline === undefined ? null : Number(note.inline);
      db.run(
        `UPDATE rows SET reason = coalesce(?, reason), host_inline = coalesce(?, host_inline)
         WHERE id = ? AND state = 'pending'`,
        reason,
        inline,
        id,
      );
    });
  }

  mark(id: string, what: 'delivered' | 'completed'): Promise<Row | undefined> {
    return this.#write((db) => {
      const now = this.#options.clock.now();
      const open = what === 'delivered' ? "AND state <> 'pending'" : '';
      const sql = `UPDATE rows SET ${what}_at = ? WHERE id = ? AND ${what}_at IS NULL ${open}`;
      if (db.run(sql, now, id) === 1) this.#event(id, what, now);
      return this.#row(id);
    });
  }

  lastSeq(): Promise<number> {
    return this.#read((db) => {
      // Not max(seq): events are pruned, and a number is never given twice.
      const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";
      return db.all<{ seq: number }>(sql)[0]?.seq ?? 0;
    });
  }

  changes(seq: number, limit: number): Promise<Change[]> {
    return this.#read((db) => db.all<ChangeRecord>(CHANGES, seq, limit).map(toChange));
  }

  marks(seq: number, limit: number): Promise<ChangeMark[]> {
    return this.#read((db) =>
      db.all<ChangeMark>('SELECT seq, row AS id FROM events WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit),
    );
  }

  onChange(listener: () => void): () => void {
    if (this.#closed) return () => {};
    this.#listeners.add(listener);
    this.#unfollow ??= follow({
      dir: this.#options.dir,
      files: [FILE, `${FILE}-wal`],
      clock: this.#options.clock,
      poll: this.#options.poll,
      changed: () => this.#changedElsewhere(),
      onChange: () => this.#announce(),
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    };
  }

  expire(): Promise<number> {
    return this.#each("state = 'pending' AND expires_at <= ?", [this.#options.clock.now()], EXPIRED);
  }

  nextExpiry(): Promise<number | undefined> {
    return this.#read((db) => {
      const sql = "SELECT expires_at AS at FROM rows WHERE state = 'pending' ORDER BY expires_at LIMIT 1";
      return db.all<{ at: number }>(sql)[0]?.at;
    });
  }

  ownerOf(id: string): Promise<Presence | 'unrecorded' | undefined> {
    return this.#read((db) => {
      const owned = db.all<{ owner: string | null }>('SELECT owner FROM rows WHERE id = ?', id)[0];
      if (!owned || owned.owner === null) return undefined;
      const sql = 'SELECT id, process, seen FROM owners WHERE id = ?';
      return db.all<PresenceRecord>(sql, owned.owner).map(toPresence)[0] ?? 'unrecorded';
    });
  }

  owners(): Promise<Presence[]> {
    return this.#read((db) => db.all<PresenceRecord>('SELECT id, process, seen FROM owners').map(toPresence));
  }

  beat(owner: Presence): Promise<void> {
    return this.#write((db) => {
      const sql = `${SAVE_OWNER} ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`;
      db.run(sql, owner.id, JSON.stringify(owner.process), owner.seen);
    });
  }

  async lose(ownerId: string, reason: string): Promise<number> {
    const count = await this.#each("state = 'pending' AND owner = ?", [ownerId], { state: 'lost', reason });
    await this.forgetOwner(ownerId);
    return count;
  }

  loseOrphans(reason: string): Promise<number> {
    const orphan = "state = 'pending' AND owner IS NOT NULL AND owner NOT IN (SELECT id FROM owners)";
    return this.#each(orphan, [], { state: 'lost', reason });
  }

  forgetOwner(ownerId: string): Promise<void> {
    return this.#write((db) => {
      db.run('DELETE FROM owners WHERE id = ?', ownerId);
    });
  }

  watchers(): Promise<Presence[]> {
    return this.#read((db) =>
      db.all<PresenceRecord>('SELECT id, process, seen FROM watchers').map(toPresence),
    );
  }

  beatWatcher(watcher: Presence, kind: string): Promise<void> {
    return this.#write((db) => {
      db.run(SAVE_WATCHER, watcher.id, kind, JSON.stringify(watcher.process), watcher.seen);
    });
  }

  forgetWatcher(id: string): Promise<void> {
    return this.#write((db) => {
      db.run('DELETE FROM watchers WHERE id = ?', id);
    });
  }

  async prune(before: number): Promise<number> {
    let total = 0;
    for (;;) {
      const gone = await this.#write((db) => {
        const old = `SELECT n FROM rows WHERE state <> 'pending' AND settled_at < ? LIMIT ${BATCH}`;
        const rows = db.run(`DELETE FROM rows WHERE n IN (${old})`, before);
        const events = `SELECT seq FROM events WHERE at < ? ORDER BY seq LIMIT ${BATCH * 4}`;
        return { rows, events: db.run(`DELETE FROM events WHERE seq IN (${events})`, before) };
      });
      total += gone.rows;
      if (gone.rows < BATCH && gone.events < BATCH * 4) return total;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#listeners.clear();
    // Behind what still waits, which would otherwise find the connection closed.
    await this.#queue.run(() => this.#connection.close());
  }

  /** Settles every pending row that `where` finds, in bounded transactions, by the same conditional update. */
  async #each(where: string, values: Value[], outcome: Outcome): Promise<number> {
    const find = `SELECT id FROM rows WHERE ${where} ORDER BY expires_at LIMIT ${BATCH}`;
    let total = 0;
    for (;;) {
      // Looked for without the write lock first: most sweeps find nothing.
      const some = await this.#read((db) => db.all<{ id: string }>(find, ...values).length > 0);
      if (!some) return total;
      total += await this.#write((db) => {
        const now = this.#options.clock.now();
        let count = 0;
        for (const { id } of db.all<{ id: string }>(find, ...values)) {
          if (this.#settle(db, id, outcome, now)) count += 1;
        }
        return count;
      });
    }
  }

  #settle(db: Connection, id: string, outcome: Outcome, now: number): boolean {
    const { state, answer, reason } = outcome;
    const changed = db.run(
      SETTLE,
      state,
      answer?.action ?? null,
      answer?.content === undefined ? null : pack(answer.content),
      answer?.by ?? null,
      now,
      reason === undefined ? null : pack(reason),
      id,
    );
    if (changed !== 1) return false;
    this.#event(id, EVENT_OF[state], now);
    return true;
  }

  #expireRow(db: Connection, id: string, now: number): void {
    const sql = "SELECT id FROM rows WHERE id = ? AND state = 'pending' AND expires_at <= ?";
    if (db.all(sql, id, now).length > 0) this.#settle(db, id, EXPIRED, now);
  }

  #row(id: string): Row | undefined {
    const found = this.#connection.all<Recorded>(`${SELECT} WHERE id = ?`, id)[0];
    return found === undefined ? undefined : toRow(found.record);
  }

  #event(id: string, event: Change['event'], at: number): void {
    this.#connection.run(EVENT, event, at, id);
    this.#appended = true;
  }

  async #read<Result>(body: (db: Connection) => Result): Promise<Result> {
    // A reader does not wait for writers in WAL; it goes to the queue only in the rare moments when it must.
    try {
      return body(this.#connection);
    } catch (error) {
      const known = storeError(error, this.#options.dir);
      if (!isMcpxError(known) || known.code !== 'store_busy') throw known;
    }
    return this.#queue.run(() => this.#guarded(() => body(this.#connection)));
  }

  #write<Result>(body: (db: Connection) => Result): Promise<Result> {
    return this.#queue.run(() => {
      this.#appended = false;
      const result = this.#guarded(() => this.#connection.transaction(() => body(this.#connection)));
      if (this.#appended) this.#announce();
      return result;
    });
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

const EVENT_OF: Readonly<Record<Exclude<RowState, 'pending'>, Change['event']>> = {
  accepted: 'answered',
  declined: 'answered',
  cancelled: 'answered',
  expired: 'expired',
  withdrawn: 'withdrawn',
  lost: 'lost',
};

function isAnswer(state: RowState): boolean {
  return state === 'accepted' || state === 'declined' || state === 'cancelled';
}

function toPresence(record: PresenceRecord): Presence {
  return { id: record.id, process: JSON.parse(record.process) as ProcessIdentity, seen: record.seen };
}
