// Which completions count for which URLs of a connection, and what follows from each, once.
import { expect, test } from 'vitest';
import { ConnectionUrls } from '../../../src/gateway/questions/asked-urls.ts';
import type { Requester } from '../../../src/gateway/requesters.ts';

const host = (id: string): Requester => ({ session: { id } }) as Requester;
const a = host('a');
const b = host('b');

function start() {
  const seen: string[] = [];
  const urls = new ConnectionUrls({
    completed: (row) => seen.push(`row ${row}`),
    forward: ({ host: to, id }) => seen.push(`tell ${to.session.id} ${id}`),
  });
  return { urls, seen };
}

test('marks the row and tells the host that was given it, once', () => {
  const { urls, seen } = start();
  const url = urls.ask('u');
  url.opened('elc-1');
  url.give(a, 'elc-1');
  urls.complete('other');
  expect(seen).toEqual([]);
  urls.complete('u');
  urls.complete('u');
  expect(seen).toEqual(['row elc-1', 'tell a elc-1']);
});

test('completes every URL with the id, each for its own host', () => {
  const { urls, seen } = start();
  for (const [to, row] of [
    [a, 'elc-1'],
    [b, 'elc-2'],
  ] as const) {
    const url = urls.ask('u');
    url.opened(row);
    url.give(to, row);
  }
  urls.complete('u');
  expect(seen).toEqual(['row elc-1', 'tell a elc-1', 'row elc-2', 'tell b elc-2']);
});

test('a completion that came before the row, and before the host had the question, is not lost', () => {
  const { urls, seen } = start();
  const url = urls.ask('u');
  urls.complete('u');
  expect(seen).toEqual([]);
  url.opened('elc-1');
  url.opened('elc-1');
  url.give(a, 'elc-1');
  url.give(a, 'elc-1');
  expect(seen).toEqual(['row elc-1', 'tell a elc-1']);
});

test('nobody is told of a URL that only people were shown', () => {
  const { urls, seen } = start();
  urls.ask('u').opened('elc-1');
  urls.complete('u');
  expect(seen).toEqual(['row elc-1']);
});

test('a host that was given the error itself is told under the upstream id, in place of the row id', () => {
  const { urls, seen } = start();
  const url = urls.ask('u');
  url.opened('elc-1');
  url.give(a, 'elc-1');
  urls.passOn(a, 'u');
  urls.passOn(a, 'new');
  urls.complete('u');
  urls.complete('new');
  expect(seen).toEqual(['row elc-1', 'tell a u', 'tell a new']);
});

test('another host that was given the error has an entry of its own', () => {
  const { urls, seen } = start();
  const url = urls.ask('u');
  url.opened('elc-1');
  url.give(a, 'elc-1');
  urls.passOn(b, 'u');
  urls.complete('u');
  expect(seen).toEqual(['row elc-1', 'tell a elc-1', 'tell b u']);
});

test('an id that was done can be asked again', () => {
  const { urls, seen } = start();
  urls.ask('u').opened('elc-1');
  urls.complete('u');
  urls.ask('u').opened('elc-2');
  urls.complete('u');
  expect(seen).toEqual(['row elc-1', 'row elc-2']);
});

test('the oldest are forgotten beyond a thousand', () => {
  const { urls, seen } = start();
  for (let n = 0; n <= 1_000; n++) urls.ask(`u-${n}`).opened(`elc-${n}`);
  urls.complete('u-0');
  urls.complete('u-1');
  expect(seen).toEqual(['row elc-1']);
});
