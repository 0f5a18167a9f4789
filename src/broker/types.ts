// What the broker keeps and offers: rows, their changes, and the one way to answer.
import type { Action, JsonText, Mode, Revision } from '../protocol/types.ts';

/** docs/broker.md, "A row". Everything but `pending` is final, save that `deliveredAt`/`completedAt` follow. */
export type RowState = 'pending' | 'accepted' | 'declined' | 'cancelled' | 'expired' | 'withdrawn' | 'lost';

/** Who may answer a row. */
export type Audience = 'host' | 'human' | 'script' | 'agent' | 'policy';

/** Who did: `host`, `cli`, `tui`, `rest`, `script`, `agent`, `rule:<name>`, or `mcpx` (expiry, shut-down, a dead host). */
export type AnsweredBy = 'host' | 'cli' | 'tui' | 'rest' | 'script' | 'agent' | 'mcpx' | `rule:${string}`;

export interface Answer {
  readonly action: Action;
  /** The content of an accepted form, as JSON text; absent otherwise. */
  readonly content?: JsonText;
  readonly by: AnsweredBy;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
}

/** One question. Times are ISO 8601 UTC; what is not known is absent. */
export interface Row {
  /** `elc-` + 16 hex digits. */
  readonly id: string;
  readonly state: RowState;
  /** The key of the server in the config. */
  readonly server: string;
  readonly mode: Mode;
  readonly message: string;
  /** The `params` of the upstream's `elicitation/create`, exactly as they came. */
  readonly params: JsonText;
  /** Form rows: the schema as the upstream wrote it (a slice of `params`). */
  readonly requestedSchema?: JsonText;
  /** Url rows. */
  readonly url?: string;
  readonly elicitationId?: string;
  /** The host's request that raised the question, if known. */
  readonly method?: string;
  /** Tool or prompt name or resource URI, as the upstream knows it. */
  readonly tool?: string;
  /** `cal-` + 16 hex digits. */
  readonly call?: string;
  readonly host?: { readonly name: string; readonly revision: Revision; readonly inline: boolean };
  readonly principal: string;
  readonly audience: Audience;
  readonly sensitive: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly answer?: Answer;
  readonly deliveredAt?: string;
  readonly completedAt?: string;
  /** Answered, and the gateway that held the call was gone before the server had the answer (C52); `reason` says so. */
  readonly undelivered?: true;
  readonly reason?: string;
}

/** What the relay knows when a question arrives; the broker adds id, state and times. */
export interface NewRow {
  readonly server: string;
  readonly mode: Mode;
  readonly message: string;
  readonly params: JsonText;
  readonly requestedSchema?: JsonText;
  readonly url?: string;
  readonly elicitationId?: string;
  readonly method?: string;
  readonly tool?: string;
  readonly call?: string;
  readonly host?: { readonly name: string; readonly revision: Revision; readonly inline: boolean };
  readonly principal: string;
  readonly audience: Audience;
  readonly sensitive: boolean;
  /** How long it may stay pending, in milliseconds. */
  readonly ttl: number;
  /**
   * A question of a sealed 2026-07-28 round: no process holds its call, so that it outlives this one and can be
   * answered as long as it is pending.
   */
  readonly sealed?: boolean;
}

export interface RowFilter {
  /** Pending only when absent; `'all'` for every state. */
  readonly state?: RowState | 'all';
  readonly server?: string;
  readonly audience?: Audience;
  /** Only rows of this principal; absent for the local operator, who sees all. */
  readonly principal?: string;
  readonly limit?: number;
  /** Only what comes after the row with this id; nothing where there is no such row. */
  readonly after?: string;
}

/** A change of one row, in the order the store committed them; `seq` only grows. */
export interface Change {
  readonly seq: number;
  readonly event:
    | 'opened'
    | 'answered'
    | 'delivered'
    | 'undelivered'
    | 'completed'
    | 'expired'
    | 'withdrawn'
    | 'lost';
  readonly row: Row;
}

/** What came of an attempt to answer: exactly one attempt wins; the others get the row as the winner left it. */
export interface Settled {
  readonly won: boolean;
  readonly row: Row;
}

/**
 * The broker as every surface and the relay see it. All methods may throw McpxError `store_busy`, `store_readonly`,
 * `store_full`; none of them blocks the process on a lock.
 */
export interface Broker {
  readonly verdicts: EraVerdicts;
  /** Commits a new pending row. Nothing is asked anywhere before this resolves. */
  open(row: NewRow): Promise<Row>;
  /** The row with this id or unique prefix. McpxError `not_found`, or `usage` when the prefix fits several. */
  get(idOrPrefix: string): Promise<Row>;
  /** Soonest to expire first, then oldest. */
  list(filter?: RowFilter): Promise<Row[]>;
  /** The servers that questions can be of here. */
  servers(): Promise<ServersSeen>;
  /** How many pending rows would be lost with this process; those of sealed rounds outlive it. */
  countHeld(): Promise<number>;
  /**
   * The one way out of `pending` with an answer: one conditional update. `content` only with accept of a form.
   * McpxError `forbidden` for an accept of a URL that is not http or https (C25).
   */
  answer(
    id: string,
    answer: { action: Action; content?: JsonText; by: AnsweredBy; reason?: string },
  ): Promise<Settled>;
  /** The asker took the question back. */
  withdraw(id: string, reason: string): Promise<Settled>;
  /** Whoever held the call is gone; an answer would reach nobody. */
  lose(id: string, reason: string): Promise<Settled>;
  /** Notes on a pending row why a host could not answer it, or that it is (not) shown inline. */
  note(id: string, note: { reason?: string; inline?: boolean }): Promise<void>;
  /** The upstream has the answer. */
  delivered(id: string): Promise<Row>;
  /** The person finished at the URL. */
  completed(id: string): Promise<Row>;
  /** Resolves with the row once it is no longer pending, whichever process settled it. Rejects only on abort. */
  settled(id: string, signal?: AbortSignal): Promise<Row>;
  /** Resolves once `deliveredAt` or `undelivered` is set, or with the row as it is after `ms`. */
  awaitDelivery(id: string, ms: number): Promise<Row>;
  /** Resolves once `completedAt` is set, or with the row as it is after `ms`. Rejects when `signal` aborts. */
  awaitCompletion(id: string, ms: number, signal: AbortSignal): Promise<Row>;
  /** The number of the newest change, from which `changes` can go on. */
  lastSeq(): Promise<number>;
  /** Changes from every process, after `since` (default: from now on), until `signal` aborts. */
  changes(options: { since?: number; signal: AbortSignal }): AsyncIterable<Change>;
  /** Says that a person or program is watching (`tui`, `watch`, …), by heartbeat, until `signal` aborts. */
  watching(kind: 'tui' | 'watch' | 'wait' | 'prompt' | 'events', signal: AbortSignal): void;
  /** Whether anybody is watching now. */
  watched(): Promise<boolean>;
  /** What has happened to the store's files since it was opened; undefined where nothing has (C50). */
  trouble(): StoreTrouble | undefined;
  /** Calls `listener` each time the store has been opened anew, its directory included. */
  onReopened(listener: () => void): void;
  /** Ends timers and watches and closes the store. Rows this process owns become `lost` with `reason` when it is given. */
  close(reason?: string): Promise<void>;
}

/** The files of the store were taken away while it was open. */
export interface StoreTrouble {
  /** `unavailable` until it could be opened anew; questions cannot be kept meanwhile. */
  readonly state: 'unavailable' | 'reopened';
  /** What happened to which file. */
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  /** Why it could not be opened anew yet. */
  readonly error?: string;
}

/** Names of servers: of the gateways that are there, and of rows. */
export interface ServersSeen {
  readonly names: readonly string[];
  /** Whether these are all: not where a gateway does not say which servers it has. */
  readonly complete: boolean;
}

/** What a surface needs of the broker: the store of this machine has it, and so has a gateway far away (`--url`). */
export type BrokerClient = Pick<
  Broker,
  | 'get'
  | 'list'
  | 'servers'
  | 'answer'
  | 'completed'
  | 'settled'
  | 'awaitDelivery'
  | 'awaitCompletion'
  | 'changes'
  | 'watching'
  | 'close'
>;

/**
 * What a server was found to speak: `modern-only` where it also refused `initialize`, `modern-first` where its legacy side
 * gives no session, so that only the modern one can ask.
 */
export type EraVerdict = 'legacy' | 'modern' | 'modern-only' | 'modern-first';

/** What is known of servers across processes, each verdict for 24 h. `key` is a digest of a server's configuration. */
export interface EraVerdicts {
  get(key: string): Promise<EraVerdict | undefined>;
  /** Undefined forgets it. */
  set(key: string, verdict: EraVerdict | undefined): Promise<void>;
}
