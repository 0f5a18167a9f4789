// Which era each configured server was found to speak, so that the next process need not probe it.
import type { Clock } from '../../clock.ts';
import type { EraVerdict, EraVerdicts } from '../types.ts';
import type { Access } from './access.ts';

/** A verdict holds for 24 h (docs/relay.md, "Which era towards an upstream"); in milliseconds. */
const HOLDS_MS = 86_400_000;

/** One from further ahead is of a clock that has been set back since, and may be of any age; in milliseconds. */
const AHEAD_MS = 30_000;

const WORDS: readonly EraVerdict[] = ['legacy', 'modern', 'modern-only', 'modern-first'];

export class SqliteVerdicts implements EraVerdicts {
  readonly #access: Access;
  readonly #clock: Clock;

  constructor(access: Access, clock: Clock) {
    this.#access = access;
    this.#clock = clock;
  }

  get(key: string): Promise<EraVerdict | undefined> {
    return this.#access.read((db) => {
      const now = this.#clock.now();
      const sql = 'SELECT verdict FROM verdicts WHERE key = ? AND at > ? AND at <= ?';
      const found = db.all<{ verdict: string }>(sql, key, now - HOLDS_MS, now + AHEAD_MS)[0];
      return WORDS.find((word) => word === found?.verdict);
    });
  }

  set(key: string, verdict: EraVerdict | undefined): Promise<void> {
    return this.#access.write((db) => {
      const now = this.#clock.now();
      db.run('DELETE FROM verdicts WHERE key = ? OR at <= ?', key, now - HOLDS_MS);
      if (verdict !== undefined) db.run('INSERT INTO verdicts VALUES (?, ?, ?)', key, verdict, now);
    });
  }
}
