// Responses that a principal's hosts have not read: beyond a bound those that stand still for long are cut (C51).
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';

/** Milliseconds in which even a slow reader takes a response from the buffers it waits in. */
const PATIENCE = 10_000;
/** Timers may fire a little early. */
const SPARE = 100;

interface Waiting {
  readonly bytes: number;
  readonly since: number;
}

/**
 * Requests of 2026-07-28 stand alone, so that no host is known to be the one before: they are counted by principal. None
 * waits for another, since it may be another host's.
 */
export class Unread {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #onCut: () => void;
  /** In the order in which they began to wait. */
  readonly #waiting = new Map<ServerResponse, Waiting>();
  #bytes = 0;

  /** `most` is in bytes; `onCut` is told of every response that is cut. */
  constructor(most: number, clock: Clock, onCut: () => void) {
    this.#most = most;
    this.#clock = clock;
    this.#onCut = onCut;
  }

  /** Takes note of a response that has ended, until it has gone out or its connection is closed. */
  add(response: ServerResponse, bytes: number): void {
    if (response.writableFinished || response.destroyed) return;
    this.#waiting.set(response, { bytes, since: this.#clock.monotonic() });
    this.#bytes += bytes;
    const gone = (): void => {
      timer.cancel();
      if (this.#waiting.delete(response)) this.#bytes -= bytes;
    };
    const timer = this.#clock.after(PATIENCE + SPARE, () => this.#cut());
    response.once('finish', gone);
    response.once('close', gone);
    this.#cut();
  }

  #cut(): void {
    const before = this.#clock.monotonic() - PATIENCE;
    for (const [response, { bytes, since }] of [...this.#waiting]) {
      if (this.#bytes <= this.#most || since > before) return;
      this.#waiting.delete(response);
      this.#bytes -= bytes;
      this.#onCut();
      response.destroy();
    }
  }
}
