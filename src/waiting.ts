// Waiting that can be given up: for a promise, for some time, for longer each time, for a change; and for one's turn.
import type { Clock } from './clock.ts';

/**
 * The promise, or a rejection with the signal's reason, whichever comes first. What it waits for goes on, since others
 * may wait for it too.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) {
      onAbort();
      promise.catch(() => {});
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Characters beyond which a text is large: walking through it takes a millisecond and more. */
const LARGE = 256 * 1024;

export function isLarge(text: string): boolean {
  return text.length > LARGE;
}

/**
 * For work that takes time by the length of a text which a peer has chosen: before a large one everything else gets its
 * turn (C48).
 */
export async function turnFor(text: string): Promise<void> {
  if (isLarge(text)) await new Promise((resolve) => setImmediate(resolve));
}

/** Pauses in milliseconds, each twice as long as the one before, up to the longest. */
export class Backoff {
  readonly #first: number;
  readonly #longest: number;
  #next: number;

  constructor(first: number, longest: number) {
    this.#first = first;
    this.#longest = longest;
    this.#next = first;
  }

  /** The pause to make now. */
  next(): number {
    const now = this.#next;
    this.#next = Math.min(now * 2, this.#longest);
    return now;
  }

  /** What was waited for has come: the next pause is the first again. */
  reset(): void {
    this.#next = this.#first;
  }
}

/** Tells all who wait for it of a change. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  /** Resolves at the next change, or rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const off = (): void => {
        this.#waiting.delete(onChange);
        signal.removeEventListener('abort', onAbort);
      };
      const onChange = (): void => {
        off();
        resolve();
      };
      const onAbort = (): void => {
        off();
        reject(signal.reason);
      };
      this.#waiting.add(onChange);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  ring(): void {
    for (const onChange of [...this.#waiting]) onChange();
  }
}
