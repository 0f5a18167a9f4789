// JSON-RPC errors in the words of the peer's era: codes that it must not be sent become those that say the same.
import { jsonOf, member, read, withMember } from './json-text.ts';
import { RPC } from './message.ts';
import { isLegacy } from './revisions.ts';
import type { JsonText, Revision } from './types.ts';

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
