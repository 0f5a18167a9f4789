// The rows of a state directory as its feed tells them, followed by the test itself as a second process would.
import { openBroker } from '../../src/broker/open.ts';
import type { Broker, Row } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import type { Scope } from './create-scope.ts';
import { until } from './until.ts';

export interface RowBook {
  readonly broker: Broker;
  /** The rows whose message holds `[mark]`, as last told. */
  about(mark: string): Row[];
  /** The first row about `mark` that `match` accepts, waited for. */
  row(mark: string, what: string, match: (row: Row) => boolean, ms?: number): Promise<Row>;
  all(): Row[];
}

/** Opens the broker as a command does, and follows it until the scope closes. */
export async function rowBook(scope: Scope, stateDir: string): Promise<RowBook> {
  const broker = await openBroker({
    stateDir,
    clock: systemClock,
    log: silent,
    role: 'command',
    keep: 30 * 86_400_000,
  });
  const over = new AbortController();
  const rows = new Map<string, Row>();
  const following = (async () => {
    for await (const { row } of broker.changes({ since: 0, signal: over.signal })) rows.set(row.id, row);
  })().catch((error) => {
    if (!over.signal.aborted) throw error;
  });
  scope.defer(async () => {
    over.abort();
    await following;
    await broker.close();
  });
  const about = (mark: string): Row[] =>
    [...rows.values()].filter(({ message }) => message.includes(`[${mark}]`));
  return {
    broker,
    about,
    row: (mark, what, match, ms) => until(`${what} about ${mark}`, () => about(mark).find(match), ms),
    all: () => [...rows.values()],
  };
}
