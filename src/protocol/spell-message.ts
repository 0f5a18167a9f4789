// Requests, results, notices and errors in the words of the peer's revision; the newest legacy revision gets legacy ones as
// they came.
import { annotations, contents, spellBlock } from './content-block.ts';
import {
  arrayText,
  elements,
  entries,
  isArray,
  isObject,
  jsonOf,
  mapMembers,
  member,
  objectText,
  quote,
  read,
  withMember,
  withoutMembers,
} from './json-text.ts';
import { RPC } from './message.ts';
import { META, requiresTask } from './meta.ts';
import { atLeast, isLegacy } from './revisions.ts';
import { list, object, type Spell } from './shape.ts';
import { fromModern, toModern } from './spell-modern.ts';
import type { JsonText, Revision } from './types.ts';

const named = { title: '2025-06-18', _meta: '2025-06-18', icons: '2025-11-25' } as const;

const resource = object(named, { annotations });
const promptArgument = object({ title: '2025-06-18' });
const prompt = object(named, { arguments: list(promptArgument) });
const promptMessage = object({}, { content: spellBlock });
const describedTool = object({
  ...named,
  annotations: '2025-03-26',
  outputSchema: '2025-06-18',
  execution: '2025-11-25',
});

const withoutTaskTools = object({}, { tools: list((tool) => (requiresTask(tool) ? undefined : tool)) });

const toolResult = object({ structuredContent: '2025-06-18' }, { content: list(spellBlock) });

/**
 * What would be lost with `structuredContent`, a server that sends no other content, goes into a text block. Before
 * 2026-07-28 it is an object or nothing.
 */
function spellToolResult(result: JsonText, revision: Revision): JsonText {
  const structured = member(result, 'structuredContent');
  const fits = structured === undefined || (isObject(structured) && atLeast(revision, '2025-06-18'));
  const spelled = toolResult(fits ? result : withoutMembers(result, ['structuredContent']), revision);
  if (structured === undefined || fits) return spelled;
  if (elements(member(result, 'content') ?? '[]').length > 0) return spelled;
  const block = objectText([
    ['type', quote('text')],
    ['text', quote(structured)],
  ]);
  return withMember(spelled, 'content', arrayText([block]));
}

/** Before 2025-11-25 a sample is one block. Several have no equivalent and stay as they are. */
function spellSample(content: JsonText, revision: Revision): JsonText {
  const [only, ...rest] = elements(content);
  if (isArray(content) && (only === undefined || rest.length > 0)) return content;
  return spellBlock(only ?? content, revision);
}

const RESULTS: ReadonlyMap<string, Spell> = new Map<string, Spell>([
  [
    'tools/list',
    object(
      {},
      { tools: list((tool, revision) => (requiresTask(tool) ? undefined : describedTool(tool, revision))) },
    ),
  ],
  ['tools/call', spellToolResult],
  ['prompts/list', object({}, { prompts: list(prompt) })],
  ['prompts/get', object({}, { messages: list(promptMessage) })],
  ['resources/list', object({}, { resources: list(resource) })],
  ['resources/templates/list', object({}, { resourceTemplates: list(resource) })],
  ['resources/read', object({}, { contents: list(contents) })],
  ['sampling/createMessage', object({}, { content: spellSample })],
  ['roots/list', object({}, { roots: list(object({ _meta: '2025-06-18' })) })],
]);

/**
 * The final result of `method` for a peer of this revision: a host, or for sampling and roots an upstream. `from` is the
 * revision it came in, where that is known. Members and content kinds that came later are taken out or put into words;
 * tools that require tasks are left out (docs/relay.md, "The rest of MCP"). For 2026-07-28 it is made `complete` (see
 * `toModern`), so interim results do not belong here. The same string where nothing changes.
 */
export function spellResult(
  revision: Revision,
  method: string,
  result: JsonText,
  from: Revision = '2026-07-28',
): JsonText {
  if (!isObject(result)) return result;
  if (!isLegacy(revision)) return toModern(method, result);
  const legacy = isLegacy(from) ? result : fromModern(method, result);
  if (!atLeast(revision, '2025-11-25')) return RESULTS.get(method)?.(legacy, revision) ?? legacy;
  if (method === 'tools/call' && !isLegacy(from)) return spellToolResult(legacy, revision);
  // Searching is far cheaper than walking, and nearly no list names the word.
  const mayHaveTasks = method === 'tools/list' && legacy.includes('"taskSupport"');
  return mayHaveTasks ? withoutTaskTools(legacy, revision) : legacy;
}

interface Notice {
  readonly since: Revision;
  /** Whether 2026-07-28 still has it. */
  readonly stayed: boolean;
  /** Whether it says nothing without params. */
  readonly needsParams: boolean;
  readonly spell: (params: JsonText, revision: Revision) => JsonText;
}

function notice(since: Revision, later?: Readonly<Record<string, Revision>>, stayed = true): Notice {
  return { since, stayed, needsParams: later !== undefined, spell: object(later ?? {}) };
}

/** `_meta` was in the params of every notification from 2025-11-25 on, before only where they were else empty. */
const NOTICES: ReadonlyMap<string, Notice> = new Map([
  ['notifications/cancelled', notice('2024-11-05', { _meta: '2025-11-25' })],
  ['notifications/progress', notice('2024-11-05', { message: '2025-03-26', _meta: '2025-11-25' })],
  ['notifications/message', notice('2024-11-05', { _meta: '2025-11-25' })],
  ['notifications/resources/updated', notice('2024-11-05', { _meta: '2025-11-25' })],
  ['notifications/resources/list_changed', notice('2024-11-05')],
  ['notifications/tools/list_changed', notice('2024-11-05')],
  ['notifications/prompts/list_changed', notice('2024-11-05')],
  ['notifications/roots/list_changed', notice('2024-11-05', undefined, false)],
  ['notifications/elicitation/complete', notice('2025-11-25', {}, false)],
]);

/**
 * The params of a notification for a peer of this revision, `{}` where it came without; undefined where the revision
 * does not know it, or where mcpx does not pass it on (tasks). The id of the subscription it came by is taken out: it is
 * between mcpx and the upstream.
 */
export function spellNotification(
  revision: Revision,
  method: string,
  params: JsonText | undefined,
): JsonText | undefined {
  const known = NOTICES.get(method);
  if (known === undefined || !atLeast(revision, known.since)) return undefined;
  if (!known.stayed && !isLegacy(revision)) return undefined;
  if (params === undefined) return known.needsParams ? undefined : '{}';
  return known.spell(params.includes(META.subscriptionId) ? unsubscribed(params) : params, revision);
}

function unsubscribed(params: JsonText): JsonText {
  return mapMembers(params, (value, key) => {
    if (key !== '_meta' || !isObject(value)) return value;
    const rest = withoutMembers(value, [META.subscriptionId]);
    return entries(rest).length === 0 ? undefined : rest;
  });
}

const sample = object({ tools: '2025-11-25', toolChoice: '2025-11-25' }, { messages: spellMessages });
const message = object({ _meta: '2025-11-25' }, { content: spellBlock });

/** Before 2025-11-25 a message is one block: one of several becomes several messages of the same role. */
function spellMessages(messages: JsonText, revision: Revision): JsonText {
  if (atLeast(revision, '2025-11-25') || !isArray(messages)) return messages;
  const single = elements(messages).flatMap((text) => {
    const content = member(text, 'content');
    if (content === undefined || !isArray(content)) return [text];
    return elements(content).map((block) => withMember(text, 'content', block));
  });
  return arrayText(single.map((text) => message(text, revision)));
}

const REQUESTS: ReadonlyMap<string, Spell> = new Map<string, Spell>([
  ['completion/complete', object({ context: '2025-06-18' }, { ref: object({ title: '2025-06-18' }) })],
  ['sampling/createMessage', sample],
]);

/** Params that only a retry of 2026-07-28 has. */
const RETRY = ['inputResponses', 'requestState'];

/**
 * The params of `method` for a peer of this revision; the same string where nothing changes. `task` is always taken
 * out, since mcpx declares no tasks to either side.
 */
export function spellRequest(revision: Revision, method: string, params: JsonText): JsonText {
  const plain = params.includes('"task"') ? withoutMembers(params, ['task']) : params;
  // From 2026-07-28 on a sample is asked for by an entry of `inputRequests`, which has no `_meta` of its own.
  if (!isLegacy(revision) && method === 'sampling/createMessage') return withoutMembers(plain, ['_meta']);
  if (!isLegacy(revision)) return plain;
  const single = RETRY.some((key) => plain.includes(`"${key}"`)) ? withoutMembers(plain, RETRY) : plain;
  if (atLeast(revision, '2025-11-25')) return single;
  return REQUESTS.get(method)?.(single, revision) ?? single;
}

/** 2026-07-28 basic/index, "Error Codes": this part of JSON-RPC's own range belongs to MCP alone. */
const FIRST = -32_099;
const LAST = -32_020;
/** Of the codes in that range the one that an upstream can mean for the host: the others are about mcpx's own requests. */
const PASSED: readonly number[] = [RPC.missingCapability];

/** The error object for a host of this revision; message and data stay. The same string where the code may stay too. */
export function spellError(revision: Revision, error: JsonText): JsonText {
  const text = member(error, 'code');
  const code = text === undefined ? undefined : read(text);
  if (typeof code !== 'number') return error;
  const spelled = isLegacy(revision) ? legacyCode(code) : modernCode(code);
  return spelled === code ? error : withMember(error, 'code', jsonOf(spelled));
}

function modernCode(code: number): number {
  if (code === RPC.resourceNotFound) return RPC.invalidParams;
  const reserved = code >= FIRST && code <= LAST;
  return reserved && !PASSED.includes(code) ? RPC.internal : code;
}

/** What came with 2026-07-28 tells an older host nothing. */
function legacyCode(code: number): number {
  const modern: readonly number[] = [RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion];
  return modern.includes(code) ? RPC.internal : code;
}
