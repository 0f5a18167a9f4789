// Processes that hold calls or watch, by their heartbeats, in SQLite.
import type { ProcessIdentity } from '../process-identity.ts';
import type { Presence, Presences } from '../store.ts';
import type { Access } from './access.ts';
import type { Columns } from './carry-over.ts';
import type { Connection } from './connection.ts';

const SAVE_OWNER = 'INSERT INTO owners (id, process, seen, servers) VALUES (?, ?, ?, ?)';
const SAVE_WATCHER = `INSERT INTO watchers (id, kind, process, seen) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`;

export interface PresenceRecord {
  readonly id: string;
  readonly process: string;
  readonly seen: number;
  readonly servers?: string | null;
}

/** Records an owner that is not recorded yet. */
export function recordOwner(db: Connection, owner: Presence): void {
  db.run(`${SAVE_OWNER} ON CONFLICT (id) DO NOTHING`, ...ownerValues(owner));
}

/** The record of an owner by its column names. */
export function ownerColumns(owner: Presence): Columns {
  const [id, process, seen, servers] = ownerValues(owner);
  return { id, process, seen, servers };
}

function ownerValues({ id, process, seen, servers }: Presence): [string, string, number, string | null] {
  return [id, JSON.stringify(process), seen, servers === undefined ? null : JSON.stringify(servers)];
}

export class SqlitePresences implements Presences {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  owners(): Promise<Presence[]> {
    return this.#access.read((db) =>
      db.all<PresenceRecord>('SELECT id, process, seen, servers FROM owners').map(toPresence),
    );
  }

  beat(owner: Presence): Promise<void> {
    return this.#access.write((db) => {
      const sql = `${SAVE_OWNER} ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`;
      db.run(sql, ...ownerValues(owner));
    });
  }

  forgetOwner(ownerId: string): Promise<void> {
    return this.#access.write((db) => {
      db.run('DELETE FROM owners WHERE id = ?', ownerId);
    });
  }

  watchers(): Promise<Presence[]> {
    return this.#access.read((db) =>
      db.all<PresenceRecord>('SELECT id, process, seen FROM watchers').map(toPresence),
    );
  }

  beatWatcher(watcher: Presence, kind: string): Promise<void> {
    return this.#access.write((db) => {
      db.run(SAVE_WATCHER, watcher.id, kind, JSON.stringify(watcher.process), watcher.seen);
    });
  }

  forgetWatcher(id: string): Promise<void> {
    return this.#access.write((db) => {
      db.run('DELETE FROM watchers WHERE id = ?', id);
    });
  }
}

export function toPresence(record: PresenceRecord): Presence {
  const { id, process, seen, servers } = record;
  return {
    id,
    process: JSON.parse(process) as ProcessIdentity,
    seen,
    ...(typeof servers === 'string' && { servers: JSON.parse(servers) as string[] }),
  };
}
