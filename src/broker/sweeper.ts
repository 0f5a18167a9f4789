// Rows that nobody can answer any more: past due, or of a process that is gone. A sweep expires and loses; it never answers.
import type { Clock, Timer } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { WallJumps } from './anchor.ts';
import type { Drafts } from './drafts.ts';
import { lives, type ProcessIdentity } from './process-identity.ts';
import { type Doubts, type Judge, OWNER_GONE, type Presence, type Store } from './store.ts';

/** Milliseconds between two sweeps and two heartbeats. */
export const BEAT = 5_000;
/** Milliseconds without a heartbeat after which an owner is gone whose process table cannot be read. */
const OWNER_SILENT = 30_000;
/** The same for a watcher, which has less to lose. */
const WATCHER_SILENT = 15_000;
/** A gateway that lives beats far more often: where its last beat is further from now, the clocks do not agree. */
const DISAGREE = 30_000;
/** How soon a row is looked at again that is past due and may not be expired yet; milliseconds. */
const SOON = 100;

export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly self: ProcessIdentity;
  /** This process's own record as an owner; it is never swept. */
  readonly ownerId: string | undefined;
  /** Drafts of people, which go with their questions. */
  readonly drafts?: Drafts | undefined;
  readonly silence: Silence;
  /** Resolves once the rows of this process expire when they should by the current wall clock (C49). */
  readonly anchored: () => Promise<void>;
}

export class Sweeper implements Judge {
  readonly #options: SweeperOptions;
  #due: { readonly at: number; readonly timer: Timer } | undefined;
  #tick: Timer | undefined;
  #running = false;
  /** Something was erased and may still stand in the store's log. */
  #unclean = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  /** Expires what is past due, then loses the rows of owners that are gone. */
  async sweep(): Promise<void> {
    const { store, log } = this.#options;
    const expired = await this.#expirePastDue();
    if (expired > 0) log.info({ rows: expired }, 'questions expired');
    for (const owner of await store.presences.owners()) {
      if (this.isGone(owner)) await this.#lose(owner);
    }
    const { lost, undelivered } = await store.loseOrphans(OWNER_GONE);
    if (lost > 0) log.info({ rows: lost }, 'questions lost: their gateway is gone');
    if (undelivered > 0) {
      this.#unclean = true;
      log.info({ rows: undelivered }, 'answers not delivered: their gateway is gone');
    }
    // Only the gateway that is gone could have read them.
    if ((await store.eraseOrphans()) > 0) this.#unclean = true;
    if (this.#unclean && (await store.scrub())) this.#unclean = false;
    await this.#options.drafts?.sweep(async (id) => (await store.get(id))?.state === 'pending');
  }

  /**
   * Loses the row, and all others of its owner, if that is gone, and marks answers it had not passed on: asked before
   * an answer is taken, and while its delivery is waited for.
   */
  async checkOwner(id: string): Promise<void> {
    const owner = await this.#options.store.ownerOf(id);
    if (owner === 'unrecorded') await this.#options.store.loseOrphans(OWNER_GONE);
    else if (owner !== undefined && this.isGone(owner)) await this.#lose(owner);
    else return;
    // What was sealed for the owner has been erased; a sweep tries again where somebody reads the log now.
    this.#unclean = !(await this.#options.store.scrub());
  }

  /** Whether the process that owns rows is gone, as far as can be told from here. */
  readonly isGone = (owner: Presence): boolean => this.#gone(owner, OWNER_SILENT);

  /** Whose clock is not this one's: a jump has been seen by one of the two alone, or not been made up for yet. */
  readonly doubts = (owners: readonly Presence[]): Doubts => {
    const { clock, ownerId } = this.#options;
    const apart = ({ id, seen }: Presence): boolean =>
      id !== ownerId && Math.abs(clock.now() - seen) > DISAGREE;
    const doubted = owners.filter((owner) => apart(owner) && !this.isGone(owner)).map(({ id }) => id);
    return { owners: doubted, unowned: doubted.length > 0 };
  };

  /** Whether anybody watches now; forgets those who are gone. */
  async watched(): Promise<boolean> {
    const { store } = this.#options;
    let found = false;
    for (const watcher of await store.presences.watchers()) {
      const silent = this.#options.silence.of(watcher) > WATCHER_SILENT;
      if (silent || this.#gone(watcher, WATCHER_SILENT)) {
        await store.presences.forgetWatcher(watcher.id);
        this.#options.silence.forget(watcher.id);
      } else found = true;
    }
    return found;
  }

  /** Sweeps every few seconds, and at the moment the next row falls due. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#again();
    void this.#armNext();
  }

  stop(): void {
    this.#running = false;
    this.#tick?.cancel();
    this.#due?.timer.cancel();
    this.#due = undefined;
  }

  /** A row that falls due at `at` was opened. */
  expect(at: number, soonest = 0): void {
    if (!this.#running || (this.#due !== undefined && this.#due.at <= at)) return;
    this.#due?.timer.cancel();
    const { clock } = this.#options;
    this.#due = { at, timer: clock.after(Math.max(soonest, at - clock.now()), () => void this.#expire()) };
  }

  #again(): void {
    this.#tick = this.#options.clock.after(BEAT, () => {
      void this.#quietly(() => this.sweep()).then(() => {
        if (!this.#running) return;
        this.#again();
        void this.#armNext();
      });
    });
  }

  async #expire(): Promise<void> {
    this.#due = undefined;
    await this.#quietly(() => this.#expirePastDue());
    await this.#armNext();
  }

  async #expirePastDue(): Promise<number> {
    const { store, anchored } = this.#options;
    await anchored();
    return store.expire(this.doubts(await store.presences.owners()));
  }

  async #armNext(): Promise<void> {
    await this.#quietly(async () => {
      const at = await this.#options.store.nextExpiry();
      if (at !== undefined) this.expect(at, SOON);
    });
  }

  // A store that fails now is tried again at the next tick; whoever answers meanwhile is told by their own call.
  async #quietly(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#running) this.#options.log.warn({ error: messageOf(error) }, 'cannot sweep the store');
    }
  }

  #gone(other: Presence, silent: number): boolean {
    const { silence, self, ownerId } = this.#options;
    if (other.id === ownerId) return false;
    const alive = lives(other.process, self);
    return alive === 'unknown' ? silence.of(other) > silent : !alive;
  }

  async #lose(owner: Presence): Promise<void> {
    const { lost, undelivered } = await this.#options.store.lose(owner.id, OWNER_GONE);
    if (undelivered > 0) this.#unclean = true;
    this.#options.silence.forget(owner.id);
    const words = lost > 0 ? '; its questions are lost' : '';
    this.#options.log.info({ pid: owner.process.pid, rows: lost, undelivered }, `a gateway is gone${words}`);
  }
}

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

/** Calls `beat` now and then every `ms`, never twice at once; returns the way to stop. A failed beat is logged. */
export function heartbeat(options: {
  beat: () => Promise<void>;
  ms: number;
  clock: Clock;
  log: Log;
}): () => void {
  let stopped = false;
  let timer: Timer | undefined;
  const again = async (): Promise<void> => {
    try {
      await options.beat();
    } catch (error) {
      if (!stopped) options.log.warn({ error: messageOf(error) }, 'cannot write a heartbeat to the store');
    }
    if (!stopped) timer = options.clock.after(options.ms, () => void again());
  };
  void again();
  return () => {
    stopped = true;
    timer?.cancel();
  };
}
