// One connection to SQLite through libsql: kept statements, immediate transactions, and the driver's traps avoided.
import Database from 'libsql';
import { McpxError } from '../../errors.ts';

export type Value = string | number | null;

interface Statement {
  run(values: readonly Value[]): { changes: number; lastInsertRowid: number | bigint };
  all(values: readonly Value[]): unknown[];
}

export class Connection {
  readonly #db: InstanceType<typeof Database>;
  readonly #kept = new Map<string, Statement>();
  #open = true;

  /** Opens or makes the file; a driver call waits at most `waitMs` for a lock. Throws what the driver throws. */
  constructor(path: string, waitMs: number) {
    this.#db = new Database(path, { timeout: waitMs });
  }

  /** Rows as objects. Never inside the driver's `get`: that one adds a `_metadata` key. */
  all<Record>(sql: string, ...values: Value[]): Record[] {
    return this.#call(sql, (statement) => statement.all(values)) as Record[];
  }

  /** How many rows the statement changed. */
  run(sql: string, ...values: Value[]): number {
    return this.#call(sql, (statement) => statement.run(values).changes);
  }

  exec(sql: string): void {
    this.#alive();
    this.#db.exec(sql);
  }

  /**
   * Runs `body` in BEGIN IMMEDIATE, so that a lock is met before anything is read: a read transaction that turns
   * into a writing one fails with BUSY_SNAPSHOT whatever the time-out (C24).
   */
  transaction<Result>(body: () => Result): Result {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has rolled back already.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#kept.clear();
    this.#db.close();
  }

  // The values go in as one array: a single null or object would be taken for named parameters, and a wrong one of
  // those ends the process.
  #call<Result>(sql: string, use: (statement: Statement) => Result): Result {
    this.#alive();
    let statement = this.#kept.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql) as unknown as Statement;
      this.#kept.set(sql, statement);
    }
    try {
      return use(statement);
    } catch (error) {
      // libsql leaves a failed statement unreset, which would hold its snapshot open.
      this.#kept.delete(sql);
      throw error;
    }
  }

  // The driver panics, and takes the process with it, when a closed connection is asked for its state.
  #alive(): void {
    if (!this.#open) throw new McpxError('interrupted', 'mcpx is shutting down.');
  }
}
