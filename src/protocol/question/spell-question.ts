// How a question is put to a host: one codec per era; an era without one is never asked inline.
import type { QuestionCodec } from '../elicitation.ts';
import { member, quote, stringOf, withMember, withoutMembers } from '../json-text.ts';
import type { JsonText, Revision } from '../types.ts';
import { spell20250618 } from './era-2025-06-18.ts';

/** That revision has no `elicitationId`, and an entry that is no request of its own has no `_meta` (ELI-10). */
export const spell20260728: QuestionCodec = (params) =>
  withoutMembers(params, ['task', '_meta', 'elicitationId']);

/** `task` and `_meta` concern the upstream's own request; a url question gets an id of mcpx's own. */
export const spell20251125: QuestionCodec = (params, elicitationId) => {
  const kept = withoutMembers(params, ['task', '_meta']);
  if (elicitationId === undefined || stringOf(member(kept, 'mode')) !== 'url') return kept;
  return withMember(kept, 'elicitationId', quote(elicitationId));
};

/** A question as its row keeps it. */
export interface Question {
  /** The key of the asking server in the config. */
  readonly server: string;
  /** The params of the upstream's `elicitation/create`, as `readElicitation` found them in order. */
  readonly params: JsonText;
  /** mcpx's own id for a url question; two upstreams may choose the same one (ELI-10). */
  readonly elicitationId?: string;
}

const CODECS: ReadonlyMap<Revision, QuestionCodec> = new Map([
  ['2025-06-18', spell20250618],
  ['2025-11-25', spell20251125],
  ['2026-07-28', spell20260728],
]);

/**
 * The params of the `elicitation/create` that a host of this revision is sent, naming the asking server (ELI-18);
 * undefined where it cannot be sent to such a host and stays with the broker. What need not change stays byte for byte
 * (docs/relay.md, "Spelling a question"; ELI-02, 04, 05, 07, 08, 10, C02).
 */
export function spellQuestion(revision: Revision, question: Question): JsonText | undefined {
  return CODECS.get(revision)?.(named(question.server, question.params), question.elicitationId);
}

/** The server is named by its key in the config, since what it calls itself is its own choice. */
function named(server: string, params: JsonText): JsonText {
  const message = stringOf(member(params, 'message')) ?? '';
  const prefix = `${server} (via mcpx) asks: `;
  if (message.startsWith(prefix) || message.startsWith(`${server}: `)) return params;
  return withMember(params, 'message', quote(prefix + message));
}
