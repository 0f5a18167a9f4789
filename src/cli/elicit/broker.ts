// Opens the local store for one command, and closes it whatever happens.
import { openBroker } from '../../broker/open.ts';
import type { Broker, Row } from '../../broker/types.ts';
import { stateDir } from '../../config/paths.ts';
import { isMcpxError, McpxError } from '../../errors.ts';
import { silent } from '../../log.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { tooLate } from '../../terminal/row-words.ts';
import type { Io } from '../io.ts';

/** Only a gateway prunes; a command is given the default of `elicit.keep`. */
const KEEP = 30 * 86_400_000;

/** Runs `use` with the broker of the state directory that the flags and the environment name. */
export async function withBroker<T>(io: Io, use: (broker: Broker) => Promise<T>): Promise<T> {
  const broker = await openBroker({
    stateDir: stateDir(io.globals.stateDir, io),
    clock: io.clock,
    log: silent,
    role: 'command',
    keep: KEEP,
  });
  try {
    return await use(broker);
  } finally {
    await broker.close();
  }
}

/**
 * The row with this id or unique prefix.
 *
 * @throws McpxError `not_found`, or `usage` with the ids that a prefix of several fits
 */
export async function findRow(broker: Broker, idOrPrefix: string): Promise<Row> {
  try {
    return await broker.get(idOrPrefix);
  } catch (error) {
    if (!isMcpxError(error) || error.code !== 'usage') throw error;
    const fits = (await broker.list({ state: 'all' }))
      .map(({ id }) => id)
      .filter((id) => id.startsWith(idOrPrefix));
    const more = fits.length > MOST_NAMED ? ` and ${fits.length - MOST_NAMED} more` : '';
    throw new McpxError(
      'usage',
      `${oneLine(idOrPrefix)} fits several questions: ${fits.slice(0, MOST_NAMED).join(', ')}${more}.`,
      'Give more of the id.',
      { cause: error },
    );
  }
}

/** Ids that are listed where a prefix fits more. */
const MOST_NAMED = 10;

/**
 * The open row with this id or prefix.
 *
 * @throws McpxError `not_found`, `usage` for a prefix of several, and exit 7's codes when it is no longer open
 */
export async function openRow(broker: Broker, idOrPrefix: string): Promise<Row> {
  const row = await findRow(broker, idOrPrefix);
  if (row.state !== 'pending') throw tooLate(row);
  return row;
}
