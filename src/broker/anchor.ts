// Jumps of the wall clock, and the rows of this process kept open for what is left to them through one (C49).

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Store } from './store.ts';

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

export interface AnchorOptions {
  readonly store: Store;
  readonly log: Log;
  readonly jumps: WallJumps;
  /** A gateway's own; a command has no rows to keep. */
  readonly ownerId: string | undefined;
}

export class Anchor {
  readonly #options: AnchorOptions;
  /** When the rows that no gateway owns expired when this was last looked at, before any jump. */
  #unowned = new Map<string, number>();
  /** How far expiries are still to be moved; milliseconds. */
  #owed = 0;
  #moving: Promise<void> = Promise.resolve();

  constructor(options: AnchorOptions) {
    this.#options = options;
  }

  /** To be awaited before anything hangs on when a row expires. Rejects where the store cannot be written. */
  moved(): Promise<void> {
    const by = this.#options.jumps.take();
    if (by !== 0) {
      this.#owed += by;
      const direction = by > 0 ? 'ahead' : 'back';
      const seconds = Math.round(Math.abs(by) / 1_000);
      this.#options.log.warn(
        { seconds },
        `the clock went ${direction}; open questions stay open for what was left`,
      );
    }
    if (this.#owed !== 0) this.#moving = this.#moving.catch(() => {}).then(() => this.#move());
    return this.#moving;
  }

  /** Takes note of when the rows that no gateway owns expire. */
  async look(): Promise<void> {
    if (this.#options.ownerId !== undefined)
      this.#unowned = new Map(await this.#options.store.unownedExpiries());
  }

  /** A row that no gateway owns was opened here. */
  note(id: string, expiresAt: number): void {
    if (this.#options.ownerId !== undefined) this.#unowned.set(id, expiresAt);
  }

  async #move(): Promise<void> {
    const { store, ownerId } = this.#options;
    const by = this.#owed;
    if (by === 0) return;
    if (ownerId !== undefined) {
      await store.moveExpiries(ownerId, this.#unowned, by);
      for (const [id, at] of this.#unowned) this.#unowned.set(id, at + by);
    }
    this.#owed -= by;
  }
}
