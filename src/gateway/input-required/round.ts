// The interim result of multi-round-trip requests, read from an upstream and written for a host (basic/patterns/mrtr).

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
import type { JsonText } from '../../protocol/types.ts';
import { tooManyQuestions } from '../questions/question-quota.ts';

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
