// One look at an upstream: start it, read what it is and offers, and let it go.
import { McpxError, messageOf } from '../errors.ts';
import { clientCapabilities } from '../protocol/capabilities.ts';
import { elements, json, member, quote, read } from '../protocol/json-text.ts';
import { errorReply, RPC } from '../protocol/message.ts';
import { UPSTREAM_OFFER } from '../protocol/revisions.ts';
import type { JsonText, Revision } from '../protocol/types.ts';
import type { Connection, Era, UpstreamConnector } from '../upstream/types.ts';

/** What a server offers: tool names, prompt names, and counts of what has no name to clash. */
export interface Offer {
  readonly server: string;
  readonly revision: Revision;
  /** The upstream's own words on itself. */
  readonly serverInfo: JsonText;
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
  readonly resources: number;
}

/** Milliseconds for all lists of one server. */
const LIST_TIMEOUT = 10_000;
/** A server that never stops paging is left after this many pages. */
const MOST_PAGES = 100;

/**
 * Opens a connection (in the era that is preferred where the server speaks both), lists, closes. Questions that arrive
 * meanwhile get cancel: nobody is there to be asked. McpxError as the connector throws it.
 */
export async function probe(
  connector: UpstreamConnector,
  signal: AbortSignal,
  prefer: Era = 'legacy',
): Promise<Offer> {
  const connection = await connector.open({
    prefer,
    capabilities: clientCapabilities(
      { elicitation: undefined, sampling: undefined, roots: undefined },
      UPSTREAM_OFFER,
    ),
    handlers: {
      onRequest: (request) => void request.reply(errorReply(RPC.methodNotFound, 'mcpx is only looking')),
      onNotification: () => {},
      onClosed: () => {},
    },
    signal,
  });
  try {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(LIST_TIMEOUT)]);
    const [tools, prompts, resources] = await Promise.all([
      names(connection, 'tools', 'name', bounded),
      names(connection, 'prompts', 'name', bounded),
      names(connection, 'resources', 'uri', bounded),
    ]);
    const { revision, serverInfo } = connection.info;
    return { server: connector.server, revision, serverInfo, tools, prompts, resources: resources.length };
  } catch (error) {
    if (error instanceof McpxError) throw error;
    throw new McpxError('upstream', `${connector.server} did not list what it offers: ${messageOf(error)}`);
  } finally {
    await connection.close('mcpx has looked');
  }
}

async function names(
  connection: Connection,
  kind: string,
  key: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (connection.info.capabilities[kind] === undefined) return [];
  const found: string[] = [];
  let params: JsonText | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await connection.request(`${kind}/list`, params, { signal });
    if ('error' in reply)
      throw new McpxError(
        'upstream',
        `${connection.server} answered ${kind}/list with an error`,
        reply.error,
      );
    const array = member(reply.result, kind);
    for (const item of array === undefined ? [] : elements(array)) {
      const name = member(item, key);
      if (name?.startsWith('"')) found.push(String(read(name)));
    }
    const cursor = member(reply.result, 'nextCursor');
    if (!cursor?.startsWith('"')) break;
    params = json`{"cursor":${quote(String(read(cursor)))}}`;
  }
  return found;
}
