// One call on one line, from the start of its timers to its end.
import { McpxError } from '../errors.ts';
import type { Exchange } from '../host/types.ts';
import { isToken } from '../protocol/ids.ts';
import { at, quote, withAt } from '../protocol/json-text.ts';
import { levelIn } from '../protocol/log-level.ts';
import { isLegacy } from '../protocol/revisions.ts';
import { spellRequest } from '../protocol/spell-request.ts';
import type { JsonText, Reply } from '../protocol/types.ts';
import type { Channel } from '../upstream/types.ts';
import { Call } from './call.ts';
import type { HostState } from './host-state.ts';
import type { Line } from './line.ts';
import { readRound } from './modern/round.ts';
import { withRounds } from './modern/rounds.ts';
import type { Progress } from './progress.ts';
import type { QuestionDeps } from './question.ts';
import { settleLevel } from './shared-line.ts';
import type { ParkedUrlCalls } from './url/parked-url-calls.ts';
import { withRequiredUrls } from './url/required-urls.ts';
import { urlErrorFor } from './url/url-error.ts';

/** What a call needs beside its line: settings for its timers, and what its questions need. */
export interface SendDeps extends QuestionDeps {
  readonly parkedUrlCalls: ParkedUrlCalls;
}

export interface CallRequest {
  /** `cal-` and 16 hex digits, where the call was named before it began. */
  readonly id?: string;
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
 * rounds and URLs that it requires are gone through on the way, or with -32042 where its host must open a URL first and
 * can be told in no other way; the call then goes on without it. Rejects with the reason of `exchange.signal`, or with
 * a McpxError.
 */
export function sendCall(deps: SendDeps, line: Line, request: CallRequest): Promise<Reply> {
  const { settings, clock } = deps;
  const { id, host, exchange, method, params, target, progress } = request;
  const config = settings.servers.find(({ name }) => name === line.server);
  const call = new Call({
    ...(id !== undefined && { id }),
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
  return deps.parkedUrlCalls.serve(call, exchange, outcomeOf(deps, line, call, params));
}

async function outcomeOf(
  deps: SendDeps,
  line: Line,
  call: Call,
  params: JsonText | undefined,
): Promise<Reply> {
  const { host, method } = call;
  try {
    const channel = await line.ready(call.signal);
    const { revision } = channel.info;
    host.target = { server: line.server, name: call.target, modern: !isLegacy(revision) };
    const own = params === undefined ? undefined : withCallToken(params, call.id);
    const spelled = own === undefined ? undefined : spellRequest(revision, method, own);
    const logLevel = await levelFor(line, channel, host, call.signal);
    const send = (text: JsonText | undefined): Promise<Reply> =>
      channel.request(method, text, {
        signal: call.signal,
        ticket: call.id,
        ...(logLevel !== undefined && { logLevel }),
      });
    const reply = isLegacy(revision)
      ? await withRequiredUrls({ deps, line, call, revision, send: () => send(spelled) })
      : host.takesRounds
        ? oneRound(deps, line, call, await send(spelled))
        : await withRounds({ deps, line, call, params: spelled, send });
    // -32042 belongs to one revision, whatever an upstream of another makes of it.
    return urlErrorFor(host, line, reply, deps.settings.limits.questionsPerRound);
  } finally {
    // Open questions end first, so that their notices precede the result on the host's stream.
    call.finish('the call has ended');
    host.calls.delete(call);
  }
}

/** A stateless host goes through a modern upstream's rounds itself, and nothing is kept here for it. */
function oneRound({ settings }: SendDeps, { server }: Line, { host, method }: Call, reply: Reply): Reply {
  host.heard = true;
  const round =
    'result' in reply ? readRound(method, reply.result, settings.limits.questionsPerRound) : undefined;
  if (typeof round === 'string') throw new McpxError('upstream', `${server}: ${round}`);
  return reply;
}

/**
 * The log level of a request: towards a modern upstream it goes along with the request; a legacy one is told once, here
 * for a stateless host, whose level comes with the request (a session's level was passed on when it was set).
 */
async function levelFor(
  line: Line,
  channel: Channel,
  host: HostState,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (host.logLevel === undefined) return undefined;
  if (!isLegacy(channel.info.revision)) return levelIn(host.logLevel);
  if (!host.stateless || channel.info.capabilities['logging'] === undefined) return undefined;
  const send = (params: JsonText): Promise<Reply> => channel.request('logging/setLevel', params, { signal });
  await (line.shared ? settleLevel(line, send, host.logLevel) : send(host.logLevel));
  return undefined;
}

/** Two hosts may choose the same `progressToken`; towards the upstream it is the call's own id. What is none is left out. */
function withCallToken(params: JsonText, id: string): JsonText {
  const path = ['_meta', 'progressToken'];
  const token = at(params, path);
  if (token === undefined) return params;
  return withAt(params, path, isToken(token) ? quote(id) : undefined);
}
