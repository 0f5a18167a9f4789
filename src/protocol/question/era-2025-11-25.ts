// Questions to a host of 2025-11-25: as they came, without what is between mcpx and the upstream.

import type { QuestionCodec } from '../elicitation.ts';
import { member, quote, stringOf, withMember, withoutMembers } from '../json-text.ts';

/** `task` and `_meta` concern the upstream's own request; a url question gets an id of mcpx's own. */
export const spell20251125: QuestionCodec = (params, elicitationId) => {
  const kept = withoutMembers(params, ['task', '_meta']);
  if (elicitationId === undefined || stringOf(member(kept, 'mode')) !== 'url') return kept;
  return withMember(kept, 'elicitationId', quote(elicitationId));
};
