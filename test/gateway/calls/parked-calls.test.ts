// Calls are found again by their id as long as a state names them, within the bytes there are.
import { expect, test } from 'vitest';
import { ParkedCalls } from '../../../src/gateway/calls/parked-calls.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { incoming, type Parked, parked } from '../modern/support.ts';

const TTL = 600_000;

async function end({ finish, ran }: Parked, bytes = 10): Promise<void> {
  finish({ result: 'x'.repeat(bytes) });
  await ran;
}

test('a call that no state names is forgotten at its end', async () => {
  const one = parked();
  const { parked: calls } = one;
  calls.add(one.call);
  expect(calls.get(one.call.id)).toBe(one.call);
  await end(one);
  expect(calls.get(one.call.id)).toBeUndefined();
});

test('one that a state names is kept until that state expires, and a newer state keeps it longer', async () => {
  const clock = fakeClock();
  const one = parked(clock);
  const { parked: calls } = one;
  calls.add(one.call);
  calls.keep(one.call, TTL);
  clock.advance(TTL / 2);
  calls.keep(one.call, TTL);
  await end(one);
  clock.advance(TTL - 1);
  expect(calls.get(one.call.id)).toBe(one.call);
  clock.advance(1);
  expect(calls.get(one.call.id)).toBeUndefined();
});

test('a call still runs past its state, and is forgotten when it ends', async () => {
  const clock = fakeClock();
  const one = parked(clock);
  const { parked: calls } = one;
  calls.add(one.call);
  calls.keep(one.call, TTL);
  clock.advance(TTL);
  expect(calls.get(one.call.id)).toBe(one.call);
  await end(one);
  expect(calls.get(one.call.id)).toBeUndefined();
});

test('one that ended as its questions went out is kept all the same', async () => {
  const one = parked();
  const { parked: calls } = one;
  calls.add(one.call);
  await end(one);
  calls.keep(one.call, TTL);
  expect(calls.get(one.call.id)).toBe(one.call);
});

test('of more than 64 MiB of results the oldest go, and calls that run stay', async () => {
  const clock = fakeClock();
  const calls = new ParkedCalls(10, clock);
  const [running, ...ended] = [1, 2, 3, 4].map(() => parked(clock, calls));
  for (const { call } of [running, ...ended].filter((one) => one !== undefined)) {
    calls.add(call);
    calls.keep(call, TTL);
  }
  for (const one of ended) await end(one, 30 * 1024 * 1024);
  expect(ended.map(({ call }) => calls.get(call.id) !== undefined)).toEqual([false, true, true]);
  expect(calls.get(running?.call.id ?? '')).toBe(running?.call);
});

test('calls with a request of the host open, or an outcome, take no place among those that wait', async () => {
  const clock = fakeClock();
  const calls = new ParkedCalls(2, clock);
  const [open, done, waits] = [parked(clock, calls), parked(clock, calls), parked(clock, calls)];
  void open.call.attach(incoming(), undefined);
  for (const { call } of [open, done, waits]) {
    calls.add(call);
    calls.keep(call, TTL);
  }
  expect(calls.whyFull()).toMatchObject({
    code: 'limit',
    message: expect.stringContaining('limits.parkedCalls'),
  });
  await end(done);
  expect(calls.whyFull()).toBeUndefined();
  calls.add(parked(clock, calls).call);
  expect(calls.whyFull()).toBeDefined();
});
