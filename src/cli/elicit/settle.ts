// Sends an answer and says how far it got: the end of every answering command.
import { rowJson } from '../../broker/row-json.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import type { Action, JsonText } from '../../protocol/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { isStateless, notTaken, tooLate, whenTold } from '../../terminal/row-words.ts';
import type { Io } from '../io.ts';
import { pendingRow, withBroker } from './broker.ts';

/** How long an answering command waits to be told that the server has the answer. */
const DELIVERY_MS = 5_000;
/** The same for consent to a URL, which some calls take only once the person has finished there. */
const CONSENT_DELIVERY_MS = 2_000;
/** The same where the answer may have to wait for a stateless host's next try: a live call takes it at once. */
const STATELESS_MS = 500;

/**
 * Answers `row`, runs `onWon` once that has counted, and prints the row (`--json`), its id (`-q`) or a sentence.
 *
 * @throws McpxError with exit 7 when someone else was first, the question is gone, or its gateway was gone before it
 * passed the answer on (`undelivered`)
 */
export async function settle(
  io: Io,
  broker: BrokerClient,
  row: Row,
  answer: { readonly action: Action; readonly content?: JsonText },
  onWon?: () => Promise<void>,
): Promise<void> {
  const settled = await broker.answer(row.id, { ...answer, by: 'cli' });
  if (!settled.won) throw tooLate(settled.row);
  await onWon?.();
  const last = await Promise.race([
    broker.awaitDelivery(row.id, patience(row, answer.action)),
    // The answer is given; only the wait can be interrupted.
    aborted(io.signal).then(() => settled.row),
  ]);
  if (last.undelivered) throw notTaken(last);
  if (io.globals.json) return io.printJson(rowJson(last));
  if (io.globals.quiet) return io.printLine(last.id);
  return io.printLine(`${last.id} ${last.state}: ${deliveryWords(last)}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function patience(row: Row, action: Action): number {
  if (isStateless(row)) return STATELESS_MS;
  return row.mode === 'url' && action === 'accept' ? CONSENT_DELIVERY_MS : DELIVERY_MS;
}

function deliveryWords(row: Row): string {
  return row.deliveredAt === undefined ? `recorded; ${whenTold(row)}` : `sent to ${oneLine(row.server)}`;
}

export function refuseRow(io: Io, id: string, action: 'decline' | 'cancel'): Promise<void> {
  return withBroker(io, async (broker) => settle(io, broker, await pendingRow(broker, id), { action }));
}
