// Opens the local store, or a gateway far away, for one command, and closes it whatever happens.
import { hostOnly } from '../../broker/may-answer.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { stateDir } from '../../config/paths.ts';
import { isMcpxError, McpxError } from '../../errors.ts';
import { silent } from '../../log.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { tooLate } from '../../terminal/row-words.ts';
import type { Io } from '../io.ts';

/** Only a gateway prunes; a command is given the default of `elicit.keep`. */
const KEEP = 30 * 86_400_000;

/**
 * Runs `use` with the questions that the flags and the environment name: those of this machine's store, or of the
 * gateway at `--url` or `MCPX_URL`. `where` says so in a few words.
 */
export async function withBroker<T>(
  io: Io,
  use: (broker: BrokerClient, where: string) => Promise<T>,
): Promise<T> {
  const url = remoteUrl(io);
  const broker = url === undefined ? await localBroker(io) : await remoteBroker(io, url);
  try {
    return await use(broker, url === undefined ? 'this machine' : oneLine(new URL(url).host));
  } finally {
    await broker.close();
  }
}

/** A flag counts before the environment: a state directory that was typed is this machine's. */
export function remoteUrl({ globals, env }: Io): string | undefined {
  if (globals.url !== undefined) return globals.url;
  const named = env['MCPX_URL'];
  return globals.stateDir !== undefined || named === '' ? undefined : named;
}

async function localBroker(io: Io): Promise<BrokerClient> {
  const { openBroker } = await import('../../broker/open.ts');
  return openBroker({
    stateDir: stateDir(io.globals.stateDir, io),
    clock: io.clock,
    log: silent,
    role: 'command',
    keep: KEEP,
  });
}

async function remoteBroker(io: Io, url: string): Promise<BrokerClient> {
  const [{ gatewayAddress }, { RestClient }] = await Promise.all([
    import('../../api/client/gateway-http.ts'),
    import('../../api/client/rest-client.ts'),
  ]);
  return new RestClient(gatewayAddress(url, io.env['MCPX_TOKEN']), io.clock);
}

/**
 * The row with this id or unique prefix.
 *
 * @throws McpxError `not_found`, or `usage` with the ids that a prefix of several fits
 */
export async function findRow(broker: BrokerClient, idOrPrefix: string): Promise<Row> {
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
      `${oneLine(idOrPrefix)} matches several questions: ${fits.slice(0, MOST_NAMED).join(', ')}${more}.`,
      'Type more of the id.',
      { cause: error },
    );
  }
}

/** Ids that are listed where a prefix fits more. */
const MOST_NAMED = 10;

/**
 * The open row with this id or prefix.
 *
 * @throws McpxError `not_found`, `usage` for a prefix of several, exit 7's codes when it is no longer open, and
 * `forbidden` where only the host may answer it
 */
export async function pendingRow(broker: BrokerClient, idOrPrefix: string): Promise<Row> {
  const row = await findRow(broker, idOrPrefix);
  if (row.state !== 'pending') throw tooLate(row);
  // Before a person has typed anything in vain.
  if (row.audience === 'host') throw hostOnly(row);
  return row;
}

/** Whether people may answer it, and it still waits. */
export function isForPeople(row: Row): boolean {
  return row.state === 'pending' && row.audience !== 'host';
}
