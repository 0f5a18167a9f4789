// Interim results as mcpx reads them, retries and interim results as it writes them.
import { describe, expect, test } from 'vitest';
import { inputRequired, readRound, retryParams } from '../../../src/gateway/input-required/rounds.ts';

const ASK = '{"method":"elicitation/create","params":{"message":"m", "n":1.0}}';

describe('a result that is read', () => {
  test.each(['{}', '{"resultType":"complete"}', '{"content":[],"inputRequests":{}}'])(
    '%s is final',
    (text) => {
      expect(readRound('tools/call', text, 64)).toBeUndefined();
    },
  );

  test('questions keep their keys and their own text, whatever the keys are', () => {
    const long = 'k'.repeat(300);
    const keys = ['', '__proto__', 'a.b', 'constructor', long, '\\u00e9"'];
    const map = keys.map((key) => `${JSON.stringify(key)}:${ASK}`).join(',');
    const round = readRound('tools/call', `{"inputRequests":{${map}},"resultType":"input_required"}`, 64);
    expect(round).toEqual({
      state: undefined,
      requests: keys.map((key) => ({
        key,
        method: 'elicitation/create',
        params: '{"message":"m", "n":1.0}',
      })),
    });
  });

  test('state alone is a round, and so are questions alone; an empty string is a state', () => {
    expect(readRound('prompts/get', '{"resultType":"input_required","requestState":""}', 64)).toEqual({
      requests: [],
      state: '',
    });
    expect(
      readRound('resources/read', `{"resultType":"input_required","inputRequests":{"a":${ASK}}}`, 64),
    ).toHaveProperty('state', undefined);
  });

  test.each([
    [
      'tools/list',
      '{"resultType":"input_required","requestState":"s"}',
      'tools/list cannot be answered by input_required',
    ],
    [
      'tools/call',
      '{"resultType":"input_required"}',
      'input_required names neither inputRequests nor requestState',
    ],
    [
      'tools/call',
      '{"resultType":"input_required","inputRequests":{}}',
      'input_required names neither inputRequests nor requestState',
    ],
    ['tools/call', '{"resultType":"input_required","requestState":7}', 'requestState is not a string'],
    ['tools/call', '{"resultType":"input_required","requestState":null}', 'requestState is not a string'],
    ['tools/call', '{"resultType":"input_required","inputRequests":[]}', 'inputRequests is not an object'],
    [
      'tools/call',
      '{"resultType":"input_required","inputRequests":{"a":7}}',
      'inputRequests holds an entry that is not a known request',
    ],
    [
      'tools/call',
      '{"resultType":"input_required","inputRequests":{"a":{}}}',
      'inputRequests holds an entry that is not a known request',
    ],
    [
      'tools/call',
      '{"resultType":"input_required","inputRequests":{"a":{"method":"tools/call"}}}',
      'inputRequests holds an entry that is not a known request',
    ],
    [
      'tools/call',
      `{"resultType":"input_required","inputRequests":{"a":${ASK},"\\u0061":${ASK}}}`,
      'inputRequests holds one key twice',
    ],
    ['tools/call', '{"resultType":"later"}', 'the result is of the unknown type "later"'],
    ['tools/call', '{"resultType":1}', 'the result is of the unknown type 1'],
  ])('to %s, %s breaks the protocol', (method, text, why) => {
    expect(readRound(method, text, 64)).toBe(why);
  });
});

describe('a retry (C11)', () => {
  const first = '{"name":"t", "arguments":{"n":1.0},"_meta":{"progressToken":1}}';

  test('carries this round’s answers and this round’s state, the rest as it was', () => {
    expect(retryParams(first, [['a', '{"action":"decline"}']], 'S1')).toBe(
      '{"name":"t", "arguments":{"n":1.0},"_meta":{"progressToken":1},"inputResponses":{"a":{"action":"decline"}},"requestState":"S1"}',
    );
  });

  test('takes out what an earlier retry carried', () => {
    const second = retryParams(first, [['a', '{}']], 'S1');
    expect(JSON.parse(retryParams(second, [['b', '{}']], undefined))).toEqual({
      ...JSON.parse(first),
      inputResponses: { b: {} },
    });
    expect(JSON.parse(retryParams(second, [], 'S3'))).toEqual({ ...JSON.parse(first), requestState: 'S3' });
  });

  test('a state is a string of any characters; a key may be __proto__', () => {
    const text = retryParams(undefined, [['__proto__', '{"action":"cancel"}']], '"\\\n\u2028');
    expect(text).toContain('"__proto__":{"action":"cancel"}');
    expect((JSON.parse(text) as { requestState: string }).requestState).toBe('"\\\n\u2028');
  });
});

test('an interim result for a host holds bare requests under their keys, and always a state', () => {
  const text = inputRequired(
    [
      ['', 'elicitation/create', '{"message":"m"}'],
      ['__proto__', 'roots/list', undefined],
    ],
    'S',
  );
  expect(text).toBe(
    '{"resultType":"input_required","inputRequests":{"":{"method":"elicitation/create","params":{"message":"m"}},"__proto__":{"method":"roots/list"}},"requestState":"S"}',
  );
  expect(inputRequired([], 'S')).toBe('{"resultType":"input_required","requestState":"S"}');
});
