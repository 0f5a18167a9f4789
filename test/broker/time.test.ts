// Time and the broker, by a clock that the test moves: rows expire when they are due, owners and watchers fall silent.
import { describe, expect, it } from 'vitest';
import { type ProcessIdentity, thisProcess } from '../../src/broker/process-identity.ts';
import { openSqliteStore } from '../../src/broker/sqlite/open-sqlite.ts';
import { StoreBroker } from '../../src/broker/store-broker.ts';
import type { Broker } from '../../src/broker/types.ts';
import { silent } from '../../src/log.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { question } from './question.ts';
import { type Bench, bench } from './support.ts';

const DAY = 86_400_000;

/** A broker that says it is `self`, which need not be this process. */
async function brokerOf(at: Bench, clock: FakeClock, self: ProcessIdentity, role: 'gateway' | 'command') {
  const patience = { call: 20, total: 1_000 };
  const store = await openSqliteStore({ dir: at.stateDir, clock, log: silent, patience, poll: 500 });
  const broker: Broker = new StoreBroker({ store, clock, log: silent, self, role, keep: 30 * DAY });
  await (broker as StoreBroker).start();
  at.scope.defer(() => broker.close());
  return broker;
}

describe('a row that nobody answers', () => {
  it('expires at its ttl and not before, by nobody but mcpx (C42, C34)', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const row = await broker.open(question({ ttl: 12_000 }));
    let expired: unknown;
    const settled = broker.settled(row.id).then((last) => {
      expired = last;
      return last;
    });
    await clock.pass(11_999, 500);
    expect(expired).toBeUndefined();
    expect(await broker.get(row.id)).toMatchObject({ state: 'pending' });
    await clock.pass(1);
    expect(await settled).toMatchObject({
      state: 'expired',
      answer: { action: 'cancel', by: 'mcpx', at: row.expiresAt },
      reason: 'nobody answered in time',
    });
    expect((await settled).answer?.content).toBeUndefined();
  });

  it('each at its own time, the soonest first, whatever order they came in', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const [late, soon] = [
      await broker.open(question({ ttl: 3_000 })),
      await broker.open(question({ ttl: 1_000 })),
    ];
    await clock.pass(1_000, 100);
    expect(await broker.get(soon.id)).toMatchObject({ state: 'expired' });
    expect(await broker.get(late.id)).toMatchObject({ state: 'pending' });
    await clock.pass(2_000, 100);
    expect(await broker.get(late.id)).toMatchObject({ state: 'expired', answer: { at: late.expiresAt } });
  });

  it('takes an answer until it is due, and none from then on, swept or not', async () => {
    const clock = fakeClock();
    const at = bench();
    const command = await at.open('command', { clock });
    const [one, two] = [
      await command.open(question({ ttl: 5_000 })),
      await command.open(question({ ttl: 5_000 })),
    ];
    clock.advance(4_999);
    const answer = { action: 'accept', content: '{}', by: 'cli' } as const;
    expect(await command.answer(one.id, answer)).toMatchObject({ won: true });
    clock.advance(1);
    expect(await command.answer(two.id, answer)).toMatchObject({ won: false, row: { state: 'expired' } });
  });

  it('is expired by the next start, however long nothing ran (C43)', async () => {
    const clock = fakeClock();
    const at = bench();
    const before = await at.open('command', { clock });
    const { id } = await before.open(question({ ttl: 60_000 }));
    const kept = await before.open(question({ ttl: 3 * DAY }));
    await before.close();
    clock.advance(DAY);
    const after = await at.open('command', { clock });
    expect(await after.list()).toEqual([kept]);
    expect(await after.get(id)).toMatchObject({ state: 'expired', answer: { action: 'cancel' } });
  });

  it('beside 1,200 others that are due at once, is expired with all of them', async () => {
    const clock = fakeClock();
    const broker = await bench().open('command', { clock });
    await Promise.all(Array.from({ length: 1_200 }, () => broker.open(question({ ttl: 1_000 }))));
    clock.advance(1_000);
    const next = await broker.open(question());
    await broker.settled(next.id, AbortSignal.timeout(1)).catch(() => {});
    await clock.pass(10_000, 5_000);
    // Done a hundred at a time, with others in between.
    await until('all to be expired', async () => (await broker.list({ state: 'expired' })).length === 1_200);
    expect((await broker.list()).length).toBeLessThanOrEqual(1);
  });
});

describe('an owner whose process table cannot be read', () => {
  const here = thisProcess();
  const elsewhere: ProcessIdentity = { ...here, host: 'another.example', boot: 'another', pid: 1 };

  it('is gone after 30 s without a heartbeat, and not while it beats', async () => {
    const clock = fakeClock();
    const at = bench();
    const remote = await brokerOf(at, clock, elsewhere, 'gateway');
    const row = await remote.open(question({ ttl: DAY }));
    const local = await brokerOf(at, clock, here, 'gateway');

    await clock.pass(120_000, 1_000);
    expect(await local.get(row.id)).toMatchObject({ state: 'pending' });

    // It falls silent: a clock of its own stands still.
    const frozen = fakeClock(clock.now());
    const silentOne = await brokerOf(at, frozen, { ...elsewhere, host: 'third.example' }, 'gateway');
    const lost = await silentOne.open(question({ ttl: DAY }));
    await clock.pass(30_000, 1_000);
    expect(await local.get(lost.id)).toMatchObject({ state: 'pending' });
    await clock.pass(6_000, 1_000);
    expect(await local.get(lost.id)).toMatchObject({ state: 'lost' });
    expect(await local.get(row.id)).toMatchObject({ state: 'pending' });
  });

  it('counts as alive by its process where host, boot and pid namespace are the same', async () => {
    const clock = fakeClock();
    const at = bench();
    const frozen = fakeClock(clock.now());
    const quiet = await brokerOf(at, frozen, here, 'gateway');
    const row = await quiet.open(question({ ttl: DAY }));
    const local = await brokerOf(at, clock, here, 'gateway');
    await clock.pass(60_000, 1_000);
    expect(await local.get(row.id)).toMatchObject({ state: 'pending' });
  });

  it('is not taken for another process that was given its pid', async () => {
    const clock = fakeClock();
    const at = bench();
    const reused = await brokerOf(at, clock, { ...here, start: '1' }, 'gateway');
    const row = await reused.open(question({ ttl: DAY }));
    const command = await brokerOf(at, clock, here, 'command');
    expect(await command.get(row.id)).toMatchObject({ state: here.start === '' ? 'pending' : 'lost' });
  });
});

describe('who watches', () => {
  it('is known by a heartbeat, and forgotten when it stops', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const stop = new AbortController();
    broker.watching('tui', stop.signal);
    expect(await broker.watched()).toBe(true);
    await clock.pass(60_000, 1_000);
    expect(await broker.watched()).toBe(true);
    stop.abort();
    expect(await broker.watched()).toBe(false);
  });

  it('of another machine is forgotten after 15 s without one', async () => {
    const clock = fakeClock();
    const at = bench();
    const frozen = fakeClock(clock.now());
    const elsewhere = { ...thisProcess(), host: 'another.example' };
    const remote = await brokerOf(at, frozen, elsewhere, 'command');
    remote.watching('watch', new AbortController().signal);
    const local = await at.open('gateway', { clock });
    clock.advance(15_000);
    expect(await local.watched()).toBe(true);
    clock.advance(1);
    expect(await local.watched()).toBe(false);
  });
});

describe('settled rows', () => {
  it('are kept for `keep` and then pruned, with their changes; pending ones stay', async () => {
    const clock = fakeClock();
    const at = bench();
    const broker = await at.open('gateway', { clock, keep: 30 * DAY });
    const old = await broker.open(question());
    await broker.answer(old.id, { action: 'decline', by: 'cli' });
    const pending = await broker.open(question({ ttl: 90 * DAY }));
    await clock.pass(29 * DAY, 6 * 3_600_000);
    expect(await broker.get(old.id)).toMatchObject({ state: 'declined' });
    await clock.pass(2 * DAY, 6 * 3_600_000);
    await expect(broker.get(old.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await broker.list({ state: 'all' })).toEqual([pending]);
    // Numbers of changes are never given again.
    const fresh = await broker.open(question());
    const stop = new AbortController();
    const seqs: number[] = [];
    for await (const change of broker.changes({ since: 0, signal: stop.signal })) {
      seqs.push(change.seq);
      if (change.row.id === fresh.id) break;
    }
    expect(seqs.at(-1)).toBe(4);
  });
});
