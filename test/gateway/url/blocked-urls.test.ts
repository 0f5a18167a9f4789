// When a host has to be told of the URLs that block a call, and of which.
import { expect, test } from 'vitest';
import { BlockedUrls } from '../../../src/gateway/questions/blocked-urls.ts';
import { fakeClock } from '../../support/fake-clock.ts';

function start() {
  const clock = fakeClock();
  const blocked = new BlockedUrls(clock);
  const told: string[] = [];
  const add = (id: string): (() => void) =>
    blocked.add(id, { server: 'one', params: `"${id}"`, told: () => told.push(id) });
  /** What a request of the host hears, as soon as it hears anything. */
  const listen = (signal: AbortSignal = new AbortController().signal) => {
    const heard: (readonly string[])[] = [];
    blocked.next(signal).then(
      (urls) => heard.push(urls.map(({ params }) => params)),
      () => heard.push(['stopped']),
    );
    return heard;
  };
  return { clock, blocked, told, add, listen };
}

test('tells once of all that came together', async () => {
  const { clock, told, add, listen } = start();
  const heard = listen();
  add('a');
  await clock.pass(5, 1);
  add('b');
  expect(heard).toEqual([]);
  await clock.pass(10, 1);
  expect(heard).toEqual([['"a"', '"b"']]);
  expect(told).toEqual(['a', 'b']);
});

test('waits for questions of the call that are still being opened', async () => {
  const { clock, blocked, add, listen } = start();
  const known = blocked.coming();
  const heard = listen();
  add('a');
  await clock.pass(100, 10);
  expect(heard).toEqual([]);
  add('b');
  known();
  known();
  await clock.pass(1, 1);
  expect(heard).toEqual([['"a"', '"b"']]);
});

test('says nothing of a question that was answered meanwhile', async () => {
  const { clock, told, add, listen } = start();
  const heard = listen();
  const gone = add('a');
  await clock.pass(1, 1);
  gone();
  await clock.pass(100, 10);
  expect([heard, told]).toEqual([[], []]);
});

test('a host that comes back hears only when there is something new, and then of all that blocks', async () => {
  const { clock, add, listen } = start();
  listen();
  const first = add('a');
  await clock.pass(20, 10);
  const again = listen();
  await clock.pass(100, 10);
  expect(again).toEqual([]);
  add('b');
  await clock.pass(20, 10);
  expect(again).toEqual([['"a"', '"b"']]);
  first();
  const last = listen();
  add('c');
  await clock.pass(20, 10);
  expect(last).toEqual([['"b"', '"c"']]);
});

test('stops listening when nobody waits any more', async () => {
  const { clock, add, listen } = start();
  const stop = new AbortController();
  const heard = listen(stop.signal);
  stop.abort(new Error('over'));
  add('a');
  await clock.pass(20, 10);
  expect(heard).toEqual([['stopped']]);
});
