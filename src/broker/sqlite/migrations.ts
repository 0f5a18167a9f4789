// The shape of the database, as numbered steps that are run once each, in order; a step is never edited afterwards.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Connection } from './connection.ts';
import { newerError, storeError } from './errors.ts';

export const STEPS: readonly string[] = [
  `
  CREATE TABLE rows (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    owner TEXT,
    server TEXT NOT NULL,
    mode TEXT NOT NULL,
    message TEXT NOT NULL,
    params TEXT NOT NULL,
    requested_schema TEXT,
    url TEXT,
    elicitation_id TEXT,
    method TEXT,
    tool TEXT,
    call TEXT,
    host_name TEXT,
    host_revision TEXT,
    host_inline INTEGER,
    principal TEXT NOT NULL,
    audience TEXT NOT NULL,
    sensitive INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    action TEXT,
    content TEXT,
    answered_by TEXT,
    settled_at INTEGER,
    delivered_at INTEGER,
    completed_at INTEGER,
    reason TEXT
  );
  CREATE INDEX rows_in_order ON rows (state, expires_at, created_at, n);
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    row TEXT NOT NULL,
    event TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    delivered INTEGER NOT NULL,
    completed INTEGER NOT NULL,
    reason TEXT
  );
  CREATE TABLE owners (id TEXT PRIMARY KEY, process TEXT NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE watchers (id TEXT PRIMARY KEY, kind TEXT NOT NULL, process TEXT NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID;
  `,
  'CREATE TABLE verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID',
  `
  ALTER TABLE rows ADD COLUMN answer_bytes INTEGER;
  ALTER TABLE rows ADD COLUMN answer_key TEXT;
  ALTER TABLE rows ADD COLUMN sealed TEXT;
  CREATE INDEX rows_sealed ON rows (owner) WHERE sealed IS NOT NULL;
  UPDATE rows SET content = NULL WHERE sensitive = 1;
  `,
  'ALTER TABLE owners ADD COLUMN servers TEXT',
  `
  ALTER TABLE rows ADD COLUMN undelivered_at INTEGER;
  ALTER TABLE events ADD COLUMN undelivered INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX rows_not_taken ON rows (owner) WHERE state IN ('accepted', 'declined', 'cancelled')
    AND delivered_at IS NULL AND undelivered_at IS NULL AND owner IS NOT NULL;
  `,
];

/** The newest format this mcpx knows. */
export const FORMAT = STEPS.length;

/**
 * Refuses a file that is not SQLite, or is of a newer format, by its header alone, so that nothing about it is
 * touched. McpxError `store_damaged` or `store_newer`. A missing or empty file passes.
 */
export function checkHeader(path: string, dir: string): void {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(file, header, 0, 100, 0);
  } finally {
    closeSync(file);
  }
  if (length === 0) return;
  if (length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw storeError(Object.assign(new Error('no SQLite header'), { rawCode: 26 }), dir);
  }
  refuseNewer(header.readUInt32BE(60), dir);
}

/** Brings the database to `FORMAT`, the steps and their number in one transaction; whether there was anything to do. */
export function migrate(connection: Connection, dir: string, steps: readonly string[] = STEPS): boolean {
  if (format(connection) === steps.length) return false;
  connection.transaction(() => {
    // Read again under the lock: another process may have been faster.
    const found = format(connection);
    refuseNewer(found, dir, steps.length);
    for (const [index, step] of steps.entries()) {
      if (index < found) continue;
      connection.exec(step);
    }
    connection.exec(`PRAGMA user_version = ${steps.length}`);
  });
  return true;
}

function format(connection: Connection): number {
  return connection.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
}

function refuseNewer(found: number, dir: string, known = FORMAT): void {
  if (found > known) throw newerError(dir, found, known);
}
