// Opens the store in SQLite: `<state dir>/mcpx.db`, shared by any number of processes.
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { preparePrivateFile, prepareStateDir } from '../state-dir.ts';
import type { Store } from '../store.ts';
import { Access } from './access.ts';
import { Connection } from './connection.ts';
import { storeError } from './errors.ts';
import { checkHeader, migrate } from './migrations.ts';
import { type Patience, PatientQueue } from './patience.ts';
import { SqliteStore } from './sqlite-store.ts';

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
  const open = (): Connection => {
    prepareStateDir(dir);
    preparePrivateFile(dir, path);
    checkHeader(path, dir);
    return connect(path, dir, patience.call);
  };
  const opening = new PatientQueue(clock, patience.total);
  const connection = await opening.run(open);
  return new SqliteStore(new Access(connection, { ...options, file: FILE, connect: open }), clock);
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
    // What a step takes out of the database goes out of the file too, and not only out of sight.
    if (migrate(connection, dir)) connection.all('PRAGMA wal_checkpoint(TRUNCATE)');
    return connection;
  } catch (error) {
    connection?.close();
    throw storeError(error, dir);
  }
}
