// What a test started is ended again, in reverse order, whatever happens: processes, temporary directories, sockets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scope {
  /** Runs `end` when the scope closes. */
  defer(end: () => unknown): void;
  /** A directory of the scope's own, removed with it. */
  dir(): string;
  close(): Promise<void>;
}

/** A scope that its maker closes; the first failure of an `end` is thrown once all have run. */
export function createScope(): Scope {
  const ends: (() => unknown)[] = [];
  const scope: Scope = {
    defer(end) {
      ends.push(end);
    },
    dir() {
      const path = mkdtempSync(join(tmpdir(), 'mcpx-test-'));
      ends.push(() => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
      return path;
    },
    async close() {
      const failures: unknown[] = [];
      for (const end of ends.splice(0).reverse()) {
        try {
          await end();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
  return scope;
}
