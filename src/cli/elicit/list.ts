// `mcpx elicit list`: the open questions, or closed ones too.
import { rowJson } from '../../broker/row-json.ts';
import type { Row, RowState } from '../../broker/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { ago, duration } from '../../text/duration.ts';
import type { Io } from '../io.ts';
import { withBroker } from './broker.ts';
import { checkServer } from './check-server.ts';
import { tableLines } from './table.ts';

export interface ListOptions {
  readonly all?: boolean;
  readonly server?: string;
  readonly state?: RowState;
}

export async function listRows(io: Io, options: ListOptions): Promise<void> {
  const state = options.state ?? (options.all ? 'all' : 'pending');
  const server = options.server === undefined ? {} : { server: options.server };
  const rows = await withBroker(io, async (broker) => {
    await checkServer(io, broker, options.server);
    return broker.list({ state, ...server });
  });
  if (io.globals.json) return io.printJson(`[${rows.map(rowJson).join(',')}]`);
  if (io.globals.quiet) {
    for (const row of rows) await io.printLine(row.id);
    return;
  }
  if (rows.length === 0) return io.note(nothingWords(options));
  const now = io.clock.now();
  const pending = state === 'pending';
  const lines = tableLines(
    ['ID', 'SERVER', 'KIND', 'MESSAGE', 'AGE', pending ? 'LEFT' : 'STATE'],
    rows.map((row) => [
      row.id,
      oneLine(row.server),
      kindWords(row),
      firstLine(row.message),
      ago(now - Date.parse(row.createdAt)),
      pending ? leftWords(row, now) : row.undelivered ? `${row.state}, undelivered` : row.state,
    ]),
    { columns: io.terminal.stdout ? io.terminal.columns : undefined, shrink: 3 },
  );
  await io.printLine([io.style.bold(lines[0] ?? ''), ...lines.slice(1)].join('\n'));
}

/** What kind of question it is, and whether it asks for a secret (ELI-13). */
export function kindWords(row: Row): string {
  return row.sensitive ? `${row.mode}, secret` : row.mode;
}

/** The first line with anything on it, on one line. */
export function firstLine(message: string): string {
  const line = message.split(/\r\n|[\n\r\u2028\u2029]/).find((text) => text.trim() !== '');
  return oneLine(line ?? '').trim();
}

/** How long the question stays open. */
export function leftWords(row: Row, now: number): string {
  const left = Date.parse(row.expiresAt) - now;
  return left <= 0 ? 'due' : duration(left);
}

function nothingWords(options: ListOptions): string {
  const where = options.server === undefined ? '' : ` from ${oneLine(options.server)}`;
  if (options.all) return `No question has been asked yet${where}.`;
  if (options.state !== undefined && options.state !== 'pending')
    return `No question${where} is ${options.state}.`;
  return `No question${where} waits for an answer. "mcpx elicit wait" ends when one does.`;
}
