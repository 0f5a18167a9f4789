// Keeps the rows of the state up to date, and says so where it cannot.
import type { Clock } from '../clock.ts';
import { isMcpxError, messageOf } from '../errors.ts';
import type { RowSource } from './row-source.ts';
import type { Event } from './state/types.ts';

/** Between attempts to reach a source that failed. */
const RETRY_MS = 2_000;

/** Runs until `signal` aborts; a source that fails is asked again and again. */
export async function feed(
  source: RowSource,
  dispatch: (event: Event) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    const round = new AbortController();
    const over = AbortSignal.any([signal, round.signal]);
    try {
      // From before the list is read, so that what opens in between is in one of the two.
      const changes = source.changes(over);
      dispatch({ type: 'loaded', rows: await source.list(), at: clock.now() });
      if (!isFirst) dispatch({ type: 'trouble', message: undefined });
      isFirst = false;
      for await (const { event, row } of changes) {
        dispatch({ type: 'row', row, isNew: event === 'opened', at: clock.now() });
      }
    } catch (error) {
      if (signal.aborted) return;
      isFirst = false;
      dispatch({ type: 'trouble', message: `The list may be out of date: ${reasonOf(error)}` });
    } finally {
      round.abort();
    }
    if (!signal.aborted) await pause(clock, RETRY_MS, signal);
  }
}

/** A failure in one sentence, with what to do where that is known. */
export function reasonOf(error: unknown): string {
  return isMcpxError(error) && error.hint !== undefined ? `${error.message} ${error.hint}` : messageOf(error);
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      timer.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
