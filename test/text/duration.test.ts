// Durations as they are written in the config and shown to people.
import { expect, test } from 'vitest';
import { ago, countdown, duration, parseDuration } from '../../src/text/duration.ts';

test.each<[string, number | undefined]>([
  ['250ms', 250],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['30d', 2_592_000_000],
  ['0s', 0],
  ['007s', 7_000],
  ['', undefined],
  ['10', undefined],
  ['s', undefined],
  ['1.5h', undefined],
  ['-1s', undefined],
  ['1 h', undefined],
  [' 1h', undefined],
  ['1h30m', undefined],
  ['1H', undefined],
  ['1w', undefined],
  ['1e3s', undefined],
  ['999999999999d', undefined],
  ['9999999999999s', undefined],
])('%j is %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  [-5, '0s', '0:00'],
  [0, '0s', '0:00'],
  [1, '1s', '0:01'],
  [9_000, '9s', '0:09'],
  [59_999, '1m', '1:00'],
  [60_000, '1m', '1:00'],
  [120_000, '2m', '2:00'],
  [252_000, '4:12', '4:12'],
  [3_599_000, '59:59', '59:59'],
  [3_600_000, '1h', '1:00:00'],
  [3_720_000, '1:02:00', '1:02:00'],
  [3_723_000, '1:02:03', '1:02:03'],
  [86_400_000, '1d', '1d'],
  [273_600_000, '3d 4h', '3d 4h'],
  [2_592_000_000, '30d', '30d'],
])('%i ms is %s, and %s on a clock', (ms, short, clock) => {
  expect(duration(ms)).toBe(short);
  expect(countdown(ms)).toBe(clock);
});

test.each([
  [-1, 'now'],
  [999, 'now'],
  [1_000, '1s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [7_199_999, '1h'],
  [86_400_000, '1d'],
  [9_000_000_000, '104d'],
])('%i ms ago is %s', (ms, text) => {
  expect(ago(ms)).toBe(text);
});
