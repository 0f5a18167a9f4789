// The replies around a session, worded the same for every transport.
import { randomBytes } from 'node:crypto';
import { isMcpxError } from '../errors.ts';
import { errorReply, type Parsed, RPC } from '../protocol/message.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import { initializeResult, type ServerInfo } from './initialize.ts';
import type { LegacySession } from './legacy-session.ts';

/** The reply to an `initialize` that names no revision. */
export const NO_REVISION: Reply = errorReply(
  RPC.invalidParams,
  'The params of initialize need a protocolVersion, such as "2025-11-25".',
);

/** The reply to anything that needs a session and comes before `initialize`. */
export const NOT_INITIALIZED: Reply = errorReply(
  RPC.invalidRequest,
  'There is no session yet; send initialize first.',
);

/** The reply to a batch where there are none: only 2025-03-26 has them (2025-03-26 basic/index, "Batching"). */
export const NO_BATCHES: Reply = errorReply(
  RPC.invalidRequest,
  'Batches are served only in a session of revision 2025-03-26; send one message at a time.',
);

/** The reply to a text that is no message. */
export function faultReply({ code, reason }: { code: number; reason: string }): Reply {
  return errorReply(
    code,
    `${code === RPC.parse ? 'This is not JSON' : 'This is not a JSON-RPC message'}: ${reason}.`,
  );
}

/** Why a message over the limit is refused, and where to raise it. */
export function tooLong(frameBytes: number): string {
  return `The message is longer than limits.frameBytes (${frameBytes} bytes); raise that in mcpx.json to allow it.`;
}

/** A reply of the host that was too long to be read, as the fault that its question is told of. */
export function longFault(id: JsonText | undefined, reason: string): Extract<Parsed, { ok: false }> {
  const fault = { ok: false, code: RPC.invalidRequest, reason } as const;
  return id === undefined ? { ...fault, id: 'null', stray: true } : { ...fault, id };
}

/** Whether the host may send several messages as one JSON array. */
export function takesBatches(session: LegacySession): boolean {
  return session.facts.revision === '2025-03-26';
}

/** The name of a session inside mcpx and in its log; whoever knows it can do nothing with it. */
export function newSessionId(): string {
  return `ses-${randomBytes(8).toString('hex')}`;
}

/**
 * Lets the handler welcome a new session and hands the reply to its `initialize` to `answer`, which must send it at
 * once: requests that came meanwhile go on right after.
 */
export async function greet(
  session: LegacySession,
  info: ServerInfo,
  answer: (reply: Reply) => void,
): Promise<void> {
  await session.greet((welcome) => {
    if (!isMcpxError(welcome)) answer({ result: initializeResult(session.facts, info, welcome) });
    else answer(errorReply(RPC.internal, [welcome.message, welcome.hint].filter(Boolean).join(' ')));
  });
}
