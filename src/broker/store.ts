// What the broker needs of a store. SQLite implements it here; nothing above it knows SQL or how many processes write.
import type { ProcessIdentity } from './process-identity.ts';
import type {
  Answer,
  Change,
  EraVerdicts,
  Row,
  RowFilter,
  RowState,
  Settled,
  StoreTrouble,
} from './types.ts';

/** A process that holds calls, or one that watches; `seen` is its last heartbeat in milliseconds since the epoch. */
export interface Presence {
  readonly id: string;
  readonly process: ProcessIdentity;
  readonly seen: number;
  /** Of a gateway: the servers it stands before, if it says so. */
  readonly servers?: readonly string[];
}

/** How a row leaves `pending`. */
export interface Outcome {
  readonly state: Exclude<RowState, 'pending'>;
  readonly answer?: Omit<Answer, 'at'>;
  /** The content of an answer as only the owner can read it, in place of `answer.content`. */
  readonly sealed?: string;
  readonly reason?: string;
}

/** What the gateway that opened a row lays down for its answer. */
export interface AnswerTerms {
  /** The most bytes its content may have. */
  readonly answerBytes?: number;
  /** The key that the answer to a sensitive question is sealed with. */
  readonly answerKey?: string;
}

/** Whose rows are not to be expired from here now: their owner's clock and this one's do not agree (C49). */
export interface Doubts {
  readonly owners: readonly string[];
  /** Those that no gateway owns. */
  readonly unowned: boolean;
}

/** What a process knows of the others when it settles a row. */
export interface Judge {
  isGone(owner: Presence): boolean;
  doubts(owners: readonly Presence[]): Doubts;
}

/** Why rows of an owner that is not there any more are lost. */
export const OWNER_GONE = 'the gateway that held the call is gone';

/** How many rows of a gateway that is gone were changed: questions that are lost, and answers it had not passed on. */
export interface Bereft {
  readonly lost: number;
  readonly undelivered: number;
}

/** A row with its terms. */
export interface AskedRow extends AnswerTerms {
  readonly row: Row;
}

/** A change without its row, for those who only wait for certain rows. */
export interface ChangeMark {
  readonly seq: number;
  readonly id: string;
}

/** Who is there: processes that hold calls, and those that watch. */
export interface Presences {
  owners(): Promise<Presence[]>;
  /** Records an owner, or its heartbeat. */
  beat(owner: Presence): Promise<void>;
  forgetOwner(ownerId: string): Promise<void>;
  watchers(): Promise<Presence[]>;
  beatWatcher(watcher: Presence, kind: string): Promise<void>;
  forgetWatcher(id: string): Promise<void>;
}

/**
 * All times are milliseconds since the epoch. Every method may reject with McpxError `store_busy`, `store_readonly`,
 * `store_full`, `store_damaged` or `failure`; none blocks the event loop for longer than one short driver wait.
 * Every change of a row's state is appended, in the same transaction, to the list that `changes` reads.
 */
export interface Store {
  readonly presences: Presences;
  readonly verdicts: EraVerdicts;

  /** The owner whose open rows are written again where the store has to be opened anew (C50). */
  carryFor(owner: Presence): void;
  /** A row that this process opened is not open any more. */
  release(id: string): void;
  /** What has happened to the store's files since it was opened; undefined where nothing has. */
  trouble(): StoreTrouble | undefined;
  /** Calls `listener` each time the store has been opened anew. */
  onReopened(listener: () => void): void;

  /** Adds a pending row. `owner` is recorded beside it if it is not known yet. */
  insert(row: Row, owner: Presence | undefined, terms: AnswerTerms): Promise<void>;
  get(id: string): Promise<Row | undefined>;
  asked(id: string): Promise<AskedRow | undefined>;
  /** The sealed content of an answer that has not been delivered; it is no part of the row. */
  sealed(id: string): Promise<string | undefined>;
  /** Ids that begin with `prefix`, at most `limit`. */
  find(prefix: string, limit: number): Promise<string[]>;
  /** Soonest to expire first, then oldest. */
  list(filter: RowFilter): Promise<Row[]>;
  /** The servers that rows are of, in any state. */
  servers(): Promise<string[]>;
  /** How many pending rows an owner has. */
  countOpen(ownerId: string): Promise<number>;
  /**
   * The one way out of `pending`: a conditional update in a transaction of its own. An answer to a row that is past
   * due finds it expired, one to a row whose owner `isGone` finds it lost, also where that came about while a lock was
   * waited for. Undefined for an unknown id.
   */
  settle(id: string, outcome: Outcome, judge?: Judge): Promise<Settled | undefined>;
  /** Sets reason and inline of a pending row; does nothing to any other. */
  note(id: string, note: { reason?: string; inline?: boolean }): Promise<void>;
  /**
   * Sets the time once; `delivered` only on a row that is not pending: a sealed answer is erased with it, and it is not
   * `undelivered` any more. Undefined for an unknown id.
   */
  mark(id: string, what: 'delivered' | 'completed'): Promise<Row | undefined>;
  /** Erases a sealed answer. */
  erase(id: string): Promise<void>;
  /** Erases the sealed answers whose owner is not recorded any more; how many. */
  eraseOrphans(): Promise<number>;
  /** Takes what was erased out of the log of changes too; false while somebody reads there. */
  scrub(): Promise<boolean>;

  /** The number of the newest change; 0 where there is none. */
  lastSeq(): Promise<number>;
  /** Changes after `seq`, in commit order, each with the row as that change left it. */
  changes(seq: number, limit: number): Promise<Change[]>;
  marks(seq: number, limit: number): Promise<ChangeMark[]>;
  /** Calls `listener` after a change by any process, and now and then without one. Returns the way to stop. */
  onChange(listener: () => void): () => void;

  /** Expires every pending row that is past due, but for those of `doubts`; how many. */
  expire(doubts?: Doubts): Promise<number>;
  /** When the pending rows expire that no gateway owns. */
  unownedExpiries(): Promise<(readonly [id: string, expiresAt: number])[]>;
  /**
   * Moves, by `by` milliseconds, when the pending rows of `owner` expire, and when those of `unowned` do that still
   * expire when it says: the wall clock has jumped.
   */
  moveExpiries(
    owner: string,
    unowned: Iterable<readonly [id: string, expiresAt: number]>,
    by: number,
  ): Promise<void>;
  /** When the next pending row expires. */
  nextExpiry(): Promise<number | undefined>;
  /** The owner of a row; undefined for a row that never had one. */
  ownerOf(id: string): Promise<Presence | 'unrecorded' | undefined>;
  /**
   * Makes the pending rows of an owner `lost`, marks its answers that were not delivered as `undelivered` and erases the
   * sealed ones, and forgets the owner.
   */
  lose(ownerId: string, reason: string): Promise<Bereft>;
  /** The same for the rows of all owners that are no longer recorded. */
  loseOrphans(reason: string): Promise<Bereft>;

  /** Deletes what was settled before `before`, a bounded number at a time; how many rows went. */
  prune(before: number): Promise<number>;
  close(): Promise<void>;
}
