// What a stateless host is answered, and with which HTTP status where there is one.
import { json, jsonOf, member, read } from '../../protocol/json-text.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { spellError } from '../../protocol/spell-message.ts';
import { type JsonText, REVISIONS, type Reply } from '../../protocol/types.ts';

export interface StatelessResponse {
  readonly status: number;
  readonly reply: Reply;
}

/** A request that is refused before the relay sees it. */
export function refuse(status: number, code: number, message: string, data?: JsonText): StatelessResponse {
  return { status, reply: errorReply(code, message, data) };
}

/** All that mcpx speaks, newest first: the older ones are served at the same place, after `initialize`. */
export const SUPPORTED: JsonText = jsonOf([...REVISIONS].reverse());

/** basic/versioning, "Protocol Version Negotiation". */
export function unsupported(requested: string): StatelessResponse {
  const data = json`{"supported":${SUPPORTED},"requested":${jsonOf(requested)}}`;
  return refuse(400, RPC.unsupportedVersion, 'Unsupported protocol version', data);
}

/** basic/transports/streamable-http, "Server Validation". */
export function headerMismatch(what: string): StatelessResponse {
  return refuse(400, RPC.headerMismatch, `Header mismatch: ${what}`);
}

/**
 * The relay's own reply, its error code one that may go out. An error is a payload like any other and goes with 200, but
 * for the two whose status the specification fixes whoever finds them (basic/index, "_meta";
 * basic/transports/streamable-http).
 */
export function answered(outcome: Reply): StatelessResponse {
  if ('result' in outcome) return { status: 200, reply: outcome };
  const reply = { error: spellError('2026-07-28', outcome.error) };
  const code = member(reply.error, 'code');
  switch (code === undefined ? undefined : read(code)) {
    case RPC.methodNotFound:
      return { status: 404, reply };
    case RPC.missingCapability:
      return { status: 400, reply };
    default:
      return { status: 200, reply };
  }
}
