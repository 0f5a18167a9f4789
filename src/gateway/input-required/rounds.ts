// A modern upstream's rounds, gone through to its final reply: ask, collect, send again (2026-07-28, "Multi Round-Trip Requests").
// This folder: in comes a request that ends only after rounds of questions and answers, out goes its final or interim result.
import type { Clock } from '../../clock.ts';
import { McpxError } from '../../errors.ts';
import {
  countItems,
  entries,
  isObject,
  member,
  membersOf,
  objectText,
  quote,
  stringOf,
  withMember,
  withoutMembers,
} from '../../protocol/json-text.ts';
import { mayAsk } from '../../protocol/methods.ts';
import type { JsonText, Reply } from '../../protocol/types.ts';
import { Backoff, turnFor, wait } from '../../waiting.ts';
import type { Call } from '../calls/call.ts';
import type { Channel } from '../channels/channel.ts';
import { passRequest } from '../questions/pass-request.ts';
import { type Asking, carryQuestion, type QuestionDeps } from '../questions/question.ts';
import { tooManyQuestions } from '../questions/question-quota.ts';

/** More rounds than any honest tool needs; then the call fails and its rows close (docs/relay.md, "Rounds of a modern server"). */
const MOST_ROUNDS = 10;
/** Milliseconds before a round that only carries state is sent on; doubles up to the second. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

/** What a request came to. */
export interface Sent {
  readonly reply: Reply;
  /** The server that replied; undefined where the reply is none of an upstream that asks by rounds, and so is final. */
  readonly server: string | undefined;
}

/** What a round's questions came to: the answers to send on, or the reply with which the request ends here. */
export type RoundOutcome =
  | {
      readonly answers: Iterable<readonly [key: string, response: JsonText]>;
      /** Called once it is known whether the upstream has the answers. */
      readonly delivered: (received: boolean) => void | Promise<void>;
    }
  | { readonly reply: Reply };

export interface RoundsOptions<S extends Sent> {
  readonly method: string;
  /** `limits.questionsPerRound`. */
  readonly most: number;
  /** The params of the request itself; a retry changes nothing in them but answers and state (C11). */
  readonly params: JsonText | undefined;
  /** Where a retry of the host goes on: the params to send first, and how many rounds came before. */
  readonly from?: { readonly params: JsonText | undefined; readonly rounds: number };
  readonly clock: Clock;
  /** Gives the whole up. */
  readonly signal: AbortSignal;
  /** Sends one request; `before` is what the last one came to, `rounds` how many came before it. */
  readonly send: (params: JsonText | undefined, before: S | undefined, rounds: number) => Promise<S>;
  /** Asks what a round asks; `rounds` is how many came before it. */
  readonly ask: (round: Round, sent: S, rounds: number) => Promise<RoundOutcome>;
}

/**
 * Resolves with the upstream's final reply, or with the one that `ask` gave in place of answers. Rejects with what
 * `send` and `ask` reject with, with the reason of `signal`, or with McpxError `upstream` for an interim result that
 * breaks the protocol and for a tool that never comes to an end.
 */
export async function throughRounds<S extends Sent>(options: RoundsOptions<S>): Promise<Reply> {
  const { method, params, most, from, clock, signal, send, ask } = options;
  const backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  let next = from?.params ?? params;
  let sent: S | undefined;
  let delivered: (received: boolean) => void | Promise<void> = () => {};
  for (let rounds = from?.rounds ?? 0; ; rounds += 1) {
    try {
      sent = await send(next, sent, rounds);
    } catch (error) {
      await delivered(false);
      throw error;
    }
    const { reply, server } = sent;
    // An upstream that has replied has the answers that the request carried.
    await delivered(server !== undefined);
    if (server === undefined || 'error' in reply) return reply;
    await turnFor(reply.result);
    const round = readRound(method, reply.result, most);
    if (round === undefined) return reply;
    if (typeof round === 'string') throw new McpxError('upstream', `${server}: ${round}`);
    if (rounds >= MOST_ROUNDS)
      throw new McpxError(
        'upstream',
        `${server} still asked after ${MOST_ROUNDS} rounds; the call was given up`,
      );
    if (round.requests.length === 0) {
      await wait(clock, backoff.next(), signal);
      next = retryParams(params, [], round.state);
      delivered = () => {};
      continue;
    }
    backoff.reset();
    const outcome = await ask(round, sent, rounds);
    if ('reply' in outcome) return outcome.reply;
    next = retryParams(params, outcome.answers, round.state);
    delivered = outcome.delivered;
  }
}

/** One entry of `inputRequests`: the upstream's key, and the bare `{method, params}`. */
export interface InputRequest {
  readonly key: string;
  readonly method: string;
  readonly params: JsonText | undefined;
}

/** An interim result as mcpx reads it. */
export interface Round {
  readonly requests: readonly InputRequest[];
  readonly state: string | undefined;
}

/**
 * Reads a result: undefined when it is final (a missing `resultType` is `complete`), a sentence when it is an
 * interim one that breaks the protocol or asks more than `most` questions, `limits.questionsPerRound`.
 */
export function readRound(method: string, result: JsonText, most: number): Round | string | undefined {
  const {
    resultType: type,
    inputRequests: map,
    requestState: stateText,
  } = membersOf(result, ['resultType', 'inputRequests', 'requestState']);
  if (type === undefined || stringOf(type) === 'complete') return undefined;
  if (stringOf(type) !== 'input_required') return `the result is of the unknown type ${type.slice(0, 80)}`;
  if (!mayAsk(method)) return `${method} cannot be answered by input_required`;
  const state = stringOf(stateText);
  if (stateText !== undefined && state === undefined) return 'requestState is not a string';
  if (map !== undefined && !isObject(map)) return 'inputRequests is not an object';
  if (map !== undefined && countItems(map, most) > most) return tooManyQuestions('the round', most);
  const requests = new Map<string, InputRequest>();
  for (const [key, value] of map === undefined ? [] : entries(map)) {
    const asked = isObject(value) ? stringOf(member(value, 'method')) : undefined;
    if (asked === undefined || !ASKABLE.has(asked))
      return `inputRequests holds an entry that is not a known request`;
    if (requests.has(key)) return 'inputRequests holds one key twice';
    requests.set(key, { key, method: asked, params: member(value, 'params') });
  }
  if (requests.size === 0 && state === undefined)
    return 'input_required names neither inputRequests nor requestState';
  return { requests: [...requests.values()], state };
}

const ASKABLE: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/** The params of a retry: this round's answers and exactly this round's state, other parameters unchanged (C11). */
export function retryParams(
  params: JsonText | undefined,
  answers: Iterable<readonly [key: string, response: JsonText]>,
  state: string | undefined,
): JsonText {
  const plain = withoutMembers(params ?? '{}', ['inputResponses', 'requestState']);
  const given = [...answers];
  const answered = given.length === 0 ? plain : withMember(plain, 'inputResponses', objectText(given));
  return state === undefined ? answered : withMember(answered, 'requestState', quote(state));
}

/** The interim result for a host. */
export function inputRequired(
  requests: Iterable<readonly [key: string, method: string, params: JsonText | undefined]>,
  state: string,
): JsonText {
  const map = [...requests].map(([key, method, params]): [string, JsonText] => [
    key,
    objectText([['method', quote(method)], ...(params === undefined ? [] : [['params', params] as const])]),
  ]);
  return objectText([
    ['resultType', quote('input_required')],
    ...(map.length === 0 ? [] : [['inputRequests', objectText(map)] as const]),
    ['requestState', quote(state)],
  ]);
}

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
