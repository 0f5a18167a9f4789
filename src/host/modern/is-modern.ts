// Whether a message is one of 2026-07-28: cheap enough to be asked of every message.
import { isObject, member } from '../../protocol/json-text.ts';
import { META } from '../../protocol/meta.ts';
import { isLegacy, isRevision } from '../../protocol/revisions.ts';
import type { Message } from '../../protocol/types.ts';

/** Whether a request or notification says in its `_meta` which revision it is of, as none did before 2026-07-28. */
export function isModernMessage(message: Message): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  const meta = message.params === undefined ? undefined : member(message.params, '_meta');
  return meta !== undefined && isObject(meta) && member(meta, META.protocolVersion) !== undefined;
}

/** Whether an `MCP-Protocol-Version` header names a revision without sessions. */
export function isModernHeader(header: string | undefined): boolean {
  return isRevision(header) && !isLegacy(header);
}
