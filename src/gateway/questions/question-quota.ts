// How many questions of one server may wait for people, how many may be new in a minute, and how many of one call its
// host may be asked at once (docs/broker.md, "Limits"; C48). What is refused is logged once a minute.
import type { Clock } from '../../clock.ts';
import type { Limits } from '../../config/types.ts';
import type { Log } from '../../log.ts';

const MINUTE = 60_000;

interface Server {
  open: number;
  /** When the places of the last minute were taken, oldest first; milliseconds since the epoch. */
  readonly taken: number[];
}

/** The end of a sentence about what asks too much at once; `most` is `limits.questionsPerRound`. */
export function tooManyQuestions(what: string, most: number): string {
  return `${what} asks more than ${most} questions, and limits.questionsPerRound is ${most}; raise it in mcpx.json`;
}

/** Counts by server, so that one that floods is refused alone. */
export class QuestionQuota {
  readonly #limits: Pick<Limits, 'openPerServer' | 'newPerMinute' | 'questionsPerRound'>;
  readonly #clock: Clock;
  readonly #servers = new Map<string, Server>();
  /** Questions that a host is asked now, by the call they belong to. */
  readonly #inline = new WeakMap<object, number>();

  constructor(limits: Pick<Limits, 'openPerServer' | 'newPerMinute' | 'questionsPerRound'>, clock: Clock) {
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
    const now = this.#clock.monotonic();
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

  /**
   * Takes a place among the questions of one call that its host is asked at the same time. `asker` is the call, or
   * whatever else the questions have in common where none is known. Otherwise as `take`.
   */
  takeInline(asker: object): (() => void) | string {
    const { questionsPerRound } = this.#limits;
    const open = this.#inline.get(asker) ?? 0;
    if (open >= questionsPerRound)
      return `${questionsPerRound} questions of this call are open, as many as limits.questionsPerRound allows at once; ask fewer, or raise it in mcpx.json`;
    this.#inline.set(asker, open + 1);
    let held = true;
    return () => {
      if (held) this.#inline.set(asker, (this.#inline.get(asker) ?? 1) - 1);
      held = false;
    };
  }
}

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
