// `mcpx elicit answer`: shows who asks, walks the form or asks for consent on stderr, and sends what was decided.
import { rowJson } from '../../broker/row-json.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { withChecks } from '../../checks/open.ts';
import { McpxError } from '../../errors.ts';
import type { FormChecks } from '../../form/checks.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { formRow } from './accept.ts';
import { isForPeople, openRow, withBroker } from './broker.ts';
import { questionLines } from './question-lines.ts';
import { settle } from './settle.ts';
import { whileOpen } from './while-open.ts';

/**
 * @throws McpxError `needs_person` without a terminal, `not_found` when no id is given and nothing waits,
 * `interrupted` on Ctrl+C and end of input, exit 7's codes when the question goes away meanwhile
 */
export function answerRow(io: Io, id: string | undefined): Promise<void> {
  if (!io.canAsk) return Promise.reject(nobody(io, id));
  return withBroker(io, async (broker) => {
    const row = id === undefined ? await firstRow(broker) : await openRow(broker, id);
    if (await answered(io, broker, row)) return;
    await io.note(`Nothing was sent; ${row.id} stays open.`);
    if (io.globals.json) await io.printJson(rowJson(await broker.get(row.id)));
  });
}

/** Shows the question and asks; false when the person left it open. */
export function answered(io: Io, broker: BrokerClient, row: Row): Promise<boolean> {
  return withChecks((checks) => answeredWith(io, broker, row, checks));
}

async function answeredWith(io: Io, broker: BrokerClient, row: Row, checks: FormChecks): Promise<boolean> {
  const form = row.mode === 'form' ? await formRow(row, checks) : undefined;
  await io.stderr.write(`${questionLines(io, row, form, io.errorStyle).join('\n')}\n\n`);
  if (form === undefined) {
    const { answerUrl } = await import('./answer-url.ts');
    return answerUrl(io, broker, row);
  }
  const { walk } = await import('../../prompt/walk.ts');
  const walked = await whileOpen(io, broker, row, (streams) =>
    walk(oneLine(row.server), form, streams, (draft) => checks.draft(row.server, form, draft)),
  );
  if (walked.action === 'leave') return false;
  const { action } = walked;
  await settle(io, broker, row, action === 'accept' ? { action, content: walked.content } : { action });
  return true;
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
