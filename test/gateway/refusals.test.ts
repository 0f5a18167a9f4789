// Refused questions in the log: the first at once, the rest of a minute as one line with their count (C57).
import { expect, test } from 'vitest';
import { Refusals } from '../../src/gateway/questions/question-quota.ts';
import { type LogFields, silent } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

const FULL = '200 questions of a wait, as many as limits.openPerServer allows';

function start() {
  const clock = fakeClock();
  const lines: (readonly [LogFields, string])[] = [];
  const log = { ...silent, warn: (fields: LogFields, message: string) => void lines.push([fields, message]) };
  return { clock, lines, refusals: new Refusals(clock, log) };
}

test('the first is logged at once, ten thousand more as one line a minute', () => {
  const { clock, lines, refusals } = start();
  for (let count = 0; count < 10_001; count += 1) refusals.note('a', FULL);
  expect(lines).toEqual([[{ server: 'a', why: FULL }, 'question refused']]);
  clock.advance(60_000);
  expect(lines[1]).toEqual([
    { server: 'a', why: FULL, count: 10_000 },
    'more questions refused within a minute',
  ]);
  refusals.note('a', FULL);
  clock.advance(60_000);
  expect(lines[2]?.[0]).toMatchObject({ count: 1 });
  clock.advance(60_000);
  expect(lines).toHaveLength(3);
});

test('each server and each limit has a line of its own, and after a quiet minute the first is logged at once again', () => {
  const { clock, lines, refusals } = start();
  refusals.note('a', FULL);
  refusals.note('b', FULL);
  refusals.note('a', 'the message has 70000 bytes and limits.messageBytes is 65536');
  refusals.note('a', 'the message has 70001 bytes and limits.messageBytes is 65536');
  expect(lines).toHaveLength(3);
  clock.advance(60_000);
  expect(lines).toHaveLength(4);
  clock.advance(60_000);
  refusals.note('b', FULL);
  expect(lines).toHaveLength(5);
});
