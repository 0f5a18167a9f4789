// `mcpx elicit wait`: ends with the first question that waits.
import { rowJson } from '../../broker/row-json.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { parseDuration } from '../../text/duration.ts';
import type { Io } from '../io.ts';
import { isForPeople, withBroker } from './broker.ts';
import { checkServer } from './check-server.ts';
import { firstLine } from './list.ts';
import { follow } from './watch.ts';

export interface WaitOptions {
  readonly server?: string;
  readonly timeout?: string;
}

export async function waitForRow(io: Io, options: WaitOptions): Promise<void> {
  const ms = options.timeout === undefined ? undefined : timeoutOf(options.timeout);
  const row = await withBroker(io, (broker) => firstRow(io, broker, options.server, ms));
  if (io.globals.json) return io.printJson(rowJson(row));
  if (io.globals.quiet) return io.printLine(row.id);
  return io.printLine(`${row.id}  ${oneLine(row.server)}: ${firstLine(row.message)}`);
}

async function firstRow(
  io: Io,
  broker: BrokerClient,
  server: string | undefined,
  ms: number | undefined,
): Promise<Row> {
  await checkServer(io, broker, server);
  const late = new AbortController();
  const timer = ms === undefined ? undefined : io.clock.after(ms, () => late.abort());
  try {
    const signal = AbortSignal.any([io.signal, late.signal]);
    for await (const { event, row } of follow(broker, 'wait', server, signal)) {
      // Asked for again: it may have been answered since the change was written.
      if (event === 'opened' && isForPeople(await broker.get(row.id))) return row;
    }
  } finally {
    timer?.cancel();
  }
  io.signal.throwIfAborted();
  throw new McpxError(
    'timeout',
    'No question came in time.',
    'Wait longer with --timeout, or leave it out to wait for ever.',
  );
}

function timeoutOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new McpxError('usage', `"${text}" is not a duration.`, 'Durations are written 90s, 10m or 1h.');
}
