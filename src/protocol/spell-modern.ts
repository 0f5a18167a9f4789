// Results on their way between the eras: what 2026-07-28 asks of every result, and what an older host knows nothing of.
import {
  entries,
  isObject,
  json,
  member,
  quote,
  read,
  stringOf,
  withAt,
  withMember,
  withoutMembers,
} from './json-text.ts';
import { META, requiresTask } from './meta.ts';
import { list, object } from './shape.ts';
import type { JsonText } from './types.ts';

/** What a host may keep, and says for how long (server/utilities/caching, "Cacheable Results"). */
const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** Answers to what mcpx asks are no results of their own, but entries of `inputResponses`. */
const ANSWERS: ReadonlySet<string> = new Set(['sampling/createMessage', 'roots/list']);

/** What an interim result has, and a final one has not. */
const ROUND = ['inputRequests', 'requestState'];

const modernTools = object(
  {},
  { tools: list((tool) => (requiresTask(tool) ? undefined : withoutMembers(tool, ['execution']))) },
);

/**
 * A final result in the words of 2026-07-28, whatever revision it came in: `resultType` is `complete`, and what may be
 * cached says so; nothing is kept and nothing shared where the upstream did not say more.
 */
export function toModern(method: string, result: JsonText): JsonText {
  if (method === 'roots/list') return withoutMembers(result, ['_meta']);
  if (ANSWERS.has(method)) return result;
  let out = method === 'tools/list' ? modernTools(result, '2026-07-28') : result;
  const type = member(out, 'resultType');
  // Of an older revision, where these words mean nothing: to the host they would.
  if (type !== undefined && stringOf(type) !== 'complete') out = withoutMembers(out, ROUND);
  if (type === undefined || stringOf(type) !== 'complete')
    out = withMember(out, 'resultType', quote('complete'));
  if (!CACHEABLE.has(method)) return out;
  if (!isTtl(member(out, 'ttlMs'))) out = withMember(out, 'ttlMs', json`0`);
  const scope = stringOf(member(out, 'cacheScope'));
  return scope === 'public' || scope === 'private' ? out : withMember(out, 'cacheScope', quote('private'));
}

function isTtl(text: JsonText | undefined): boolean {
  const value = text === undefined ? undefined : read(text);
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const olderTools = object({}, { tools: list((tool) => withObjectSchema(tool)) });

/** Before 2026-07-28 an `outputSchema` describes an object. One that does not is taken out, as is what it describes. */
function withObjectSchema(tool: JsonText): JsonText {
  const schema = isObject(tool) ? member(tool, 'outputSchema') : undefined;
  if (schema === undefined) return tool;
  if (isObject(schema) && stringOf(member(schema, 'type')) === 'object') return tool;
  return withoutMembers(tool, ['outputSchema']);
}

/** A final result of a 2026-07-28 upstream in the words of 2025-11-25. */
export function fromModern(method: string, result: JsonText): JsonText {
  const out = withoutServerInfo(withoutMembers(result, ['resultType', 'ttlMs', 'cacheScope']));
  return method === 'tools/list' ? olderTools(out, '2025-11-25') : out;
}

/** The upstream named itself to mcpx; to the host mcpx has named itself. */
function withoutServerInfo(result: JsonText): JsonText {
  const meta = member(result, '_meta');
  if (meta === undefined || !isObject(meta) || member(meta, META.serverInfo) === undefined) return result;
  const rest = withoutMembers(meta, [META.serverInfo]);
  return entries(rest).length === 0 ? withoutMembers(result, ['_meta']) : withAt(result, ['_meta'], rest);
}
