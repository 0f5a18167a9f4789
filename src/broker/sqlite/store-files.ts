// The files of the store as they were opened, and whether they are still the ones in their places (C50).
import { statSync } from 'node:fs';

/** Which file on which device. */
type Identity = `${number}:${number}`;

const PARTS = ['', '-wal', '-shm'] as const;

export class StoreFiles {
  readonly #path: string;
  readonly #known = new Map<string, Identity>();
  /** Bytes of the database, and of its log. */
  #size = 0;
  #logSize = 0;

  /** `path` of the database. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Forgets what was opened before: the files that are there now are those of a new connection. */
  reset(): void {
    this.#known.clear();
    this.#size = sizeOf(this.#path);
    this.#logSize = sizeOf(`${this.#path}-wal`);
    this.#note();
  }

  /** Takes note of what was written. */
  logGrew(): void {
    this.#logSize = Math.max(this.#logSize, sizeOf(`${this.#path}-wal`));
  }

  /** Whether the log is shorter than it was: SQLite has emptied it, or somebody has cut it off. */
  logIsShorter(): boolean {
    const before = this.#logSize;
    this.#logSize = sizeOf(`${this.#path}-wal`);
    return this.#logSize < before;
  }

  /** What has happened to a file that is open, in words; undefined where each is what it was. */
  taken(): string | undefined {
    for (const [name, identity] of this.#known) {
      const now = identityOf(`${this.#path}${name}`);
      const file = `mcpx.db${name}`;
      if (now === undefined) return `${file} was removed`;
      if (now !== identity) return `${file} was replaced by another file`;
    }
    // SQLite never makes this database shorter.
    const size = sizeOf(this.#path);
    if (size < this.#size) return 'mcpx.db was cut off';
    this.#size = size;
    this.#note();
    return undefined;
  }

  /** SQLite makes the log and its index when they are first needed. */
  #note(): void {
    for (const name of PARTS) {
      if (this.#known.has(name)) continue;
      const identity = identityOf(`${this.#path}${name}`);
      if (identity !== undefined) this.#known.set(name, identity);
    }
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

function identityOf(path: string): Identity | undefined {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts && `${facts.dev}:${facts.ino}`;
  } catch {
    // A part of the path is no directory any more, or may not be entered.
    return undefined;
  }
}
