// Jumps of the wall clock, found by holding it against the monotonic one (C49).
import type { Clock } from '../clock.ts';

/** What a time service corrects bit by bit is no jump; milliseconds. */
const JUMP = 30_000;

export class WallJumps {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  #offset: number;
  #last: number | undefined;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
    this.#offset = clock.now() - clock.monotonic();
  }

  /** How far the wall clock has jumped since this was last asked, in milliseconds; 0 where it has not. */
  take(): number {
    const offset = this.#clock.now() - this.#clock.monotonic();
    const by = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(by) <= JUMP) return 0;
    this.#last = this.#clock.monotonic();
    return Math.round(by);
  }

  /** Whether a jump was found within the last `ms` milliseconds. */
  within(ms: number): boolean {
    return this.#last !== undefined && this.#clock.monotonic() - this.#last < ms;
  }
}
