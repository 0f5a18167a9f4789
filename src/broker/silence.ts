// How long other processes have been silent, measured here: a jump of the wall clock makes nobody silent (C49).
import type { Clock } from '../clock.ts';
import type { Presence } from './store.ts';
import type { WallJumps } from './wall-jumps.ts';

/** After a jump, the heartbeats in the store are of the old time until the next ones are written; milliseconds. */
const STALE = 30_000;

export class Silence {
  readonly #clock: Clock;
  readonly #jumps: WallJumps;
  readonly #known = new Map<string, { readonly seen: number; readonly since: number }>();

  constructor(clock: Clock, jumps: WallJumps) {
    this.#clock = clock;
    this.#jumps = jumps;
  }

  /** Milliseconds since the last heartbeat: since it was first found here, plus what it was old by then. */
  of({ id, seen }: Presence): number {
    const now = this.#clock.monotonic();
    const known = this.#known.get(id);
    if (known?.seen === seen) return now - known.since;
    const tells = known === undefined && !this.#jumps.within(STALE);
    const since = now - (tells ? Math.max(0, this.#clock.now() - seen) : 0);
    this.#known.set(id, { seen, since });
    return now - since;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
