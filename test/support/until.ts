// Waiting for something that another process does: a condition is looked at until it holds or a deadline passes.
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with the first value of `look` that is not undefined or false, looking `every` ms; fails with `what` after `ms`. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  ms = 10_000,
  every = 15,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`gave up after ${ms} ms waiting for ${what}`);
    await sleep(every);
  }
}

/** The promise, or a failure that says `what` was waited for. */
export async function within<T>(what: string, promise: Promise<T>, ms = 10_000): Promise<T> {
  const stop = new AbortController();
  const late = sleep(ms, undefined, { signal: stop.signal }).then(
    () => Promise.reject(new Error(`gave up after ${ms} ms waiting for ${what}`)),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}
