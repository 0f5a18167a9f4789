// Questions to a host of 2026-07-28: the bare params of an entry of `inputRequests` (client/elicitation).

import type { QuestionCodec } from '../elicitation.ts';
import { withoutMembers } from '../json-text.ts';

/** That revision has no `elicitationId`, and an entry that is no request of its own has no `_meta` (ELI-10). */
export const spell20260728: QuestionCodec = (params) =>
  withoutMembers(params, ['task', '_meta', 'elicitationId']);
