// Keeps the rows of the state up to date, and says so where it cannot.
import { WallJumps } from '../broker/anchor.ts';
import type { Clock } from '../clock.ts';
import { isMcpxError, messageOf } from '../errors.ts';
import { wait } from '../waiting.ts';
import type { RowSource } from './row-source.ts';
import type { Event } from './state/types.ts';

/** Between attempts to reach a source that failed. */
const RETRY_MS = 2_000;
/** How often the wall clock is looked at. */
const LOOK_MS = 1_000;
/** After a jump of the wall clock, until every gateway has moved the deadlines of its rows: a sweep, and a bit. */
const MOVED_MS = 6_000;

/**
 * Runs until `signal` aborts; a source that fails is asked again and again. After a jump of the wall clock all rows are
 * read anew, since their deadlines have moved.
 *
 * @param steady what events are dated by
 */
export async function feed(
  source: RowSource,
  dispatch: (event: Event) => void,
  clock: Clock,
  steady: Clock,
  signal: AbortSignal,
): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    const round = new AbortController();
    let isStale = false;
    let stopLooking = (): void => {};
    const ended = AbortSignal.any([signal, round.signal]);
    try {
      // From before the list is read, so that what opens in between is in one of the two.
      const changes = source.changes(ended);
      const rows = await source.list();
      dispatch({ type: 'loaded', rows, at: steady.now(), offset: clock.now() - steady.now() });
      stopLooking = onceMoved(clock, () => {
        isStale = true;
        round.abort();
      });
      if (!isFirst) dispatch({ type: 'trouble', message: undefined });
      isFirst = false;
      for await (const { event, row } of changes) {
        dispatch({ type: 'row', row, isNew: event === 'opened', at: steady.now() });
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isStale) continue;
      isFirst = false;
      dispatch({ type: 'trouble', message: `The list may be out of date: ${reasonOf(error)}` });
    } finally {
      stopLooking();
      round.abort();
    }
    if (!isStale && !signal.aborted) await wait(clock, RETRY_MS, signal).catch(() => {});
  }
}

/** Calls `then` once the wall clock has jumped and the deadlines have moved with it; the result ends the looking. */
function onceMoved(clock: Clock, then: () => void): () => void {
  const jumps = new WallJumps(clock);
  let timer = clock.after(LOOK_MS, look);
  function look(): void {
    timer = jumps.take() === 0 ? clock.after(LOOK_MS, look) : clock.after(MOVED_MS, then);
  }
  return () => timer.cancel();
}

/** A failure in one sentence, with what to do where that is known. */
export function reasonOf(error: unknown): string {
  return isMcpxError(error) && error.hint !== undefined ? `${error.message} ${error.hint}` : messageOf(error);
}
