import { expect, test } from 'vitest';
import { QuestionQuota } from '../../src/gateway/questions/question-quota.ts';
import { fakeClock } from '../support/fake-clock.ts';

const taken = (place: (() => void) | string): (() => void) => {
  if (typeof place === 'string') throw new Error(place);
  return place;
};

test('as many may be open as the limit says, of one server; a place given back is free again', () => {
  const quota = new QuestionQuota(
    { openPerServer: 2, newPerMinute: 100, questionsPerRound: 64 },
    fakeClock(),
  );
  const first = taken(quota.take('loud'));
  taken(quota.take('loud'));
  expect(quota.take('loud')).toBe(
    '2 questions of loud wait for an answer, as many as limits.openPerServer allows; answer some, or raise it in mcpx.json',
  );
  taken(quota.take('quiet'));
  first();
  first(); // twice is once
  taken(quota.take('loud'));
  expect(typeof quota.take('loud')).toBe('string');
});

test('as many may be new within any minute as the limit says, whether they are still open or not', () => {
  const clock = fakeClock();
  const quota = new QuestionQuota({ openPerServer: 100, newPerMinute: 3, questionsPerRound: 64 }, clock);
  for (const _ of [1, 2, 3]) {
    taken(quota.take('loud'))();
    clock.advance(10_000);
  }
  expect(quota.take('loud')).toBe(
    'loud asked 3 questions within a minute, as many as limits.newPerMinute allows; ask fewer, or raise it in mcpx.json',
  );
  taken(quota.take('quiet'));
  clock.advance(29_999);
  expect(typeof quota.take('loud')).toBe('string');
  clock.advance(1);
  taken(quota.take('loud'))();
  expect(typeof quota.take('loud')).toBe('string');
});

test('one call may ask its host so many at once, and another call as many again', () => {
  const limits = { openPerServer: 1, newPerMinute: 1, questionsPerRound: 2 };
  const quota = new QuestionQuota(limits, fakeClock());
  const [call, other] = [{}, {}];
  const first = taken(quota.takeInline(call));
  taken(quota.takeInline(call));
  expect(quota.takeInline(call)).toBe(
    '2 questions of this call are open, as many as limits.questionsPerRound allows at once; ask fewer, or raise it in mcpx.json',
  );
  taken(quota.takeInline(other));
  first();
  first();
  taken(quota.takeInline(call));
  expect(typeof quota.takeInline(call)).toBe('string');
});
