// Turns among askers, as a table of who is served.
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/checks/threads.ts';

test('askers take turns, and none has two pieces of work running', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.push('b', 'b1');
  expect(queue.take(2)?.item).toBe('a1');
  expect(queue.take(1)?.item).toBe('b1');
  expect(queue.take(1)).toBeUndefined();
  queue.release('a', false);
  expect(queue.take(1)?.item).toBe('a2');
  queue.push('b', 'b2');
  queue.release('a', false);
  queue.release('b', false);
  expect([queue.take(2)?.item, queue.take(1)?.item]).toEqual(['a3', 'b2']);
});

test('whoever ran out of time comes after the others, and never takes the last place', () => {
  const queue = new FairQueue<string>();
  queue.push('bomb', 'x1');
  queue.push('bomb', 'x2');
  expect(queue.take(2)?.item).toBe('x1');
  queue.release('bomb', true);
  queue.push('honest', 'h1');
  expect(queue.take(1)?.item).toBe('h1');
  expect(queue.take(1)).toBeUndefined();
  expect(queue.take(2)?.item).toBe('x2');
  // Once it has kept to its time it is like any other again.
  queue.release('bomb', false);
  queue.push('bomb', 'x3');
  expect(queue.take(1)?.item).toBe('x3');
});

test('what waits can be taken out whole', () => {
  const queue = new FairQueue<string>();
  queue.push('a', '1');
  queue.push('b', '2');
  expect(queue.drain()).toEqual(['1', '2']);
  expect(queue.take(2)).toBeUndefined();
});
