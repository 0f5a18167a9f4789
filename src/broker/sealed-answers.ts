// The sealed answers of the rows that this process owns: their keys, their opening, and their end.
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { Backoff } from '../waiting.ts';
import { AnswerKey } from './sealed-answer.ts';
import type { Store } from './store.ts';
import type { Row } from './types.ts';

/** An answer that was taken and could not be delivered is erased after this long; milliseconds. */
const UNDELIVERED = 60_000;
/** How often the log is tried to be emptied while somebody reads in it; doubles up to the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 5_000;

export class SealedAnswers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keys = new Map<string, AnswerKey>();
  #scrubbing = false;
  #closed = false;

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Makes the key of a row that is about to be opened; what is returned goes onto the row. */
  newKey(rowId: string): string {
    const key = new AnswerKey();
    this.#keys.set(rowId, key);
    return key.publicKey;
  }

  /** The row with the content of its answer in clear, where this process has the key; only ever in memory. */
  async opened(row: Row): Promise<Row> {
    const key = this.#keys.get(row.id);
    if (key === undefined) return row;
    if (row.state !== 'accepted' || row.answer === undefined) {
      this.#keys.delete(row.id);
      return row;
    }
    const sealed = await this.#store.sealed(row.id);
    if (sealed === undefined) return row;
    const content = key.open(row.id, sealed);
    this.#clock.after(UNDELIVERED, () => this.#giveUp(row.id));
    return { ...row, answer: { ...row.answer, content } };
  }

  /** Its answer has been erased together with being marked as delivered. */
  delivered(rowId: string): void {
    if (this.#keys.delete(rowId)) this.scrub();
  }

  /** Takes what was erased out of the store's log as well, now or as soon as nobody reads in it. */
  scrub(): void {
    if (this.#scrubbing) return;
    this.#scrubbing = true;
    void this.#scrub(new Backoff(FIRST_PAUSE, LONGEST_PAUSE));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const had = this.#keys.size > 0;
    this.#keys.clear();
    if ((await this.#store.eraseOrphans()) > 0 || had || this.#scrubbing) await this.#store.scrub();
  }

  async #scrub(pauses: Backoff): Promise<void> {
    if (this.#closed) return;
    const done = await this.#store.scrub().catch((error) => {
      this.#log.debug({ error: messageOf(error) }, 'cannot empty the log of the store');
      return false;
    });
    if (done) this.#scrubbing = false;
    else this.#clock.after(pauses.next(), () => void this.#scrub(pauses));
  }

  #giveUp(rowId: string): void {
    if (!this.#keys.delete(rowId) || this.#closed) return;
    this.#store.erase(rowId).then(
      () => this.scrub(),
      (error) => this.#log.warn({ row: rowId, error: messageOf(error) }, 'cannot erase a sealed answer'),
    );
  }
}
