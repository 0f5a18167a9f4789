// What is known of servers' eras: kept 24 h, seen by every process, forgotten when told.
import { expect, test } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import type { Broker } from '../../src/broker/types.ts';
import type { Clock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { testScope } from '../support/scope.ts';

const HOUR = 3_600_000;

async function brokerIn(stateDir: string, clock: Clock): Promise<Broker> {
  const broker = await openBroker({ stateDir, clock, log: silent, role: 'command', keep: 24 * HOUR });
  testScope().defer(() => broker.close());
  return broker;
}

test('a verdict is there for other processes, and for 24 h from when it was found', async () => {
  const dir = testScope().dir();
  const clock = fakeClock();
  const one = await brokerIn(dir, clock);
  const other = await brokerIn(dir, clock);
  expect(await one.verdicts.get('a')).toBeUndefined();
  await one.verdicts.set('a', 'legacy');
  await other.verdicts.set('b', 'modern-only');
  clock.advance(24 * HOUR - 1);
  expect(await other.verdicts.get('a')).toBe('legacy');
  expect(await one.verdicts.get('b')).toBe('modern-only');
  clock.advance(1);
  expect(await other.verdicts.get('a')).toBeUndefined();
  expect(await one.verdicts.get('b')).toBeUndefined();
});

test('the newest verdict holds, and can be forgotten', async () => {
  const { verdicts } = await brokerIn(testScope().dir(), fakeClock());
  await verdicts.set('a', 'legacy');
  await verdicts.set('a', 'modern');
  expect(await verdicts.get('a')).toBe('modern');
  await verdicts.set('a', undefined);
  expect(await verdicts.get('a')).toBeUndefined();
});
