// The questions of one round of a modern upstream, asked on behalf of a host that knows nothing of rounds.
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Call } from '../calls/call.ts';
import type { Channel } from '../channels/channel.ts';
import { passRequest } from '../questions/pass-request.ts';
import { type Asking, carryQuestion, type QuestionDeps } from '../questions/question.ts';
import type { InputRequest, Round } from './round.ts';
import type { RoundOutcome } from './rounds.ts';

/**
 * Asks all questions of a round together; the first that gets an error in place of an answer fails the round. Rejects
 * with the reason for which the call ended meanwhile.
 */
export async function askRound(
  deps: QuestionDeps,
  channel: Channel,
  call: Call,
  round: Round,
): Promise<RoundOutcome> {
  let delivered: (received: boolean) => void = () => {};
  const sent = new Promise<boolean>((resolve) => {
    delivered = resolve;
  });
  try {
    const answers = await collect(deps, channel, call, round, sent);
    if (!('error' in answers)) return { answers: answers.given, delivered };
    delivered(false);
    return { reply: answers };
  } catch (error) {
    delivered(false);
    throw error;
  }
}

type Answers =
  | { readonly given: (readonly [key: string, response: JsonText])[] }
  | { readonly error: JsonText };

/** `sent` says whether the retry with the answers reached the upstream. */
function collect(
  deps: QuestionDeps,
  channel: Channel,
  call: Call,
  round: Round,
  sent: Promise<boolean>,
): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const given = new Map<string, JsonText>();
    call.ended.addEventListener('abort', () => reject(call.ended.reason), { once: true });
    for (const request of round.requests) {
      const asking = askingFor(request, call, (reply) => {
        if ('error' in reply) resolve(reply);
        else given.set(request.key, reply.result);
        if (given.size === round.requests.length) resolve({ given: [...given] });
        return sent;
      });
      void (request.method === 'elicitation/create'
        ? carryQuestion(deps, channel, asking)
        : passRequest(deps, channel, asking));
    }
  });
}

function askingFor(
  { method, params }: InputRequest,
  call: Call,
  reply: (reply: Reply) => Promise<boolean>,
): Asking & { readonly method: string } {
  return { method, params, origin: call.id, signal: call.signal, reply };
}
