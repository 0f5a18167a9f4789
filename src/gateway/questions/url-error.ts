// An upstream's -32042 that could not be resolved, as each host gets it: as it came, or in plain words (ELI-12, C09).
import { errorReply, RPC } from '../../protocol/message.ts';
import type { Reply } from '../../protocol/types.ts';
import { isUrlRequired, readUrlRequired } from '../../protocol/url-required.ts';
import { inert } from '../../text/inert.ts';
import type { Line } from '../channels/channel.ts';
import type { Requester } from '../requesters.ts';
import { tooManyQuestions } from './question-quota.ts';
import { knowsUrlErrors } from './url-ability.ts';

/** Characters of a server's message that go into a sentence. */
const SHOWN = 200;

/**
 * Passes any other reply on. A host that gets the error itself is remembered under the upstream's own ids. One of more
 * than `most` URLs, `limits.questionsPerRound`, goes to nobody.
 */
export function urlErrorFor(host: Requester, line: Line, reply: Reply, most: number): Reply {
  if (!('error' in reply) || !isUrlRequired(reply.error)) return reply;
  const urls = readUrlRequired(reply.error, most);
  if (urls === 'many')
    return errorReply(RPC.internal, `${line.server}: ${tooManyQuestions('its error -32042', most)}`);
  if (knowsUrlErrors(host.session.facts)) {
    for (const { elicitationId } of urls ?? []) line.urls.passOn(host, elicitationId);
    return reply;
  }
  const missing = (urls ?? []).map(({ message, url }) =>
    message === '' ? inert(url) : `${inert(message, { oneLine: true, max: SHOWN })} (${inert(url)})`,
  );
  const what = missing.length === 0 ? 'something done at a URL, without saying which' : missing.join('; ');
  return errorReply(
    RPC.internal,
    `${line.server} needs this before it can go on, and it has not been done: ${what}`,
  );
}
