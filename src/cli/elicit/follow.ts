// The questions that wait, then every change, without a gap and without telling one twice.
import type { BrokerClient, Change } from '../../broker/types.ts';

export interface Followed {
  readonly event: Change['event'];
  readonly row: Change['row'];
}

/**
 * Marks this process as watching, yields an `opened` for each question that waits now, then the changes as they come.
 * Ends quietly when `signal` aborts. Watching reads only: its end changes no row (C39).
 */
export async function* follow(
  broker: BrokerClient,
  kind: 'watch' | 'wait',
  server: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Followed, void, undefined> {
  const stopping = new AbortController();
  const ended = AbortSignal.any([signal, stopping.signal]);
  try {
    broker.watching(kind, ended);
    // From before the list is read, so that what opens in between is in one of the two.
    const changes = broker.changes({ signal: ended });
    const told = new Set<string>();
    for (const row of await broker.list(server === undefined ? {} : { server })) {
      told.add(row.id);
      yield { event: 'opened', row };
    }
    for await (const { event, row } of changes) {
      const again = event === 'opened' && told.delete(row.id);
      if (!again && (server === undefined || row.server === server)) yield { event, row };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stopping.abort();
  }
}
