// Questions that were refused, in the log: the first at once, those that follow once a minute with their count (C57).
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';

const MINUTE = 60_000;

/** One kind of refusal of one server within a minute. */
interface Tally {
  count: number;
  /** The newest sentence. */
  why: string;
}

/** A server that floods fills the log no faster than this. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: Log;
  /** By server and limit. */
  readonly #tallies = new Map<string, Tally>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** `why` is the sentence that the server gets; the limit that it names says of which kind the refusal is. */
  note(server: string, why: string): void {
    const key = JSON.stringify([server, /\blimits\.\w+/.exec(why)?.[0] ?? '']);
    const tally = this.#tallies.get(key);
    if (tally !== undefined) {
      tally.count += 1;
      tally.why = why;
      return;
    }
    this.#log.warn({ server, why }, 'question refused');
    this.#begin(key, server);
  }

  #begin(key: string, server: string): void {
    const tally: Tally = { count: 0, why: '' };
    this.#tallies.set(key, tally);
    this.#clock.after(MINUTE, () => {
      this.#tallies.delete(key);
      if (tally.count === 0) return;
      this.#log.warn(
        { server, why: tally.why, count: tally.count },
        'more questions refused within a minute',
      );
      this.#begin(key, server);
    });
  }
}
