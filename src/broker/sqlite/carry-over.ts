// What a gateway takes along when its store has to be opened anew: the rows that somebody still waits for (C50).
import type { Connection, Value } from './connection.ts';
import { EVENT } from './statements.ts';

/** A record by its column names. */
export type Columns = Readonly<Record<string, Value>>;

export interface CarriedOver {
  readonly rows: readonly Columns[];
  readonly owners: readonly Columns[];
  /** The number of the newest change: who follows them goes on from there. */
  readonly seq: number;
}

const ROWS = `SELECT * FROM rows WHERE (state = 'pending' AND (owner = ? OR owner IS NULL))
  OR (owner = ? AND state IN ('accepted', 'declined', 'cancelled') AND delivered_at IS NULL AND undelivered_at IS NULL)
  ORDER BY n`;

/** What a gateway knows of itself and of its open rows without the database. */
export interface Held {
  readonly owner: Columns;
  readonly rows: ReadonlyMap<string, Columns>;
}

/**
 * Reads from the old database, whose files may have no names any more. Another process may have made a new index in the
 * place of its own, so that it does not see all of its rows: those that it does not know are taken from `held`.
 */
export function takeAlong(db: Connection, held: Held): CarriedOver {
  const owner = held.owner['id'] ?? null;
  const found = db.all<Columns>(ROWS, owner, owner);
  const ids = new Set(found.map(({ id }) => id));
  return {
    rows: [...found, ...[...held.rows.values()].filter(({ id = null }) => !ids.has(id))],
    owners: [held.owner],
    seq: db.all<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'events'")[0]?.seq ?? 0,
  };
}

/** The same where the old database cannot be read at all. */
export function takeHeld(held: Held): CarriedOver {
  return { rows: [...held.rows.values()], owners: [held.owner], seq: 0 };
}

/** Writes into the new database what it has not got, under the same ids; how many rows. Within a transaction. */
export function putBack(db: Connection, { rows, owners, seq }: CarriedOver, now: number): number {
  for (const owner of owners) insert(db, 'owners', owner);
  // Numbers go on where they were, so that whoever follows the changes misses none.
  const counted = db.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'", seq);
  if (counted === 0) db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)", seq);
  let count = 0;
  for (const { n: _, ...row } of rows) {
    if (insert(db, 'rows', row) === 0) continue;
    count += 1;
    if (row['state'] === 'pending') db.run(EVENT, 'opened', now, row['id'] ?? null);
  }
  return count;
}

function insert(db: Connection, table: 'rows' | 'owners', columns: Columns): number {
  const names = Object.keys(columns);
  const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return db.run(sql, ...Object.values(columns));
}
