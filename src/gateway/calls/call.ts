// One host request carried to one upstream: its timers, which stop while a question is open, and its end.
// This folder: in come a request and a channel, out goes the outcome of one call, also to a host that was away meanwhile.

import { setMaxListeners } from 'node:events';
import { newCallId } from '../../broker/ids.ts';
import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { Exchange } from '../../host/types.ts';
import type { BlockedUrls } from '../questions/blocked-urls.ts';
import type { Requester } from '../requesters.ts';
import type { ProgressSink } from './progress.ts';

export interface CallOptions {
  /** Where it was named before it began. */
  readonly id?: string;
  readonly context: RequestContext;
  readonly server: string;
  readonly method: string;
  /** Tool or prompt name, or resource URI, as the upstream knows it. */
  readonly target: string | undefined;
  readonly clock: Clock;
  /** Milliseconds the upstream has, questions not counted (`serve.callTimeout`). */
  readonly timeout: number;
  /** Milliseconds in all, questions included (`serve.callCeiling`). */
  readonly ceiling: number;
}

/** A call from its start to its one end. `id` is also the ticket that attributes what comes on its stream. */
export class Call {
  readonly id: string;
  readonly context: RequestContext;
  readonly server: string;
  readonly method: string;
  readonly target: string | undefined;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #cut = new AbortController();
  readonly #ceiling: Timer;
  #timer: Timer | undefined;
  readonly #timeout: number;
  #left: number;
  #since = 0;
  #holds = 0;

  constructor(options: CallOptions) {
    this.id = options.id ?? newCallId();
    this.context = options.context;
    this.server = options.server;
    this.method = options.method;
    this.target = options.target;
    // However many questions a call has open, each listens; that is no leak.
    setMaxListeners(0, this.#ending.signal, this.#cut.signal);
    this.#clock = options.clock;
    this.#timeout = options.timeout;
    this.#left = options.timeout;
    this.#ceiling = options.clock.after(options.ceiling, () =>
      this.cut(
        new McpxError(
          'timeout',
          `${this.server} was given up: the call lasted longer than serve.callCeiling`,
        ),
      ),
    );
    const { signal } = options.context.exchange;
    setMaxListeners(0, signal);
    if (signal.aborted) this.#onCancelled();
    else signal.addEventListener('abort', this.#onCancelled, { once: true });
    this.#arm();
  }

  get host(): Requester {
    return this.context.host;
  }

  /** Aborts when the upstream's request must be given up: the host cancelled, time ran out, mcpx shuts down. */
  get signal(): AbortSignal {
    return this.#cut.signal;
  }

  /** Aborts when the call is over, however it ended; its open questions end with it. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /** Gives the call up. */
  cut(reason: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#cut.abort(reason);
    this.finish(reason);
  }

  /** Ends the call's bookkeeping; calling it again does nothing. */
  finish(reason: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#timer?.cancel();
    this.#ceiling.cancel();
    this.context.exchange.signal.removeEventListener('abort', this.#onCancelled);
    this.#ending.abort(reason);
  }

  /** Gives the upstream its whole time again: another request of the same call is about to be sent. */
  restart(): void {
    this.#left = this.#timeout;
    if (this.#holds > 0) return;
    this.#timer?.cancel();
    this.#arm();
  }

  /** Stops the upstream's timer until the returned function is called; holds add up (C21). */
  pauseTimeout(): () => void {
    this.#holds += 1;
    if (this.#holds === 1 && this.#timer) {
      this.#timer.cancel();
      this.#timer = undefined;
      this.#left -= this.#clock.monotonic() - this.#since;
    }
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holds -= 1;
      if (this.#holds === 0) this.#arm();
    };
  }

  readonly #onCancelled = (): void => this.cut(this.context.exchange.signal.reason);

  #arm(): void {
    if (this.#ending.signal.aborted) return;
    this.#since = this.#clock.monotonic();
    this.#timer = this.#clock.after(this.#left, () =>
      this.cut(
        new McpxError(
          'timeout',
          `${this.server} did not answer in time`,
          'raise serve.callTimeout, or callTimeout of this server',
        ),
      ),
    );
  }
}

export interface RequestContext {
  readonly host: Requester;
  /** What is asked for; what it is told reaches every request of the host that waits for the same. */
  readonly exchange: Exchange;
  readonly progress: ProgressSink | undefined;
  /** The request of the host that is open now, on whose stream it can be asked; undefined while none is. */
  readonly open: () => Exchange | undefined;
  /** Takes url questions that cannot be put to the host inline; absent where the host knows no -32042. */
  readonly blocked?: BlockedUrls;
  /** The only server that it may go to, since what it carries was given by that one. */
  readonly pinned?: string;
}
