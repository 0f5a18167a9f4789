// What waits for the hosts of one principal at 2026-07-28: bounded, by cutting those that stand still (C51).
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Unread } from '../../../src/host/modern/unread.ts';
import { fakeClock } from '../../support/fake-clock.ts';

/** A response that has ended and that nobody reads. */
function response(): ServerResponse {
  const stream = new PassThrough({ highWaterMark: 1 });
  Object.defineProperty(stream, 'writableFinished', { value: false });
  return stream as unknown as ServerResponse;
}

test('too much that stands still is cut, the oldest first, until little enough is left', () => {
  const clock = fakeClock();
  let cut = 0;
  const unread = new Unread(250, clock, () => {
    cut += 1;
  });
  const all = [response(), response(), response(), response()];
  for (const one of all) unread.add(one, 100);
  expect(cut).toBe(0);
  clock.advance(11_000);
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
  expect(cut).toBe(2);
});

test('what has gone out is not counted, and what waits is not cut while it is little', () => {
  const clock = fakeClock();
  const unread = new Unread(250, clock, () => {});
  const [read, kept, late] = [response(), response(), response()];
  unread.add(read, 200);
  unread.add(kept, 200);
  read.emit('finish');
  clock.advance(11_000);
  expect(kept.destroyed).toBe(false);
  unread.add(late, 200);
  expect([kept.destroyed, late.destroyed]).toEqual([true, false]);
});
