// `mcpx elicit done`: the person has finished at a URL, and the server's call can go on.
import { rowJson } from '../../broker/row-json.ts';
import { McpxError } from '../../errors.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { notTaken, tooLate } from '../../terminal/row-words.ts';
import { shortTime } from '../../text/duration.ts';
import type { Io } from '../io.ts';
import { findRow, withBroker } from './broker.ts';

/**
 * Saying it twice changes nothing.
 *
 * @throws McpxError `usage` for a form and for a question that was not accepted yet, exit 7's codes for one that ended
 * otherwise
 */
export function finishRow(io: Io, id: string): Promise<void> {
  return withBroker(io, async (broker) => {
    const row = await findRow(broker, id);
    if (row.mode !== 'url')
      throw new McpxError('usage', `${row.id} asks for a form, and has no URL to finish at.`);
    if (row.state === 'pending')
      throw new McpxError(
        'usage',
        `${row.id} has not been accepted yet, so nothing can be finished.`,
        `Look at it with "mcpx elicit show ${row.id}", and consent with "mcpx elicit accept ${row.id}".`,
      );
    if (row.state !== 'accepted') throw tooLate(row);
    if (row.undelivered) throw notTaken(row);
    const last = await broker.completed(row.id);
    if (io.globals.json) return io.printJson(rowJson(last));
    if (io.globals.quiet) return io.printLine(last.id);
    // A call that was refused for want of the URL has been waiting for this.
    const next = last.deliveredAt === undefined ? `; ${oneLine(last.server)} can go on` : '';
    const at = shortTime(last.completedAt ?? '', io.clock.now());
    return io.printLine(`${last.id} finished at ${at}${next}`);
  });
}
