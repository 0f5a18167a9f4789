// A call that an upstream answered with -32042: its URLs are asked, waited for, and the call is sent once more (ELI-12).

import type { Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import { errorReply, RPC } from '../../protocol/message.ts';
import { mayAsk } from '../../protocol/methods.ts';
import type { Reply, Revision } from '../../protocol/types.ts';
import { isUrlRequired, type RequiredUrl, readUrlRequired } from '../../protocol/url-required.ts';
import { inert } from '../../text/inert.ts';
import { AskerGone } from '../../upstream/questions.ts';
import { orAborted, turnFor } from '../../waiting.ts';
import type { Call } from '../calls/call.ts';
import type { Channel } from '../channels/channel.ts';
import type { Requester } from '../requesters.ts';
import { knowsUrlErrors } from './asked-urls.ts';
import { type Asking, carryQuestion, keepAlive, type QuestionDeps } from './question.ts';
import { tooManyQuestions } from './question-quota.ts';
import { isOpenable } from './read-question.ts';

export interface RequiredOptions {
  readonly deps: QuestionDeps;
  readonly channel: Channel;
  readonly call: Call;
  /** What the connection was negotiated at. */
  readonly revision: Revision;
  /** Sends the call; each time on the same connection. */
  readonly send: () => Promise<Reply>;
}

/**
 * Resolves with the upstream's reply. A -32042 with sound entries becomes url questions; once all are accepted and
 * finished, or `elicit.urlWait` is over, the call is sent exactly once more, and what comes then is the reply, also
 * another -32042 (C10). An answer that is not accept leaves the error as it came.
 */
export async function withRequiredUrls(options: RequiredOptions): Promise<Reply> {
  const { deps, channel, call, revision, send } = options;
  const first = await send();
  if ('error' in first) await turnFor(first.error);
  const urls =
    revision === '2025-11-25' && mayAsk(call.method)
      ? openable(channel.server, first, deps.settings.limits.questionsPerRound)
      : undefined;
  if (urls === undefined) return first;
  const ended = AbortSignal.any([call.ended, channel.gone]);
  const release = call.pauseTimeout();
  const stopKeepAlive = keepAlive(deps.clock, call.context.progress, call.ended);
  const others = new AbortController();
  let taken: (delivered: boolean) => void = () => {};
  const sent = new Promise<boolean>((resolve) => {
    taken = resolve;
  });
  try {
    const rows = await orAborted(askAll({ ...options, urls, sent, taken: others.signal }), ended);
    if (rows === undefined) return first;
    const { urlWait } = deps.settings.elicit;
    const finished = rows.map(({ id }) => deps.broker.awaitCompletion(id, urlWait, ended));
    await orAborted(Promise.all(finished), ended);
    call.restart();
    release();
    const second = send();
    // The retry is on its way: now the upstream has what the person consented to.
    taken(true);
    return await second;
  } catch (error) {
    throw error instanceof AskerGone
      ? new McpxError('upstream', `${channel.server}: ${error.message}`)
      : error;
  } finally {
    stopKeepAlive();
    release();
    taken(false);
    others.abort(new Error('another URL that the same call needs was not accepted'));
  }
}

/** The URLs of the error, if each of them could be opened; else there is nothing mcpx can do about it. */
function openable(server: string, reply: Reply, most: number): readonly RequiredUrl[] | undefined {
  const urls = 'error' in reply ? readUrlRequired(reply.error, most) : undefined;
  if (urls === 'many')
    throw new McpxError('upstream', `${server}: ${tooManyQuestions('its error -32042', most)}`);
  return urls?.every(({ url }) => isOpenable(url)) ? urls : undefined;
}

interface AskOptions extends RequiredOptions {
  readonly urls: readonly RequiredUrl[];
  /** Whether the retry was sent; only then has the upstream been told of an accept. */
  readonly sent: Promise<boolean>;
  /** Aborts when the questions that are still open are not needed any more. */
  readonly taken: AbortSignal;
}

/** Asks all URLs together. Resolves with their rows once all are accepted, with undefined as soon as one is not. */
function askAll({ deps, channel, call, urls, sent, taken }: AskOptions): Promise<readonly Row[] | undefined> {
  const signal = AbortSignal.any([channel.gone, taken]);
  return new Promise((resolve) => {
    const rows: Row[] = [];
    for (const { params } of urls) {
      const asking: Asking = {
        params,
        origin: call.id,
        signal,
        reply(_reply, row) {
          if (row?.state !== 'accepted') {
            resolve(undefined);
            return Promise.resolve(row?.answer !== undefined);
          }
          rows.push(row);
          if (rows.length === urls.length) resolve(rows);
          return sent;
        },
      };
      void carryQuestion(deps, channel, asking);
    }
  });
}

/** Characters of a server's message that go into a sentence. */
const SHOWN = 200;

/**
 * Passes any other reply on. A host that gets the error itself is remembered under the upstream's own ids. One of more
 * than `most` URLs, `limits.questionsPerRound`, goes to nobody.
 */
export function urlErrorFor(host: Requester, channel: Channel, reply: Reply, most: number): Reply {
  if (!('error' in reply) || !isUrlRequired(reply.error)) return reply;
  const urls = readUrlRequired(reply.error, most);
  if (urls === 'many')
    return errorReply(RPC.internal, `${channel.server}: ${tooManyQuestions('its error -32042', most)}`);
  if (knowsUrlErrors(host.session.facts)) {
    for (const { elicitationId } of urls ?? []) channel.urls.passOn(host, elicitationId);
    return reply;
  }
  const missing = (urls ?? []).map(({ message, url }) =>
    message === '' ? inert(url) : `${inert(message, { oneLine: true, max: SHOWN })} (${inert(url)})`,
  );
  const what = missing.length === 0 ? 'something done at a URL, without saying which' : missing.join('; ');
  return errorReply(
    RPC.internal,
    `${channel.server} needs this before it can go on, and it has not been done: ${what}`,
  );
}
