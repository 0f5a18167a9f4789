// Content blocks of tool results, prompts and samples for older peers: what they cannot show becomes text.
import { isObject, member, objectText, quote, stringOf } from './json-text.ts';
import { atLeast } from './revisions.ts';
import { object } from './shape.ts';
import type { JsonText, Revision } from './types.ts';

export const annotations = object({ lastModified: '2025-06-18' });

/** A text or blob of a resource. */
export const contents = object({ _meta: '2025-06-18' });

const block = object({ _meta: '2025-06-18', icons: '2025-11-25' }, { annotations, resource: contents });

/** Kinds of block that came after the first revision, and the text that stands in for one. */
const LATER: ReadonlyMap<string, { since: Revision; inWords: (block: JsonText) => string }> = new Map([
  ['audio', { since: '2025-03-26', inWords: audioInWords }],
  ['resource_link', { since: '2025-06-18', inWords: linkInWords }],
]);

/** One content block. A kind that MCP does not define stays as it is. */
export function spellBlock(text: JsonText, revision: Revision): JsonText {
  if (!isObject(text)) return text;
  const later = LATER.get(stringOf(member(text, 'type')) ?? '');
  if (later === undefined || atLeast(revision, later.since)) return block(text, revision);
  const notes = member(text, 'annotations');
  return objectText([
    ['type', quote('text')],
    ['text', quote(later.inWords(text))],
    ...(notes === undefined ? [] : [['annotations', annotations(notes, revision)] as const]),
  ]);
}

function audioInWords(text: JsonText): string {
  const mimeType = stringOf(member(text, 'mimeType')) ?? 'unknown type';
  const base64 = (member(text, 'data') ?? '""').length - 2;
  return `[Audio, ${mimeType}, about ${Math.floor((base64 * 3) / 4)} bytes: cannot be shown here]`;
}

function linkInWords(text: JsonText): string {
  const word = (key: string): string | undefined => stringOf(member(text, key));
  const mimeType = word('mimeType');
  const head = `Resource: ${word('title') ?? word('name') ?? 'unnamed'}${mimeType === undefined ? '' : ` (${mimeType})`}`;
  return [head, word('uri'), word('description')].filter((line) => line !== undefined).join('\n');
}
