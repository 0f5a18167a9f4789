// POSTs that bring nothing back: notifications, and the answers to questions, which are worth more than one try.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import { discard, type HttpClient } from './http-client.ts';
import { saysSessionGone, type UpstreamSession } from './upstream-session.ts';

/** The waits between attempts to deliver an answer over a connection that fails, in milliseconds. */
const WAITS_MS = [250, 1000, 3000];

/** Why a POST was not taken. */
export interface PostFailure {
  readonly error: McpxError;
  readonly sessionGone: boolean;
  /** The connection or the server failed, and may do better in a moment. */
  readonly passing: boolean;
}

/** Resolves with undefined when the server has taken it (any 2xx; 202 by the specification). */
export async function postOneWay(
  client: HttpClient,
  session: UpstreamSession,
  text: string,
): Promise<PostFailure | undefined> {
  try {
    const response = await client.send({
      method: 'POST',
      headers: session.forPost(),
      body: text,
      quick: true,
    });
    const { statusCode } = response;
    if (statusCode < 300) {
      discard(response);
      return undefined;
    }
    const { error, body } = await client.failure(response);
    const sessionGone = session.hasId && saysSessionGone(statusCode, body);
    return { error, sessionGone, passing: statusCode >= 500 || statusCode === 429 };
  } catch (error) {
    if (!(error instanceof McpxError)) throw error;
    return { error, sessionGone: false, passing: true };
  }
}

/** The same up to four times. The upstream ignores a reply it has had already, so that a repeat does no harm. */
export async function postAnswer(
  client: HttpClient,
  session: UpstreamSession,
  text: string,
  clock: Clock,
): Promise<PostFailure | undefined> {
  let untaken = await postOneWay(client, session, text);
  for (const ms of WAITS_MS) {
    if (untaken?.passing !== true || session.gone) return untaken;
    await new Promise<void>((resolve) => clock.after(ms, resolve));
    untaken = await postOneWay(client, session, text);
  }
  return untaken;
}
