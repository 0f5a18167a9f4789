// How long a request that concerns every server waits for those that are still starting.
import type { Clock, Timer } from '../../clock.ts';
import { McpxError } from '../../errors.ts';

/** Milliseconds that the first server to be ready is kept waiting for the others. */
const GRACE = 3_000;

/**
 * One upstream that hangs must not take the others down: once one server is ready, the others have a little longer.
 * Until then all are waited for, since there is nothing to give.
 */
export class JointStart {
  readonly #clock: Clock;
  readonly #late = new AbortController();
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Aborts when servers that are not ready are to be left out. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  onReady(): void {
    this.#timer ??= this.#clock.after(GRACE, () =>
      this.#late.abort(new McpxError('timeout', 'it is still starting')),
    );
  }

  over(): void {
    this.#timer?.cancel();
  }
}
