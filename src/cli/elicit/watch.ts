// `mcpx elicit watch`: follows questions until interrupted or until its reader has gone.
import { rowJson } from '../../broker/row-json.ts';
import type { Row } from '../../broker/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { stateWords } from '../../terminal/row-words.ts';
import { shortTime } from '../../text/short-time.ts';
import type { Io } from '../io.ts';
import { withBroker } from './broker.ts';
import { checkServer } from './check-server.ts';
import { type Followed, follow } from './follow.ts';
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
