// One call on one line, from the start of its timers to its end.
import type { Exchange } from '../host/types.ts';
import { at, member, quote, stringOf, withAt } from '../protocol/json-text.ts';
import { isLegacy } from '../protocol/revisions.ts';
import { spellRequest } from '../protocol/spell-request.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { Channel } from '../upstream/types.ts';
import { Call } from './call.ts';
import type { HostState } from './host-state.ts';
import type { Line } from './line.ts';
import { withRounds } from './modern/rounds.ts';
import type { Progress } from './progress.ts';
import type { QuestionDeps } from './question.ts';

/** What a call needs beside its line: settings for its timers, and what its questions need. */
export type SendDeps = QuestionDeps;

export interface CallRequest {
  readonly host: HostState;
  readonly exchange: Exchange;
  readonly method: string;
  readonly params: JsonText | undefined;
  /** Tool or prompt name, or resource URI, as the upstream knows it. */
  readonly target: string | undefined;
  readonly progress: Progress | undefined;
}

/**
 * Carries one request of a host to one upstream and resolves with the upstream's final reply; a modern upstream's
 * rounds are gone through on the way. Rejects with the reason of `exchange.signal`, or with a McpxError.
 */
export async function sendCall(deps: SendDeps, line: Line, request: CallRequest): Promise<Reply> {
  const { settings, clock } = deps;
  const { host, exchange, method, params, target, progress } = request;
  const config = settings.servers.find(({ name }) => name === line.server);
  const call = new Call({
    host,
    server: line.server,
    method,
    target,
    exchange,
    clock,
    timeout: config?.callTimeout ?? settings.serve.callTimeout,
    ceiling: settings.serve.callCeiling,
    progress,
  });
  host.calls.add(call);
  line.add(call);
  try {
    const channel = await line.ready(call.signal);
    host.target = { server: line.server, name: target };
    const { revision } = channel.info;
    const own = params === undefined ? undefined : withCallToken(params, call.id);
    const spelled = own === undefined ? undefined : spellRequest(revision, method, own);
    const logLevel = await levelFor(channel, host, call.signal);
    const send = (text: JsonText | undefined): Promise<Reply> =>
      channel.request(method, text, {
        signal: call.signal,
        ticket: call.id,
        ...(logLevel !== undefined && { logLevel }),
      });
    // A stateless host goes through a modern upstream's rounds itself; nothing is kept here for it.
    if (host.stateless || isLegacy(revision)) return await send(spelled);
    return await withRounds({ deps, line, call, params: spelled, send });
  } finally {
    // Open questions end first, so that their notices precede the result on the host's stream.
    call.finish('the call has ended');
    host.calls.delete(call);
  }
}

/**
 * The log level of a request: towards a modern upstream it goes along with the request; a legacy one is told once, here
 * for a stateless host, whose level comes with the request (a session's level was passed on when it was set).
 */
async function levelFor(channel: Channel, host: HostState, signal: AbortSignal): Promise<string | undefined> {
  if (host.logLevel === undefined) return undefined;
  if (!isLegacy(channel.info.revision)) return stringOf(member(host.logLevel, 'level'));
  if (host.stateless && channel.info.capabilities['logging'] !== undefined)
    await channel.request('logging/setLevel', host.logLevel, { signal });
  return undefined;
}

/** Two hosts may choose the same `progressToken`; towards the upstream it is the call's own id. */
function withCallToken(params: JsonText, id: string): JsonText {
  const path = ['_meta', 'progressToken'];
  return at(params, path) === undefined ? params : withAt(params, path, quote(id));
}
