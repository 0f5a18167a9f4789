// `mcpx elicit answer`: shows who asks, walks the form or asks for consent on stderr, and sends what was decided.
import type { Drafts } from '../../broker/drafts.ts';
import { rowJson } from '../../broker/row-json.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { withChecks } from '../../checks/open.ts';
import { isMcpxError, McpxError } from '../../errors.ts';
import type { FormChecks } from '../../form/checks.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { formRow } from './accept.ts';
import { isForPeople, pendingRow, withBroker } from './broker.ts';
import { openDrafts, withKeptEntry } from './kept-entry.ts';
import { firstLine } from './list.ts';
import { questionLines } from './question-lines.ts';
import { settle } from './settle.ts';
import { onTerminal, whileOpen } from './while-open.ts';

/**
 * @throws McpxError `needs_person` without a terminal, `not_found` when no id is given and nothing waits,
 * `interrupted` on Ctrl+C and end of input, exit 7's codes when the question goes away meanwhile
 */
export function answerRow(io: Io, id: string | undefined): Promise<void> {
  if (!io.canAsk) return Promise.reject(nobody(io, id));
  return withBroker(io, async (broker) => {
    const drafts = await openDrafts(io, broker);
    const seen = new Set<string>();
    let row: Row | undefined = id === undefined ? await firstRow(broker) : await pendingRow(broker, id);
    while (row !== undefined) {
      seen.add(row.id);
      if (await answered(io, broker, row, drafts)) {
        row = await nextRow(io, broker, seen);
        continue;
      }
      await io.note(`Nothing was sent; ${row.id} stays open.`);
      if (io.globals.json) await io.printJson(rowJson(await broker.get(row.id)));
      return;
    }
  });
}

/** Another question that waits, if there is one and the person wants it. */
async function nextRow(io: Io, broker: BrokerClient, seen: ReadonlySet<string>): Promise<Row | undefined> {
  // What a program reads is about one question.
  if (io.globals.json || io.globals.quiet) return undefined;
  const next = (await broker.list()).find((row) => isForPeople(row) && !seen.has(row.id));
  if (next === undefined) return undefined;
  const { askNext } = await import('../../prompt/next.ts');
  try {
    const words = `Another question waits. ${oneLine(next.server)} asks: ${firstLine(next.message)}`;
    const isWanted = await onTerminal(io, io.signal, (streams) => askNext(streams, words));
    return isWanted ? await broker.get(next.id) : undefined;
  } catch (error) {
    // The answer has been given; leaving here is no failure.
    if (isMcpxError(error) && error.code === 'interrupted') return undefined;
    throw error;
  }
}

/** Shows the question and asks; false when the person left it open. */
export function answered(io: Io, broker: BrokerClient, row: Row, drafts: Drafts): Promise<boolean> {
  return withChecks((checks) => answeredWith(io, broker, row, checks, drafts));
}

async function answeredWith(
  io: Io,
  broker: BrokerClient,
  row: Row,
  checks: FormChecks,
  drafts: Drafts,
): Promise<boolean> {
  const form = row.mode === 'form' ? await formRow(row, checks) : undefined;
  await io.stderr.write(`${questionLines(io, row, form, io.errorStyle).join('\n')}\n\n`);
  if (form === undefined) {
    const { answerUrl } = await import('./answer-url.ts');
    return answerUrl(io, broker, row);
  }
  const { walk } = await import('../../prompt/walk.ts');
  return withKeptEntry(io, drafts, row, form, async (kept) => {
    const walked = await whileOpen(io, broker, row, (streams) =>
      walk(oneLine(row.server), form, streams, (draft) => checks.draft(row.server, form, draft), kept),
    ).finally(() => kept.written());
    if (walked.action === 'leave') return false;
    const { action } = walked;
    const answer = action === 'accept' ? { action, content: walked.content } : { action };
    await settle(io, broker, row, answer, () => drafts.remove(row.id));
    return true;
  });
}

async function firstRow(broker: BrokerClient): Promise<Row> {
  const row = (await broker.list()).find(isForPeople);
  if (row !== undefined) return row;
  throw new McpxError('not_found', 'No question waits for an answer.', 'Wait for one with: mcpx elicit wait');
}

function nobody(io: Io, id: string | undefined): McpxError {
  const why = io.globals.noInput
    ? '--no-input (or MCPX_NO_INPUT) forbids it'
    : 'there is no terminal to ask on';
  return new McpxError(
    'needs_person',
    `"mcpx elicit answer" asks a person, and ${why}; nothing was answered.`,
    `Use: mcpx elicit accept ${id ?? '<id>'} (with -F name=value, or --yes for a URL), or decline, or cancel`,
  );
}
