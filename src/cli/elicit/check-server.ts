// The server that `--server` names, held against those that there are: a mistyped name would be waited for in vain.
import type { BrokerClient } from '../../broker/types.ts';
import { isMcpxError, McpxError } from '../../errors.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { remoteUrl } from './broker.ts';

/** Names that an error lists. */
const MOST_NAMED = 10;

/**
 * Passes a name that the configuration, a gateway that runs or a question knows, and any name where it cannot be told
 * which servers there are: a gateway may still be started, or does not say.
 *
 * @throws McpxError `usage` for every other, with the name that was most likely meant
 */
export async function checkServer(io: Io, broker: BrokerClient, server: string | undefined): Promise<void> {
  if (server === undefined) return;
  const { names, complete } = await serverNames(io, broker);
  if (!complete || names.length === 0 || names.includes(server)) return;
  if ((await broker.list({ state: 'all', server, limit: 1 })).length > 0) return;
  const { similar } = await import('../../text/similar.ts');
  const meant = similar(server, names);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const all = names.slice(0, MOST_NAMED).map((name) => oneLine(name));
  throw new McpxError(
    'usage',
    `There is no server "${oneLine(server)}".`,
    `${meant === undefined ? '' : `Did you mean "${oneLine(meant)}"? `}The servers are: ${all.join(', ')}${more}.`,
  );
}

/** The servers that questions can be of, in order of their names. `complete` is false where there may be others. */
export async function serverNames(
  io: Io,
  broker: BrokerClient,
): Promise<{ readonly names: readonly string[]; readonly complete: boolean }> {
  const seen = await broker.servers();
  const configured = remoteUrl(io) === undefined ? await configuredServers(io) : [];
  return {
    names: [...new Set([...seen.names, ...(configured ?? [])])].toSorted(),
    complete: seen.complete && configured !== undefined,
  };
}

/** Of this machine's configuration; undefined where it cannot be read, which other commands have to say. */
async function configuredServers(io: Io): Promise<readonly string[] | undefined> {
  const { loadSettings } = await import('../../config/load.ts');
  try {
    const { settings } = loadSettings({ ...io, flags: io.globals, fileOptional: true });
    return settings.servers.map(({ name }) => name);
  } catch (error) {
    if (isMcpxError(error)) return undefined;
    throw error;
  }
}
