// Params of requests in the words of an older peer: an upstream, or a host that is asked for a sample.
import { spellBlock } from './content-block.ts';
import { arrayText, elements, isArray, member, withMember, withoutMembers } from './json-text.ts';
import { atLeast, isLegacy } from './revisions.ts';
import { object, type Spell } from './shape.ts';
import type { JsonText, Revision } from './types.ts';

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
