// `mcpx elicit watch`: follows questions until interrupted or until its reader has gone.
import { rowJson } from '../../broker/row-json.ts';
import type { BrokerClient, Change, Row } from '../../broker/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { stateWords } from '../../terminal/row-words.ts';
import { shortTime } from '../../text/duration.ts';
import type { Io } from '../io.ts';
import { withBroker } from './broker.ts';
import { checkServer } from './check-server.ts';
import { firstLine, kindWords, leftWords } from './list.ts';

export async function watchRows(io: Io, options: { readonly server?: string }): Promise<void> {
  await withBroker(io, async (broker) => {
    await checkServer(io, broker, options.server);
    const where = options.server === undefined ? '' : ` from ${oneLine(options.server)}`;
    if (!io.globals.json)
      await io.note(`Watching for questions${where}. Ctrl+C ends this and changes nothing.`);
    for await (const change of follow(broker, 'watch', options.server, io.signal)) {
      if (io.globals.json) await io.printJson(`{"event":"${change.event}","row":${rowJson(change.row)}}`);
      else if (!io.globals.quiet) await io.printLine(changeLine(io, change));
      else if (change.event === 'opened') await io.printLine(change.row.id);
    }
  });
  io.signal.throwIfAborted();
}

function changeLine(io: Io, { event, row }: Followed): string {
  const server = oneLine(row.server);
  const now = io.clock.now();
  if (event !== 'opened') return `${row.id}  ${server}  ${eventWords(event, row, now)}`;
  const left = leftWords(row, now);
  return `${io.style.bold(row.id)}  ${server}  ${kindWords(row)}  ${firstLine(row.message)}  (${left} left)`;
}

function eventWords(event: Followed['event'], row: Row, now: number): string {
  if (event === 'delivered') return `sent to ${oneLine(row.server)}`;
  if (event === 'completed') return 'finished at the URL';
  return stateWords(row, (iso) => shortTime(iso, now));
}

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
