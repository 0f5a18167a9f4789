// requestState: what was sealed is opened by its key, for its own request, in its time; anything else is refused in one word.

import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import {
  type Binding,
  readKeys,
  type Sealed,
  Sealer,
  salientDigest,
} from '../../../src/gateway/input-required/state-seal.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const KEY = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);
const BINDING: Binding = { method: 'tools/call', digest: salientDigest('{"name":"t"}'), principal: 'local' };
const SEALED: Sealed = {
  kind: 'round',
  server: 'one',
  config: 'c',
  call: 'cal-0123456789abcdef',
  state: 'the upstream’s own \u0000 state',
  questions: [
    {
      key: '__proto__',
      row: 'elc-1',
      asked: { method: 'elicitation/create', params: '{"a":1.0}' },
      mode: 'form',
    },
    { key: '', row: undefined, asked: { method: 'roots/list', params: undefined }, mode: undefined },
  ],
  answers: [['__proto__', '{"action":"accept","content":{"n":12345678901234567890}}']],
};

const STILL = { now: () => 0, monotonic: () => 0 };
const sealer = (keys = KEY, clock: Pick<Clock, 'now' | 'monotonic'> = STILL): Sealer =>
  new Sealer(readKeys(keys), clock);

test('what was sealed is opened whole, with the round it stands for', () => {
  const state = sealer().seal(BINDING, SEALED, 3, 1_000);
  expect(state).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(sealer().open(state, BINDING)).toEqual({ sealed: SEALED, round: 3 });
});

test('nothing of it can be read, and two of the same are not alike', () => {
  const states = [0, 1].map(() => sealer().seal(BINDING, SEALED, 0, 1_000));
  expect(states[0]).not.toBe(states[1]);
  for (const state of states)
    expect(Buffer.from(state, 'base64url').toString('latin1')).not.toMatch(/local|elicitation|accept|tools/);
});

test('a changed bit anywhere is tampering', () => {
  const small: Sealed = { kind: 'parked', call: 'cal-0123456789abcdef' };
  const bytes = Buffer.from(sealer().seal(BINDING, small, 0, 1_000), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
    expect(sealer().open(changed.toString('base64url'), BINDING), `byte ${at}`).toBe('tampered');
  }
});

test('what is cut, longer, empty or in another spelling is tampering', () => {
  const state = sealer().seal(BINDING, SEALED, 0, 1_000);
  const bytes = Buffer.from(state, 'base64url');
  const spelled = [
    '',
    'x',
    'not base64url!',
    state.slice(1),
    state.slice(0, -1),
    `${state}A`,
    `${state}=`,
    `${state}\n`,
    ` ${state}`,
    bytes.toString('base64'),
    bytes.subarray(0, 28).toString('base64url'),
    Buffer.concat([bytes, bytes]).toString('base64url'),
  ].filter((one) => one !== state);
  for (const one of spelled) expect(sealer().open(one, BINDING), JSON.stringify(one)).toBe('tampered');
});

test('every last character but its own is refused: unused bits are part of the spelling', () => {
  const state = sealer().seal(BINDING, { kind: 'parked', call: 'c' }, 0, 1_000);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const good = [...alphabet].filter(
    (last) => sealer().open(state.slice(0, -1) + last, BINDING) !== 'tampered',
  );
  expect(good).toEqual([state.at(-1)]);
});

test('another key opens nothing; of several the first seals and all open', () => {
  const old = sealer(KEY).seal(BINDING, SEALED, 0, 1_000);
  expect(sealer(OTHER).open(old, BINDING)).toBe('tampered');
  const both = sealer(`${OTHER}, ${KEY}`);
  expect(both.open(old, BINDING)).toHaveProperty('sealed', SEALED);
  const fresh = both.seal(BINDING, SEALED, 0, 1_000);
  expect(sealer(OTHER).open(fresh, BINDING)).toHaveProperty('sealed');
  expect(sealer(KEY).open(fresh, BINDING)).toBe('tampered');
});

test('it is good until its time, and not at it', () => {
  const clock = fakeClock();
  const timed = sealer(KEY, clock);
  const state = timed.seal(BINDING, SEALED, 0, 600_000);
  clock.advance(599_999);
  expect(timed.open(state, BINDING)).toHaveProperty('sealed');
  clock.advance(1);
  expect(timed.open(state, BINDING)).toBe('expired');
});

test.each<[string, Partial<Binding>]>([
  ['another method', { method: 'prompts/get' }],
  ['other parameters', { digest: salientDigest('{"name":"u"}') }],
  ['another principal', { principal: 'ci' }],
])('%s is a mismatch, also once it has expired', (_what, other) => {
  const clock = fakeClock();
  const timed = sealer(KEY, clock);
  const state = timed.seal(BINDING, SEALED, 0, 1_000);
  expect(timed.open(state, { ...BINDING, ...other })).toBe('mismatch');
  clock.advance(2_000);
  expect(timed.open(state, { ...BINDING, ...other })).toBe('mismatch');
});

test.each(['', 'a1', `${KEY}0`, KEY.replace('a', 'g'), `${KEY},`, `${KEY};${OTHER}`])(
  'MCPX_STATE_KEY %j is refused with what it must be',
  (text) => {
    expect(() => sealer(text)).toThrow(/MCPX_STATE_KEY must hold 64 hexadecimal digits/);
  },
);

describe('the digest of what makes a request the same', () => {
  const same = (...texts: string[]): number => new Set(texts.map(salientDigest)).size;

  test('order, space, _meta and what only a retry carries make no difference', () => {
    expect(
      same(
        '{"name":"t","arguments":{"a":1,"b":[1,{"c":2,"d":3}]}}',
        ' { "arguments" : { "b":[1,{"d":3,"c":2}], "a":1 }, "name":"t" } ',
        '{"name":"t","_meta":{"progressToken":7},"arguments":{"a":1,"b":[1,{"c":2,"d":3}]}}',
        '{"requestState":"s","inputResponses":{"q":{}},"name":"t","arguments":{"a":1,"b":[1,{"c":2,"d":3}]}}',
      ),
    ).toBe(1);
    expect(same('{"name":"t"}', '{"name":"t","arguments":{}}')).toBe(1);
  });

  test.each([
    ['{"name":"t","arguments":{"a":1}}', '{"name":"t","arguments":{"a":2}}'],
    ['{"name":"t","arguments":{"a":1}}', '{"name":"t","arguments":{"a":"1"}}'],
    ['{"name":"t","arguments":{"a":[1,2]}}', '{"name":"t","arguments":{"a":[2,1]}}'],
    [
      '{"name":"t","arguments":{"a":12345678901234567890}}',
      '{"name":"t","arguments":{"a":12345678901234567891}}',
    ],
    ['{"name":"t","arguments":{"__proto__":{"a":1}}}', '{"name":"t","arguments":{}}'],
    ['{"name":"t","arguments":{"_meta":1}}', '{"name":"t","arguments":{"_meta":2}}'],
    ['{"uri":"a:b"}', '{"uri":"a:c"}'],
  ])('%s and %s are two requests', (one, other) => {
    expect(same(one, other)).toBe(2);
  });
});
