// `mcpx elicit answer`: shows who asks, walks the form with prompts on stderr, and sends what was reviewed.

import { rowJson } from '../../broker/row-json.ts';
import type { Broker, Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import type { Walked } from '../../prompt/walk.ts';
import { wantsColor } from '../../terminal/color.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { tooLate } from '../../terminal/row-words.ts';
import type { Io } from '../io.ts';
import { formRow } from './accept.ts';
import { openRow, withBroker } from './broker.ts';
import { questionLines } from './question-lines.ts';
import { settle } from './settle.ts';

/**
 * @throws McpxError `needs_person` without a terminal, `not_found` when no id is given and nothing waits,
 * `interrupted` on Ctrl+C and end of input, exit 7's codes when the question goes away meanwhile
 */
export function answerRow(io: Io, id: string | undefined): Promise<void> {
  if (!io.canAsk) return Promise.reject(nobody(io, id));
  return withBroker(io, async (broker) => {
    const row = id === undefined ? await firstRow(broker) : await openRow(broker, id);
    const walked = await walkOpen(io, broker, row);
    if (walked.action !== 'leave') {
      const { action } = walked;
      return settle(io, broker, row, action === 'accept' ? { action, content: walked.content } : { action });
    }
    await io.note(`Nothing was sent; ${row.id} stays open.`);
    if (io.globals.json) await io.printJson(rowJson(await broker.get(row.id)));
  });
}

/** Walks the row while it is open; the prompt goes away the moment somebody else settles it. */
async function walkOpen(io: Io, broker: Broker, row: Row): Promise<Walked> {
  const form = formRow(row);
  const { walk } = await import('../../prompt/walk.ts');
  const { WalkStopped } = await import('../../prompt/streams.ts');
  const gone = new AbortController();
  const stop = new AbortController();
  let ended: Row | undefined;
  const over = AbortSignal.any([stop.signal, io.signal]);
  broker.watching('prompt', over);
  const watch = broker.settled(row.id, over).then(
    (settled) => {
      ended = settled;
      gone.abort();
    },
    () => undefined,
  );
  try {
    await io.stderr.write(`${questionLines(io, row, form, io.errorStyle).join('\n')}\n\n`);
    return await walk(oneLine(row.server), form, {
      input: io.stdin,
      output: io.rawStderr,
      signal: AbortSignal.any([gone.signal, io.signal]),
      clock: io.clock,
      color: wantsColor({ flag: io.globals.color, env: io.env, isTTY: io.terminal.stderr }),
    });
  } catch (error) {
    if (ended !== undefined) throw tooLate(ended);
    if (error instanceof WalkStopped) throw new McpxError('interrupted', 'Interrupted; nothing was sent.');
    throw error;
  } finally {
    stop.abort();
    await watch;
  }
}

async function firstRow(broker: Broker): Promise<Row> {
  const row = (await broker.list()).find((one) => one.mode === 'form');
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
    `Use: mcpx elicit accept ${id ?? '<id>'} -F name=value (or decline, or cancel)`,
  );
}
