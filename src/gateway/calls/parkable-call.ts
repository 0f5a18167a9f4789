// A call whose host can be answered before it has ended: it goes on without the host, which comes back for it.
import { newCallId } from '../../broker/ids.ts';
import type { McpxError } from '../../errors.ts';
import type { Exchange } from '../../host/types.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Progress, ProgressSink } from './progress.ts';

/** What a request of the host gets that waits for a call: the final reply, or what the host has to do first. */
export type Interim<T> = { readonly reply: Reply } | { readonly first: T };

/** Where what the host has to do first comes from. */
export interface Interruptions<T> {
  /** Resolves once there is something that the host has to be told now. Rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<T>;
}

/** What a call says of itself to the table of all such calls. */
export interface Parking {
  /** Why no other call may be parked now; undefined where one may. */
  whyFull(): McpxError | undefined;
  /** The call is about to be parked. */
  add(call: ParkableCall<unknown>): void;
  /** A request of the host has begun or stopped to wait for the call. */
  changed(call: ParkableCall<unknown>): void;
  /** The call has its outcome. */
  ended(call: ParkableCall<unknown>): void;
}

/** One request of the host that waits. */
interface Waiting<T> {
  readonly progress: Progress | undefined;
  resolve(interim: Interim<T>): void;
  leave(): void;
}

const NOBODY_WAITS = 'no request of the host waits any more';

/**
 * One call, run once, and the requests of its host that wait for it: any number at once, none while it is parked. Closing
 * the last of them cancels the call; answering them with what the host has to do first parks it (ELI-12, ELI-17).
 */
export class ParkableCall<T> {
  readonly id: string;
  readonly principal: string;
  /** What the relay sees of the host's request: what is sent to it reaches every request that waits. */
  readonly exchange: Exchange;
  /** Progress reaches every request that waits under its own token. */
  readonly progress: ProgressSink;
  readonly #parking: Parking;
  readonly #interruptions: Interruptions<T>;
  readonly #waiting = new Map<Exchange, Waiting<T>>();
  readonly #onFlow = new Set<() => void>();
  readonly #cancelled = new AbortController();
  readonly #ended = new AbortController();
  #newest: Exchange | undefined;
  #listening: AbortController | undefined;
  #outcome: Reply | undefined;
  #failure: unknown;

  constructor(options: {
    /** `cal-` and 16 hex digits, where the call was named before it began. */
    readonly id?: string;
    readonly principal: string;
    readonly parking: Parking;
    readonly interruptions: Interruptions<T>;
    /** What is called; the same for every request that waits for it. */
    readonly request: Pick<Exchange, 'method' | 'params' | 'streams'>;
  }) {
    const { method, params, streams } = options.request;
    this.id = options.id ?? newCallId();
    this.principal = options.principal;
    this.#parking = options.parking;
    this.#interruptions = options.interruptions;
    const isFull = (): boolean => [...this.#waiting.keys()].some(({ flow }) => flow?.full === true);
    const reader = (): object | undefined => this.#newest?.flow?.reader;
    this.exchange = {
      flow: {
        get full() {
          return isFull();
        },
        get reader() {
          return reader();
        },
        onChange: (listener) => void this.#onFlow.add(listener),
      },
      method,
      params,
      streams,
      signal: this.#cancelled.signal,
      notify: (note, text) => this.#notify(note, text),
    };
    const all = (): (Progress | undefined)[] => [...this.#waiting.values()].map(({ progress }) => progress);
    this.progress = {
      relay: (text) => {
        for (const progress of all()) progress?.relay(text);
      },
      keepAlive: (message) => {
        for (const progress of all()) progress?.keepAlive(message);
      },
    };
  }

  /** The final reply, once there is one. */
  get outcome(): Reply | undefined {
    return this.#outcome;
  }

  /** Why mcpx itself made an error of the outcome; undefined for an outcome of the upstream's. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Whether a request of the host waits for it. */
  get awaited(): boolean {
    return this.#waiting.size > 0;
  }

  /** Whether it runs on and no request of its host is open. */
  get parked(): boolean {
    return this.#outcome === undefined && this.#waiting.size === 0;
  }

  /** Aborts once there is an outcome. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The host's newest request of this call, also when it has been answered; undefined before the first. */
  get newest(): Exchange | undefined {
    return this.#newest;
  }

  /** Runs the call; to be called once. What `work` rejects with is the call's failure, and `spell` makes a reply of it. */
  async run(work: () => Promise<Reply>, spell: (failure: unknown) => Reply): Promise<void> {
    let outcome: Reply;
    try {
      outcome = await work();
    } catch (failure) {
      this.#failure = failure;
      outcome = spell(failure);
    }
    this.#outcome = outcome;
    this.#answer({ reply: outcome });
    this.#ended.abort('the call has ended');
    this.#parking.ended(this);
  }

  /** A request of the host waits for this call until it is answered or closed; closed, it rejects with its signal's reason. */
  attach(exchange: Exchange, progress: Progress | undefined): Promise<Interim<T>> {
    this.#newest = exchange;
    if (this.#outcome) return Promise.resolve({ reply: this.#outcome });
    return new Promise((resolve, reject) => {
      const { signal } = exchange;
      const onAbort = (): void => {
        this.#waiting.delete(exchange);
        reject(signal.reason);
        if (this.#waiting.size === 0) this.cut(signal.reason);
        this.#onWaitingChanged();
      };
      const leave = (): void => signal.removeEventListener('abort', onAbort);
      this.#waiting.set(exchange, { progress, resolve, leave });
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      exchange.flow?.onChange(() => this.#tellFlow());
      this.#onWaitingChanged();
    });
  }

  /** Gives the call up. */
  cut(reason: unknown): void {
    this.#cancelled.abort(reason);
  }

  #answer(interim: Interim<T>): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#onWaitingChanged();
    for (const { leave, resolve } of waiting) {
      leave();
      resolve(interim);
    }
  }

  /** Listens for interruptions exactly while somebody waits who could be told of them. */
  #onWaitingChanged(): void {
    this.#parking.changed(this);
    this.#tellFlow();
    if (this.#waiting.size === 0) {
      this.#listening?.abort(NOBODY_WAITS);
      this.#listening = undefined;
    } else if (this.#listening === undefined) {
      const listening = new AbortController();
      this.#listening = listening;
      this.#interruptions.next(listening.signal).then(
        (first) => this.#interrupt(first),
        () => {},
      );
    }
  }

  #tellFlow(): void {
    for (const listener of this.#onFlow) listener();
  }

  #interrupt(first: T): void {
    this.#listening = undefined;
    if (this.#waiting.size === 0) return;
    const full = this.#parking.whyFull();
    if (full !== undefined) {
      // The requests that wait get this as the end of the call.
      this.cut(full);
      return;
    }
    this.#parking.add(this);
    this.#answer({ first });
  }

  #notify(note: string, text: JsonText | undefined): void {
    for (const exchange of this.#waiting.keys()) exchange.notify(note, text);
  }
}
