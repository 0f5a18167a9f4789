// The store's questions to SQLite: rows, their one way out of `pending`, and the list of their changes.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import {
  type AnswerTerms,
  type AskedRow,
  type Bereft,
  type ChangeMark,
  type Doubts,
  type Judge,
  type Outcome,
  OWNER_GONE,
  type Presence,
  type Presences,
  type Store,
} from '../store.ts';
import type { Change, EraVerdicts, Row, RowFilter, RowState, Settled, StoreTrouble } from '../types.ts';
import type { Access } from './access.ts';
import type { Columns } from './carry-over.ts';
import type { Connection, Value } from './connection.ts';
import { type ChangeRecord, IsoTimes, NEW_COLUMNS, newValues, pack, toChange, toRow } from './rows.ts';
import {
  ownerColumns,
  type PresenceRecord,
  recordOwner,
  SqlitePresences,
  toPresence,
} from './sqlite-presences.ts';
import { SqliteVerdicts } from './sqlite-verdicts.ts';
import {
  CHANGES,
  DELIVERED,
  ERASE,
  EVENT,
  INSERT,
  NOT_TAKEN,
  ORDER,
  SELECT,
  SETTLE,
  UNDELIVER,
  UNRECORDED,
  whereOf,
} from './statements.ts';

/** Nobody there means cancel, never anything else (ELI-03, C34). */
const EXPIRED: Outcome = {
  state: 'expired',
  answer: { action: 'cancel', by: 'mcpx' },
  reason: 'nobody answered in time',
};
const NONE: Doubts = { owners: [], unowned: false };
const CREDULOUS: Judge = { isGone: () => false, doubts: () => NONE };
/** Rows deleted or expired in one transaction, so that none is long. */
const BATCH = 100;

interface Recorded {
  readonly record: string;
}

export class SqliteStore implements Store {
  readonly presences: Presences;
  readonly verdicts: EraVerdicts;
  readonly #access: Access;
  readonly #clock: Clock;
  /** The open rows of this gateway, for a store that is taken away. */
  #held: Map<string, Columns> | undefined;

  constructor(access: Access, clock: Clock) {
    this.#access = access;
    this.#clock = clock;
    this.presences = new SqlitePresences(access);
    this.verdicts = new SqliteVerdicts(access, clock);
  }

  carryFor(owner: Presence): void {
    this.#held = new Map();
    this.#access.carryFor({ owner: ownerColumns(owner), rows: this.#held });
  }

  release(id: string): void {
    this.#held?.delete(id);
  }

  trouble(): StoreTrouble | undefined {
    return this.#access.trouble;
  }

  onReopened(listener: () => void): void {
    this.#access.onReopened(listener);
  }

  insert(row: Row, owner: Presence | undefined, terms: AnswerTerms): Promise<void> {
    return this.#access.write((db) => {
      if (owner !== undefined) recordOwner(db, owner);
      const values = newValues(row, owner?.id, terms);
      db.run(INSERT, ...values);
      this.#held?.set(row.id, Object.fromEntries(NEW_COLUMNS.map((name, at) => [name, values[at] ?? null])));
      this.#event(db, row.id, 'opened', Date.parse(row.createdAt));
    });
  }

  get(id: string): Promise<Row | undefined> {
    return this.#access.read((db) => this.#row(db, id));
  }

  asked(id: string): Promise<AskedRow | undefined> {
    return this.#access.read((db) => {
      const row = this.#row(db, id);
      const sql = 'SELECT answer_bytes AS bytes, answer_key AS key FROM rows WHERE id = ?';
      const terms = db.all<{ bytes: number | null; key: string | null }>(sql, id)[0];
      if (row === undefined || terms === undefined) return undefined;
      const { bytes, key } = terms;
      return { row, ...(bytes !== null && { answerBytes: bytes }), ...(key !== null && { answerKey: key }) };
    });
  }

  sealed(id: string): Promise<string | undefined> {
    return this.#access.read(
      (db) =>
        db.all<{ sealed: string | null }>('SELECT sealed FROM rows WHERE id = ?', id)[0]?.sealed ?? undefined,
    );
  }

  find(prefix: string, limit: number): Promise<string[]> {
    return this.#access.read((db) => {
      // Ids are ASCII, so U+FFFF is past every one that begins with the prefix.
      const sql = 'SELECT id FROM rows WHERE id >= ? AND id < ? ORDER BY id LIMIT ?';
      return db.all<{ id: string }>(sql, prefix, `${prefix}\uffff`, limit).map(({ id }) => id);
    });
  }

  list(filter: RowFilter): Promise<Row[]> {
    return this.#access.read((db) => {
      const { where, values } = whereOf(filter);
      const times = new IsoTimes();
      const found = db.all<Recorded>(`${SELECT} ${where} ${ORDER} LIMIT ?`, ...values, filter.limit ?? -1);
      return found.map(({ record }) => toRow(record, times));
    });
  }

  servers(): Promise<string[]> {
    return this.#access.read((db) =>
      db.all<{ server: string }>('SELECT DISTINCT server FROM rows').map(({ server }) => server),
    );
  }

  countOpen(ownerId: string): Promise<number> {
    const sql = "SELECT count(*) AS n FROM rows WHERE state = 'pending' AND owner = ?";
    return this.#access.read((db) => db.all<{ n: number }>(sql, ownerId)[0]?.n ?? 0);
  }

  settle(id: string, outcome: Outcome, judge: Judge = CREDULOUS): Promise<Settled | undefined> {
    return this.#access.write((db) => {
      // Read under the lock: the wait for it may have been long enough for the row to fall due.
      const now = this.#clock.now();
      if (isAnswer(outcome.state)) {
        this.#expireRow(db, id, judge, now);
        this.#loseRow(db, id, judge, now);
      }
      const won = this.#settle(db, id, outcome, now);
      const row = this.#row(db, id);
      return row === undefined ? undefined : { won, row };
    });
  }

  note(id: string, note: { reason?: string; inline?: boolean }): Promise<void> {
    return this.#access.write((db) => {
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
    return this.#access.write((db) => {
      const now = this.#clock.now();
      const open = what === 'delivered' ? "AND state <> 'pending'" : '';
      const erased = what === 'delivered' ? DELIVERED : '';
      const sql = `UPDATE rows SET ${what}_at = ?${erased} WHERE id = ? AND ${what}_at IS NULL ${open}`;
      if (db.run(sql, now, id) === 1) this.#event(db, id, what, now);
      return this.#row(db, id);
    });
  }

  erase(id: string): Promise<void> {
    return this.#access.write((db) => {
      db.run(`${ERASE} WHERE id = ?`, id);
    });
  }

  async eraseOrphans(): Promise<number> {
    const orphans = 'WHERE sealed IS NOT NULL AND owner NOT IN (SELECT id FROM owners)';
    // Looked for without the write lock first: nearly always there is none.
    const some = await this.#access.read((db) => db.all(`SELECT 1 FROM rows ${orphans} LIMIT 1`).length > 0);
    return some ? this.#access.write((db) => db.run(`${ERASE} ${orphans}`)) : 0;
  }

  scrub(): Promise<boolean> {
    return this.#access.scrub();
  }

  lastSeq(): Promise<number> {
    return this.#access.read((db) => {
      // Not max(seq): events are pruned, and a number is never given twice.
      const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";
      return db.all<{ seq: number }>(sql)[0]?.seq ?? 0;
    });
  }

  changes(seq: number, limit: number): Promise<Change[]> {
    return this.#access.read((db) => db.all<ChangeRecord>(CHANGES, seq, limit).map(toChange));
  }

  marks(seq: number, limit: number): Promise<ChangeMark[]> {
    return this.#access.read((db) =>
      db.all<ChangeMark>('SELECT seq, row AS id FROM events WHERE seq > ? ORDER BY seq LIMIT ?', seq, limit),
    );
  }

  onChange(listener: () => void): () => void {
    return this.#access.onChange(listener);
  }

  expire({ owners, unowned }: Doubts = NONE): Promise<number> {
    const foreign =
      owners.length === 0 ? '' : ` AND (owner IS NULL OR owner NOT IN (${owners.map(() => '?')}))`;
    const where = `state = 'pending' AND expires_at <= ?${foreign}${unowned ? ' AND owner IS NOT NULL' : ''}`;
    return this.#settleEach(where, [this.#clock.now(), ...owners], EXPIRED);
  }

  unownedExpiries(): Promise<(readonly [id: string, expiresAt: number])[]> {
    return this.#access.read((db) => {
      const sql = "SELECT id, expires_at AS at FROM rows WHERE state = 'pending' AND owner IS NULL";
      return db.all<{ id: string; at: number }>(sql).map(({ id, at }) => [id, at] as const);
    });
  }

  moveExpiries(
    owner: string,
    unowned: Iterable<readonly [id: string, expiresAt: number]>,
    by: number,
  ): Promise<void> {
    return this.#access.write((db) => {
      db.run("UPDATE rows SET expires_at = expires_at + ? WHERE state = 'pending' AND owner = ?", by, owner);
      // Each gateway that sees the jump tries; the first one moves the row.
      const move = `UPDATE rows SET expires_at = ? WHERE id = ? AND expires_at = ? AND state = 'pending' AND owner IS NULL`;
      for (const [id, at] of unowned) db.run(move, at + by, id, at);
    });
  }

  nextExpiry(): Promise<number | undefined> {
    return this.#access.read((db) => {
      const sql = "SELECT expires_at AS at FROM rows WHERE state = 'pending' ORDER BY expires_at LIMIT 1";
      return db.all<{ at: number }>(sql)[0]?.at;
    });
  }

  ownerOf(id: string): Promise<Presence | 'unrecorded' | undefined> {
    return this.#access.read((db) => {
      const owned = db.all<{ owner: string | null }>('SELECT owner FROM rows WHERE id = ?', id)[0];
      if (!owned || owned.owner === null) return undefined;
      const sql = 'SELECT id, process, seen FROM owners WHERE id = ?';
      return db.all<PresenceRecord>(sql, owned.owner).map(toPresence)[0] ?? 'unrecorded';
    });
  }

  async lose(ownerId: string, reason: string): Promise<Bereft> {
    const bereft = await this.#bereave('owner = ?', [ownerId], reason);
    await this.presences.forgetOwner(ownerId);
    return bereft;
  }

  loseOrphans(reason: string): Promise<Bereft> {
    return this.#bereave(UNRECORDED, [], reason);
  }

  async prune(before: number): Promise<number> {
    let total = 0;
    for (;;) {
      const gone = await this.#access.write((db) => {
        const old = `SELECT n FROM rows WHERE state <> 'pending' AND settled_at < ? LIMIT ${BATCH}`;
        const rows = db.run(`DELETE FROM rows WHERE n IN (${old})`, before);
        const events = `SELECT seq FROM events WHERE at < ? ORDER BY seq LIMIT ${BATCH * 4}`;
        return { rows, events: db.run(`DELETE FROM events WHERE seq IN (${events})`, before) };
      });
      total += gone.rows;
      if (gone.rows < BATCH && gone.events < BATCH * 4) return total;
      await turn();
    }
  }

  close(): Promise<void> {
    return this.#access.close();
  }

  async #bereave(whose: string, values: Value[], reason: string): Promise<Bereft> {
    const lost = await this.#settleEach(`state = 'pending' AND ${whose}`, values, { state: 'lost', reason });
    const undelivered = await this.#each(`${NOT_TAKEN} AND ${whose}`, values, (db, id, now) => {
      if (db.run(UNDELIVER, now, pack(reason), id) !== 1) return false;
      this.#event(db, id, 'undelivered', now);
      return true;
    });
    return { lost, undelivered };
  }

  /** Settles every pending row that `where` finds, by the same conditional update. */
  #settleEach(where: string, values: Value[], outcome: Outcome): Promise<number> {
    return this.#each(where, values, (db, id, now) => this.#settle(db, id, outcome, now));
  }

  /** Changes every row that `where` finds, in bounded transactions; how many did change. */
  async #each(
    where: string,
    values: Value[],
    change: (db: Connection, id: string, now: number) => boolean,
  ): Promise<number> {
    const find = `SELECT id FROM rows WHERE ${where} ORDER BY expires_at LIMIT ${BATCH}`;
    let total = 0;
    for (;;) {
      // Looked for without the write lock first: most sweeps find nothing.
      const some = await this.#access.read((db) => db.all<{ id: string }>(find, ...values).length > 0);
      if (!some) return total;
      total += await this.#access.write((db) => {
        const now = this.#clock.now();
        let count = 0;
        for (const { id } of db.all<{ id: string }>(find, ...values)) {
          if (change(db, id, now)) count += 1;
        }
        return count;
      });
      // Others come in between, however many rows there are (C48).
      await turn();
    }
  }

  #settle(db: Connection, id: string, outcome: Outcome, now: number): boolean {
    const { state, answer, sealed, reason } = outcome;
    const changed = db.run(
      SETTLE,
      state,
      answer?.action ?? null,
      answer?.content === undefined ? null : pack(answer.content),
      sealed ?? null,
      answer?.by ?? null,
      now,
      reason === undefined ? null : pack(reason),
      id,
    );
    if (changed !== 1) return false;
    this.#event(db, id, EVENT_OF[state], now);
    return true;
  }

  #expireRow(db: Connection, id: string, judge: Judge, now: number): void {
    const sql = "SELECT owner FROM rows WHERE id = ? AND state = 'pending' AND expires_at <= ?";
    const [due] = db.all<{ owner: string | null }>(sql, id, now);
    if (due === undefined) return;
    const known = db.all<PresenceRecord>('SELECT id, process, seen FROM owners').map(toPresence);
    const { owners, unowned } = judge.doubts(known);
    if (due.owner === null ? !unowned : !owners.includes(due.owner)) this.#settle(db, id, EXPIRED, now);
  }

  #loseRow(db: Connection, id: string, { isGone }: Judge, now: number): void {
    const sql = `SELECT owners.id, process, seen FROM rows LEFT JOIN owners ON owners.id = rows.owner
      WHERE rows.id = ? AND owner IS NOT NULL`;
    const [owner] = db.all<PresenceRecord | { id: null }>(sql, id);
    if (owner === undefined || (owner.id !== null && !isGone(toPresence(owner)))) return;
    this.#settle(db, id, { state: 'lost', reason: OWNER_GONE }, now);
  }

  #row(db: Connection, id: string): Row | undefined {
    const found = db.all<Recorded>(`${SELECT} WHERE id = ?`, id)[0];
    return found === undefined ? undefined : toRow(found.record);
  }

  #event(db: Connection, id: string, event: Change['event'], at: number): void {
    db.run(EVENT, event, at, id);
    this.#access.appended();
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
