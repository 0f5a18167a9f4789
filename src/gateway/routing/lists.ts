// The lists of all servers as one: names exposed, pages joined, a server that fails left out and named in the log.
import { isMcpxError, messageOf, sentenceOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import {
  arrayText,
  elements,
  member,
  objectText,
  quote,
  read,
  withMember,
} from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Catalog } from './catalog.ts';

/** A list method: the key of its array, and the server capability it needs. */
export interface ListKind {
  readonly key: 'tools' | 'prompts' | 'resources' | 'resourceTemplates';
  readonly needs: 'tools' | 'prompts' | 'resources';
}

export const LISTS: ReadonlyMap<string, ListKind> = new Map<string, ListKind>([
  ['tools/list', { key: 'tools', needs: 'tools' }],
  ['prompts/list', { key: 'prompts', needs: 'prompts' }],
  ['resources/list', { key: 'resources', needs: 'resources' }],
  ['resources/templates/list', { key: 'resourceTemplates', needs: 'resources' }],
]);

/** Sends one request of the host to one server; undefined where the server does not offer what the list needs. */
export type Send = (server: string, params: JsonText | undefined) => Promise<Reply | undefined>;

/**
 * One page of the joined list: the next page of every server that has more. The cursor names them all
 * (server/utilities/pagination: cursors are opaque). With every server failing the first failure is the error.
 */
export async function joinedPage(
  kind: ListKind,
  servers: readonly string[],
  params: JsonText | undefined,
  catalog: Catalog,
  log: Log,
  send: Send,
): Promise<Reply> {
  const cursor = params === undefined ? undefined : member(params, 'cursor');
  let from: Cursors | undefined;
  if (cursor !== undefined) {
    from = unpackCursors(String(read(cursor)), servers);
    if (!from) return errorReply(RPC.invalidParams, 'this cursor is not one that mcpx gave');
  }
  const asked = from ? servers.filter((server) => from.has(server)) : servers;
  const pages = await Promise.all(
    asked.map(async (server) => {
      const own = from?.get(server);
      const text = withCursor(params, own);
      try {
        return { server, reply: await send(server, text) };
      } catch (error) {
        if (!isMcpxError(error)) throw error;
        log.warn({ server, error: messageOf(error) }, 'left out of a list');
        return { server, reply: errorReply(RPC.internal, sentenceOf(error)) };
      }
    }),
  );
  return join(kind, pages, catalog);
}

function withCursor(params: JsonText | undefined, cursor: string | undefined): JsonText | undefined {
  if (cursor !== undefined) return withMember(params ?? '{}', 'cursor', quote(cursor));
  return params;
}

function join(
  kind: ListKind,
  pages: readonly { readonly server: string; readonly reply: Reply | undefined }[],
  catalog: Catalog,
): Reply {
  const items: JsonText[] = [];
  const more = new Map<string, string>();
  let failure: Reply | undefined;
  let succeeded = false;
  for (const { server, reply } of pages) {
    if (reply === undefined) continue;
    if ('error' in reply) {
      failure ??= reply;
      continue;
    }
    succeeded = true;
    const array = member(reply.result, kind.key);
    for (const item of array === undefined ? [] : elements(array))
      items.push(expose(kind, server, item, catalog));
    const next = member(reply.result, 'nextCursor');
    if (next?.startsWith('"')) more.set(server, String(read(next)));
  }
  if (failure && !succeeded) return failure;
  const cursor = packCursors(more);
  const next = cursor === undefined ? [] : [['nextCursor', quote(cursor)] as const];
  return { result: objectText([[kind.key, arrayText(items)], ...next]) };
}

/** Notes a listed item in the catalog, and gives it the name that hosts see. */
export function expose(kind: ListKind, server: string, item: JsonText, catalog: Catalog): JsonText {
  const read1 = (key: string): string | undefined => {
    const text = member(item, key);
    return text?.startsWith('"') ? String(read(text)) : undefined;
  };
  switch (kind.key) {
    case 'tools':
    case 'prompts': {
      const name = read1('name');
      if (name === undefined) return item;
      const exposed = catalog.addName(kind.key, server, name);
      return exposed === name ? item : withMember(item, 'name', quote(exposed));
    }
    case 'resources': {
      const uri = read1('uri');
      if (uri !== undefined) catalog.addUri(uri, server);
      return item;
    }
    case 'resourceTemplates': {
      const template = read1('uriTemplate');
      if (template !== undefined) catalog.addTemplate(template, server);
      return item;
    }
  }
}

/** The cursor of each server that has more, by server name; the upstream's own opaque text. */
export type Cursors = ReadonlyMap<string, string>;

/** Packs the cursors of all servers into one opaque cursor; undefined when no server has more. */
export function packCursors(cursors: Cursors): string | undefined {
  if (cursors.size === 0) return undefined;
  return Buffer.from(JSON.stringify([...cursors])).toString('base64url');
}

/** Reads a cursor that `packCursors` made; undefined for any other text (the host gets -32602). */
export function unpackCursors(cursor: string, servers: readonly string[]): Cursors | undefined {
  try {
    const pairs: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(pairs) || pairs.length === 0) return undefined;
    const cursors = new Map<string, string>();
    for (const pair of pairs) {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
        return undefined;
      if (!servers.includes(pair[0])) return undefined;
      cursors.set(pair[0], pair[1]);
    }
    return cursors;
  } catch {
    return undefined;
  }
}
