// The broker over a store: rows are opened, answered once, waited for and followed.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Action, JsonText } from '../protocol/types.ts';
import { Anchor, WallJumps } from './anchor.ts';
import { followChanges } from './changes.ts';
import type { Drafts } from './drafts.ts';
import { fitsSeveral, newRowId, notFound } from './ids.ts';
import { KeepRunning } from './keep-running.ts';
import { checkMayAnswer } from './may-answer.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { sealAnswer } from './sealed-answer.ts';
import { SealedAnswers } from './sealed-answers.ts';
import type { AskedRow, Outcome, Presence, Store } from './store.ts';
import { BEAT, heartbeat, Silence, Sweeper } from './sweeper.ts';
import type {
  Broker,
  Change,
  EraVerdicts,
  NewRow,
  Row,
  RowFilter,
  ServersSeen,
  Settled,
  StoreTrouble,
} from './types.ts';
import { isDelivered, Waiters } from './waiters.ts';

export interface StoreBrokerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly self: ProcessIdentity;
  /** Drafts of people, which go with their questions. */
  readonly drafts?: Drafts;
  /** A gateway holds calls: its rows belong to it, and go with it. */
  readonly role: 'gateway' | 'command';
  /** Milliseconds that settled rows are kept. */
  readonly keep: number;
  /** The most bytes an answer to a row opened here may have (`limits.answerBytes`). */
  readonly answerBytes?: number;
  /** The servers that a gateway stands before. */
  readonly servers?: readonly string[];
}

const STATE_OF: Readonly<Record<Action, Outcome['state']>> = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
};

/** Milliseconds between two looks at the gateway that is to take an answer. */
const OWNER_LOOK = 500;
const PRUNE_EVERY = 3_600_000;

export class StoreBroker implements Broker {
  readonly verdicts: EraVerdicts;
  readonly #options: StoreBrokerOptions;
  readonly #store: Store;
  readonly #ownerId: string | undefined;
  readonly #jumps: WallJumps;
  readonly #anchor: Anchor;
  readonly #sweeper: Sweeper;
  readonly #waiters: Waiters;
  readonly #sealed: SealedAnswers;
  readonly #keepRunning = new KeepRunning();
  readonly #closing = new AbortController();
  /** What has to stop before the store closes. */
  readonly #stops = new Set<() => void>();

  constructor(options: StoreBrokerOptions) {
    const { store, clock, log, self } = options;
    this.#options = options;
    this.#store = store;
    this.verdicts = store.verdicts;
    this.#ownerId = options.role === 'gateway' ? randomUUID() : undefined;
    this.#jumps = new WallJumps(clock);
    this.#anchor = new Anchor({
      store,
      log,
      jumps: this.#jumps,
      ownerId: this.#ownerId,
    });
    const silence = new Silence(clock, this.#jumps);
    const anchored = (): Promise<void> => this.#anchor.moved();
    this.#sweeper = new Sweeper({
      store,
      clock,
      log,
      self,
      ownerId: this.#ownerId,
      silence,
      anchored,
      drafts: options.drafts,
    });
    this.#waiters = new Waiters(store, clock, log);
    this.#sealed = new SealedAnswers(store, clock, log);
  }

  /** Sweeps once; a gateway then goes on sweeping, beating and pruning until it closes. */
  async start(): Promise<void> {
    const { clock, log, keep } = this.#options;
    const owner = this.#owner();
    if (owner === undefined) {
      // A command that only reads must not fail because it cannot tidy up.
      await this.#sweeper.sweep().catch((error) => log.debug({ error: messageOf(error) }, 'cannot sweep'));
      return;
    }
    this.#store.carryFor(owner);
    await this.#store.presences.beat(owner);
    await this.#sweeper.sweep();
    this.#sweeper.start();
    // Others trust a beat to be of the clock by which this gateway's rows expire.
    const beat = async (): Promise<void> => {
      await this.#anchor.moved();
      await this.#anchor.look();
      await this.#store.presences.beat({ ...owner, seen: clock.now() });
    };
    this.#stops.add(heartbeat({ beat, ms: BEAT, clock, log }));
    const prune = async (): Promise<void> => {
      await this.#anchor.moved();
      // A clock that has just jumped may be about to be set right: what is deleted does not come back.
      if (!this.#jumps.within(PRUNE_EVERY)) await this.#store.prune(clock.now() - keep);
    };
    this.#stops.add(heartbeat({ beat: prune, ms: PRUNE_EVERY, clock, log }));
  }

  async open(facts: NewRow): Promise<Row> {
    await this.#anchor.moved();
    const now = this.#options.clock.now();
    const { ttl, sealed, ...rest } = facts;
    const row: Row = {
      id: newRowId(),
      state: 'pending',
      ...rest,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + ttl).toISOString(),
    };
    const owner = sealed ? undefined : this.#owner();
    const { answerBytes } = this.#options;
    const answerKey = row.sensitive && owner !== undefined ? this.#sealed.newKey(row.id) : undefined;
    await this.#store.insert(row, owner, {
      ...(answerBytes !== undefined && { answerBytes }),
      ...(answerKey !== undefined && { answerKey }),
    });
    if (owner === undefined) this.#anchor.note(row.id, now + ttl);
    this.#sweeper.expect(now + ttl);
    return row;
  }

  async get(idOrPrefix: string): Promise<Row> {
    const exact = await this.#store.get(idOrPrefix);
    if (exact !== undefined) return exact;
    const ids = idOrPrefix === '' ? [] : await this.#store.find(idOrPrefix, 2);
    const [id] = ids;
    if (id === undefined) throw notFound(idOrPrefix);
    if (ids.length > 1) throw fitsSeveral(idOrPrefix);
    return this.#known(id, await this.#store.get(id));
  }

  list(filter: RowFilter = {}): Promise<Row[]> {
    return this.#store.list(filter);
  }

  async servers(): Promise<ServersSeen> {
    const owners = (await this.#store.presences.owners()).filter((owner) => !this.#sweeper.isGone(owner));
    const names = new Set(owners.flatMap(({ servers }) => servers ?? []));
    for (const name of await this.#store.servers()) names.add(name);
    return { names: [...names], complete: owners.every(({ servers }) => servers !== undefined) };
  }

  async countHeld(): Promise<number> {
    return this.#ownerId === undefined ? 0 : this.#store.countOpen(this.#ownerId);
  }

  async answer(id: string, answer: Parameters<Broker['answer']>[1]): Promise<Settled> {
    await this.#sweeper.checkOwner(id);
    const asked = await this.#store.asked(id);
    if (asked === undefined) throw notFound(id);
    if (asked.row.state === 'pending') checkMayAnswer(asked, answer);
    const { action, by, reason } = answer;
    // C06: decline and cancel carry no content, whoever sent one along.
    const content = action === 'accept' ? answer.content : undefined;
    const kept = content === undefined ? {} : keptContent(asked, content);
    return this.#settle(id, {
      state: STATE_OF[action],
      answer: { action, by, ...('content' in kept && { content: kept.content }) },
      ...('sealed' in kept && { sealed: kept.sealed }),
      ...(reason === undefined ? undefined : { reason }),
    });
  }

  withdraw(id: string, reason: string): Promise<Settled> {
    return this.#settle(id, { state: 'withdrawn', reason });
  }

  lose(id: string, reason: string): Promise<Settled> {
    return this.#settle(id, { state: 'lost', reason });
  }

  note(id: string, note: { reason?: string; inline?: boolean }): Promise<void> {
    return this.#store.note(id, note);
  }

  async delivered(id: string): Promise<Row> {
    const row = this.#known(id, await this.#store.mark(id, 'delivered'));
    this.#sealed.delivered(id);
    return row;
  }

  async completed(id: string): Promise<Row> {
    return this.#known(id, await this.#store.mark(id, 'completed'));
  }

  async settled(id: string, signal?: AbortSignal): Promise<Row> {
    const row = this.#known(id, await this.#store.get(id));
    if (row.state !== 'pending') return this.#sealed.opened(row);
    const settled = await this.#awaiting(this.#waiters.until(id, (now) => now.state !== 'pending', signal));
    this.#store.release(id);
    return this.#sealed.opened(settled);
  }

  async awaitDelivery(id: string, ms: number): Promise<Row> {
    const { clock, log } = this.#options;
    // Sooner than a sweep would: whoever has answered waits to hear whether the gateway is still there (C52).
    const look = (): Promise<void> => this.#sweeper.checkOwner(id);
    const stop = heartbeat({ beat: look, ms: OWNER_LOOK, clock, log });
    try {
      const row = await this.#within(id, ms, isDelivered);
      if (isDelivered(row)) return row;
      await look().catch((error) => log.debug({ error: messageOf(error) }, 'cannot look after the gateway'));
      return await this.get(id);
    } finally {
      stop();
    }
  }

  awaitCompletion(id: string, ms: number, signal: AbortSignal): Promise<Row> {
    return this.#within(id, ms, (row) => row.completedAt !== undefined, signal);
  }

  lastSeq(): Promise<number> {
    return this.#store.lastSeq();
  }

  changes(options: { since?: number; signal: AbortSignal }): AsyncIterable<Change> {
    // Asked for at once, not at the first step: "from now on" means from this call.
    const start = options.since === undefined ? this.#store.lastSeq() : Promise.resolve(options.since);
    start.catch(() => {});
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    return followChanges({ store: this.#store, start, signal, keepRunning: () => this.#awake() });
  }

  watching(kind: Parameters<Broker['watching']>[0], signal: AbortSignal): void {
    const { clock, log, self } = this.#options;
    if (signal.aborted) return;
    const id = randomUUID();
    const beat = (): Promise<void> =>
      this.#store.presences.beatWatcher({ id, process: self, seen: clock.now() }, kind);
    const stopBeating = heartbeat({ beat, ms: BEAT, clock, log });
    const stop = (): void => {
      this.#stops.delete(stop);
      signal.removeEventListener('abort', stop);
      stopBeating();
      this.#store.presences
        .forgetWatcher(id)
        .catch((error) => log.debug({ error: messageOf(error) }, 'cannot unwatch'));
    };
    this.#stops.add(stop);
    signal.addEventListener('abort', stop, { once: true });
  }

  trouble(): StoreTrouble | undefined {
    return this.#store.trouble();
  }

  onReopened(listener: () => void): void {
    this.#store.onReopened(listener);
  }

  watched(): Promise<boolean> {
    return this.#sweeper.watched();
  }

  async close(reason?: string): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#sweeper.stop();
    for (const stop of this.#stops) stop();
    try {
      if (this.#ownerId !== undefined && reason !== undefined) await this.#store.lose(this.#ownerId, reason);
      else if (this.#ownerId !== undefined) await this.#store.presences.forgetOwner(this.#ownerId);
      await this.#sealed.close();
      if (reason !== undefined) await this.#sweepDrafts();
    } catch (error) {
      // The next process to look finds the owner gone and loses its rows.
      this.#options.log.warn({ error: messageOf(error) }, 'cannot settle the open questions at shut-down');
    }
    await this.#waiters.close(new McpxError('interrupted', 'mcpx is shutting down.'));
    await this.#store.close();
  }

  async #settle(id: string, outcome: Outcome): Promise<Settled> {
    await this.#anchor.moved();
    const settled = await this.#store.settle(id, outcome, this.#sweeper);
    this.#store.release(id);
    if (settled === undefined) throw notFound(id);
    await this.#options.drafts?.remove(id);
    return settled;
  }

  /** Of rows that ended with others, nobody named each. */
  async #sweepDrafts(): Promise<void> {
    await this.#options.drafts?.sweep(async (id) => (await this.#store.get(id))?.state === 'pending');
  }

  #owner(): Presence | undefined {
    if (this.#ownerId === undefined) return undefined;
    const { self, clock, servers } = this.#options;
    return { id: this.#ownerId, process: self, seen: clock.now(), ...(servers && { servers }) };
  }

  #known(id: string, row: Row | undefined): Row {
    if (row === undefined) throw notFound(id);
    return row;
  }

  /** The row once `done` holds for it, or as it is after `ms`. */
  async #within(id: string, ms: number, done: (row: Row) => boolean, signal?: AbortSignal): Promise<Row> {
    const late = new AbortController();
    const timer = this.#options.clock.after(ms, () => late.abort());
    try {
      return await this.#awaiting(
        this.#waiters.until(
          id,
          done,
          signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
        ),
      );
    } catch (error) {
      if (!late.signal.aborted) throw error;
      return this.#known(id, await this.#store.get(id));
    } finally {
      timer.cancel();
    }
  }

  async #awaiting(wait: Promise<Row>): Promise<Row> {
    const release = this.#awake();
    try {
      return await wait;
    } finally {
      release();
    }
  }

  /** While a command waits it also sweeps: there may be no gateway left to do so. */
  #awake(): () => void {
    this.#sweeper.start();
    return this.#keepRunning.take();
  }
}

/** The content as it is kept: of a sensitive question only sealed, or where nobody could open it not at all (ELI-13). */
function keptContent(
  { row, answerKey }: AskedRow,
  content: JsonText,
): { content: JsonText } | { sealed: string } | Record<string, never> {
  if (!row.sensitive) return { content };
  return answerKey === undefined ? {} : { sealed: sealAnswer(answerKey, row.id, content) };
}
