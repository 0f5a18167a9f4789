// A modern upstream's rounds, gone through on behalf of a host that knows nothing of them: ask, collect, send again.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import type { Call } from '../call.ts';
import { type Line, orAborted } from '../line.ts';
import { passRequest } from '../pass-request.ts';
import { type Asking, carryQuestion, type QuestionDeps } from '../question.ts';
import { type InputRequest, type Round, readRound, retryParams } from './round.ts';

/** More rounds than any honest tool needs; then the call fails and its rows close (design/2-relay.md, "As a client"). */
export const MOST_ROUNDS = 10;
/** Milliseconds before a round that only carries state is sent on; doubles up to the second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export interface RoundsOptions {
  readonly deps: QuestionDeps;
  readonly line: Line;
  readonly call: Call;
  /** The params of the first request; each retry changes nothing in them but answers and state. */
  readonly params: JsonText | undefined;
  readonly send: (params: JsonText | undefined) => Promise<Reply>;
}

/** Resolves with the upstream's final reply, or with the error that took the place of an answer. */
export async function withRounds(options: RoundsOptions): Promise<Reply> {
  const { deps, line, call, params, send } = options;
  let next = params;
  let pause = FIRST_PAUSE;
  let taken: (delivered: boolean) => void = () => {};
  for (let rounds = 0; ; rounds += 1) {
    let reply: Reply;
    try {
      reply = await send(next);
    } catch (error) {
      taken(false);
      throw error;
    }
    // The upstream has spoken to the retry: it has the answers that the retry carried.
    taken(true);
    if ('error' in reply) return reply;
    const round = readRound(call.method, reply.result, deps.settings.limits.questionsPerRound);
    if (round === undefined) return reply;
    if (typeof round === 'string') throw new McpxError('upstream', `${line.server}: ${round}`);
    if (rounds === MOST_ROUNDS) throw tooMany(line.server);
    call.restart();
    if (round.requests.length === 0) {
      next = retryParams(params, [], round.state);
      await wait(deps.clock, pause, call.signal);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      continue;
    }
    pause = FIRST_PAUSE;
    const sent = new Promise<boolean>((resolve) => {
      taken = resolve;
    });
    const answers = await askAll({ deps, line, call, round, sent });
    if ('error' in answers) {
      taken(false);
      return answers;
    }
    call.restart();
    next = retryParams(params, answers.given, round.state);
  }
}

/** The error of a tool that never comes to an end. */
export function tooMany(server: string): McpxError {
  return new McpxError(
    'upstream',
    `${server} still asked after ${MOST_ROUNDS} rounds; the call was given up`,
  );
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return orAborted(new Promise((resolve) => clock.after(ms, resolve)), signal);
}

interface AskOptions {
  readonly deps: QuestionDeps;
  readonly line: Line;
  readonly call: Call;
  readonly round: Round;
  /** Whether the retry with these answers reached the upstream. */
  readonly sent: Promise<boolean>;
}

type Answers =
  | { readonly given: (readonly [key: string, response: JsonText])[] }
  | { readonly error: JsonText };

/** Asks all questions of a round together. The first that gets an error in place of an answer fails the round. */
function askAll({ deps, line, call, round, sent }: AskOptions): Promise<Answers> {
  return new Promise((resolve, reject) => {
    const given = new Map<string, JsonText>();
    call.over.addEventListener('abort', () => reject(call.over.reason), { once: true });
    for (const request of round.requests) {
      const asking = askingFor(request, call, (reply) => {
        if ('error' in reply) resolve(reply);
        else given.set(request.key, reply.result);
        if (given.size === round.requests.length) resolve({ given: [...given] });
        return sent;
      });
      void (request.method === 'elicitation/create'
        ? carryQuestion(deps, line, asking)
        : passRequest(deps, line, asking));
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
