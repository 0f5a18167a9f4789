// Asks a person one question after the other with line prompts, for as long as there may come more.
import type { Drafts } from '../../broker/drafts.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { isMcpxError } from '../../errors.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { answered } from './answer.ts';
import { isForPeople } from './broker.ts';
import { hasEnded } from './kept-entry.ts';

/**
 * Asks each open question once, soonest to expire first, and then each that comes, until `io.signal` aborts. One that
 * the person leaves stays open and is not asked again.
 *
 * @throws McpxError `interrupted` on Ctrl+C and the end of the input; questions stay as they are (C39)
 */
export async function askAll(io: Io, broker: BrokerClient, drafts: Drafts): Promise<void> {
  const asked = new Set<string>();
  const stop = new AbortController();
  const ended = AbortSignal.any([io.signal, stop.signal]);
  broker.watching('prompt', ended);
  const changes = broker.changes({ signal: ended })[Symbol.asyncIterator]();
  try {
    while (!io.signal.aborted) {
      const row = (await broker.list()).find((one) => isForPeople(one) && !asked.has(one.id));
      if (row !== undefined) {
        asked.add(row.id);
        await askOne(io, broker, row, drafts);
        continue;
      }
      await io.note('Waiting for questions. Ctrl+C ends this and answers nothing.');
      for (;;) {
        const { done, value } = await changes.next();
        if (done === true) return;
        if (value.event === 'opened' && isForPeople(value.row) && !asked.has(value.row.id)) break;
      }
    }
  } finally {
    stop.abort();
    // Whoever stops in the middle has to say so: what follows changes keeps the process alive.
    await changes.return?.();
  }
}

async function askOne(io: Io, broker: BrokerClient, row: Row, drafts: Drafts): Promise<void> {
  try {
    if (!(await answered(io, broker, row, drafts)))
      await io.note(`Nothing was sent; ${row.id} stays open. Answer it with: mcpx elicit answer ${row.id}`);
  } catch (error) {
    // A question that ended while it was asked is no reason to stop.
    if (!isMcpxError(error) || !hasEnded(error)) throw error;
    await io.note(oneLine(error.message));
  }
}
