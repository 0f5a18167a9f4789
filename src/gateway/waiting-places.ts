// How many questions of one server may wait for people, and how many new ones a minute (design/3-broker.md, "Limits").
import type { Clock } from '../clock.ts';
import type { Limits } from '../config/types.ts';

const MINUTE = 60_000;

interface Server {
  open: number;
  /** When the places of the last minute were taken, oldest first; milliseconds since the epoch. */
  readonly taken: number[];
}

/** Counts by server, so that one that floods is refused alone. */
export class WaitingPlaces {
  readonly #limits: Pick<Limits, 'openPerServer' | 'newPerMinute'>;
  readonly #clock: Clock;
  readonly #servers = new Map<string, Server>();

  constructor(limits: Pick<Limits, 'openPerServer' | 'newPerMinute'>, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Takes a place; returns what gives it back, or a sentence that names the limit which is reached. */
  take(server: string): (() => void) | string {
    const { openPerServer, newPerMinute } = this.#limits;
    const here = this.#servers.get(server) ?? { open: 0, taken: [] };
    this.#servers.set(server, here);
    if (here.open >= openPerServer)
      return `${openPerServer} questions of ${server} wait for an answer, as many as limits.openPerServer allows; answer some, or raise it in mcpx.json`;
    const now = this.#clock.now();
    while (here.taken.length > 0 && (here.taken[0] ?? now) <= now - MINUTE) here.taken.shift();
    if (here.taken.length >= newPerMinute)
      return `${server} asked ${newPerMinute} questions within a minute, as many as limits.newPerMinute allows; ask fewer, or raise it in mcpx.json`;
    here.open += 1;
    here.taken.push(now);
    let held = true;
    return () => {
      if (held) here.open -= 1;
      held = false;
    };
  }
}
