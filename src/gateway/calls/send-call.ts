// One call on one channel, from the start of its timers to its end.

import { isToken } from '../../protocol/ids.ts';
import { quote } from '../../protocol/json-text.ts';
import { levelIn } from '../../protocol/log-level.ts';
import { paramsOf } from '../../protocol/params.ts';
import { isLegacy } from '../../protocol/revisions.ts';
import { spellRequest } from '../../protocol/spell-message.ts';
import type { JsonText, Reply, Revision } from '../../protocol/types.ts';
import type { Connection } from '../../upstream/types.ts';
import type { Channel } from '../channels/channel.ts';
import { settleLevel } from '../channels/shared-channel.ts';
import { askRound, throughRounds } from '../input-required/rounds.ts';
import type { QuestionDeps } from '../questions/question.ts';
import { urlErrorFor, withRequiredUrls } from '../questions/required-urls.ts';
import type { Requester } from '../requesters.ts';
import { Call, type RequestContext } from './call.ts';

export interface CallRequest {
  readonly context: RequestContext;
  /** `cal-` and 16 hex digits, where the call was named before it began. */
  readonly id?: string;
  readonly method: string;
  readonly params: JsonText | undefined;
  /** Tool or prompt name, or resource URI, as the upstream knows it. */
  readonly target: string | undefined;
}

/** What became of a request that was sent to an upstream. */
export interface CallOutcome {
  readonly reply: Reply;
  readonly server: string;
  readonly target: string | undefined;
  /** What the connection was negotiated at. */
  readonly revision: Revision;
}

/**
 * Carries one request of a host to one upstream and resolves with the upstream's reply: the final one, once its rounds
 * and the URLs that it requires are gone through, or an interim one where its host goes through rounds itself. Rejects
 * with the reason of `exchange.signal`, or with a McpxError.
 */
export async function sendCall(
  deps: QuestionDeps,
  channel: Channel,
  request: CallRequest,
): Promise<CallOutcome> {
  const { settings, clock } = deps;
  const { id, context, method, target } = request;
  const { host } = context;
  const config = settings.servers.find(({ name }) => name === channel.server);
  const call = new Call({
    ...(id !== undefined && { id }),
    context,
    server: channel.server,
    method,
    target,
    clock,
    timeout: config?.callTimeout ?? settings.serve.callTimeout,
    ceiling: settings.serve.callCeiling,
  });
  channel.add(call);
  try {
    const connection = await channel.ready(call.signal);
    const { revision } = connection.info;
    const own = withCallToken(request, call.id);
    const spelled = own === undefined ? undefined : spellRequest(revision, method, own);
    const logLevel = await levelFor(channel, connection, host, call.signal);
    const send = (text: JsonText | undefined): Promise<Reply> =>
      connection.request(method, text, {
        signal: call.signal,
        ticket: call.id,
        ...(logLevel !== undefined && { logLevel }),
      });
    const reply = isLegacy(revision)
      ? await withRequiredUrls({ deps, channel, call, revision, send: () => send(spelled) })
      : host.takesRounds
        ? await send(spelled)
        : await throughRounds({
            method,
            most: settings.limits.questionsPerRound,
            params: spelled,
            clock,
            signal: call.signal,
            async send(text, before) {
              if (before !== undefined) call.restart();
              return { reply: await send(text), server: channel.server };
            },
            ask(round) {
              call.restart();
              return askRound(deps, channel, call, round);
            },
          });
    // -32042 belongs to one revision, whatever an upstream of another makes of it.
    return {
      reply: urlErrorFor(host, channel, reply, settings.limits.questionsPerRound),
      server: channel.server,
      target,
      revision,
    };
  } finally {
    // Open questions end first, so that their notices precede the result on the host's stream.
    call.finish('the call has ended');
  }
}

/**
 * The log level of a request: towards a modern upstream it goes along with the request; a legacy one is told once, here
 * for a stateless host, whose level comes with the request (a session's level was passed on when it was set).
 */
async function levelFor(
  channel: Channel,
  connection: Connection,
  host: Requester,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (host.logLevel === undefined) return undefined;
  if (!isLegacy(connection.info.revision)) return levelIn(host.logLevel);
  if (!host.leases || connection.info.capabilities['logging'] === undefined) return undefined;
  const send = (params: JsonText): Promise<Reply> =>
    connection.request('logging/setLevel', params, { signal });
  await (channel.shared ? settleLevel(channel, send, host.logLevel) : send(host.logLevel));
  return undefined;
}

/** Two hosts may choose the same `progressToken`; towards the upstream it is the call's own id. What is none is left out. */
function withCallToken(request: CallRequest, id: string): JsonText | undefined {
  const path = ['_meta', 'progressToken'];
  const params = paramsOf(request);
  const token = params?.at(path);
  if (params === undefined || token === undefined) return request.params;
  return params.with(path, isToken(token) ? quote(id) : undefined);
}
