// Follows the changes of all rows, from every process, in commit order.
import type { Store } from './store.ts';
import type { Change } from './types.ts';

const BATCH = 200;

export interface FollowChangesOptions {
  readonly store: Store;
  /** The change after which to begin. */
  readonly start: Promise<number>;
  readonly signal: AbortSignal;
  /** Keeps the process alive until the returned function is called. */
  readonly keepRunning: () => () => void;
}

/** Ends without an error when `signal` aborts. A slow reader costs nothing: what it has not read stays in the store. */
export async function* followChanges(options: FollowChangesOptions): AsyncGenerator<Change, void, undefined> {
  const { store, signal } = options;
  const release = options.keepRunning();
  let woken = false;
  let wake = (): void => {};
  const ring = (): void => {
    woken = true;
    wake();
  };
  const stop = store.onChange(ring);
  signal.addEventListener('abort', ring);
  try {
    let seq = await options.start;
    while (!signal.aborted) {
      woken = false;
      const batch = await store.changes(seq, BATCH);
      for (const change of batch) {
        if (signal.aborted) return;
        yield change;
        seq = change.seq;
      }
      if (batch.length > 0 || woken) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (woken) resolve();
      });
    }
  } finally {
    signal.removeEventListener('abort', ring);
    stop();
    release();
  }
}
