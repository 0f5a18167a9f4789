// Waiting for a lock without stopping the process: short driver waits, repeated from a timer until the time is up.
import type { Clock } from '../../clock.ts';
import { isMcpxError } from '../../errors.ts';
import { Backoff } from '../../waiting.ts';
import { KeepRunning } from '../keep-running.ts';

/** Both in milliseconds: one driver call, and all of them together. */
export interface Patience {
  readonly call: number;
  readonly total: number;
}

interface Waiting {
  readonly attempt: () => void;
  readonly giveUp: (error: unknown) => void;
  readonly until: number;
}

// A lock is usually held for well under a millisecond; one that is held for long is asked for less and less often.
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 100;
/** Milliseconds of work on what waited, before others come in between. */
const STRETCH = 20;

/**
 * Runs operations one after the other. While one meets a lock, those behind it wait in order, so that a locked store
 * costs one driver wait a round and not one for each waiting operation.
 */
export class PatientQueue {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #waiting: Waiting[] = [];
  readonly #keepRunning = new KeepRunning();
  readonly #pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  #armed = false;

  constructor(clock: Clock, total: number) {
    this.#clock = clock;
    this.#total = total;
  }

  /** Runs `operation` now if nothing waits; rejects with what it threw, `store_busy` only once the time is up. */
  run<Result>(operation: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        attempt: () => resolve(operation()),
        giveUp: reject,
        until: this.#clock.monotonic() + this.#total,
      };
      this.#waiting.push(waiting);
      if (!this.#armed) this.#drain();
    });
  }

  #drain(): void {
    const started = this.#clock.monotonic();
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        next.attempt();
        this.#pauses.reset();
      } catch (error) {
        if (isMcpxError(error) && error.code === 'store_busy' && this.#clock.monotonic() < next.until) {
          this.#later();
          return;
        }
        next.giveUp(error);
      }
      this.#waiting.shift();
      if (this.#waiting.length > 0 && this.#clock.monotonic() - started > STRETCH) {
        this.#armed = true;
        setImmediate(() => {
          this.#armed = false;
          this.#drain();
        });
        return;
      }
    }
  }

  #later(): void {
    this.#armed = true;
    // A command that waits for a lock has nothing else that keeps it running.
    const release = this.#keepRunning.take();
    this.#clock.after(this.#pauses.next(), () => {
      this.#armed = false;
      this.#drain();
      release();
    });
  }
}
