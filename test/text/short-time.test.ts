import { expect, test } from 'vitest';
import { shortTime } from '../../src/text/duration.ts';

/** A local time as JSON would have it, so that the table holds in every zone. */
const iso = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString();
const now = new Date(2026, 10, 30, 18, 0).getTime();

test.each([
  [iso(2026, 10, 30, 9, 5), now, '09:05'],
  [iso(2026, 10, 30, 23, 59), now, '23:59'],
  [iso(2026, 10, 29, 23, 59), now, '29 Nov 23:59'],
  [iso(2026, 9, 30, 18, 0), now, '30 Oct 18:00'],
  [iso(2025, 10, 30, 18, 0), now, '30 Nov 2025 18:00'],
  [iso(2026, 0, 1, 0, 0), undefined, '1 Jan 00:00'],
  ['not a time', now, 'not a time'],
] as const)('%s seen at %s is %s', (at, seen, words) => {
  expect(shortTime(at, seen)).toBe(words);
});
