// C49: the wall clock jumps, the machine sleeps; what was left of a wait is left.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WallJumps } from '../../src/broker/anchor.ts';
import { thisProcess } from '../../src/broker/process-identity.ts';
import { openSqliteStore } from '../../src/broker/sqlite/open-sqlite.ts';
import { StoreBroker } from '../../src/broker/store-broker.ts';
import { Sealer } from '../../src/gateway/input-required/state-seal.ts';
import { silent } from '../../src/log.ts';
import { question } from '../broker/question.ts';
import { bench } from '../broker/support.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { gatewayWithHost } from '../support/gateway.ts';
import { ROOT } from '../support/processes.ts';
import { answersOf } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const MINUTES = 60_000;
const ACCEPT = { action: 'accept', content: '{}', by: 'cli' } as const;
const JUMPS = [
  ['ahead', 10 * MINUTES],
  ['back', -10 * MINUTES],
] as const;

test('a jump is more than 30 s at once; what a time service corrects is none', () => {
  const clock = fakeClock();
  const jumps = new WallJumps(clock);
  clock.advance(3_600_000);
  expect(jumps.take()).toBe(0);
  clock.jump(30_000);
  expect(jumps.take()).toBe(0);
  clock.jump(-30_001);
  expect(jumps.take()).toBe(-30_001);
  expect(jumps.take()).toBe(0);
  expect(jumps.within(1_000)).toBe(true);
  clock.advance(1_000);
  expect(jumps.within(1_000)).toBe(false);
});

describe.each(JUMPS)('the wall clock goes %s by 10 minutes', (_, by) => {
  test('an open row stays open for what was left, and expires then', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const row = await broker.open(question({ ttl: MINUTES }));
    await clock.pass(20_000, 5_000);
    clock.jump(by);
    await clock.pass(10_000, 5_000);
    const moved = await broker.get(row.id);
    expect(moved.state).toBe('pending');
    expect(Date.parse(moved.expiresAt) - Date.parse(row.expiresAt)).toBe(by);
    await clock.pass(29_000, 1_000);
    expect((await broker.get(row.id)).state).toBe('pending');
    await clock.pass(2_000, 500);
    expect((await broker.get(row.id)).state).toBe('expired');
  });

  test('an answer right after the jump is taken, from here and from a command', async () => {
    const clock = fakeClock();
    const at = bench();
    const gateway = await at.open('gateway', { clock });
    const command = await at.open('command', { clock });
    const rows = await Promise.all([1, 2, 3].map(() => gateway.open(question({ ttl: MINUTES }))));
    const sealed = await gateway.open(question({ ttl: MINUTES, sealed: true }));
    clock.jump(by);
    expect(await command.answer(rows[0]?.id ?? '', ACCEPT)).toMatchObject({ won: true });
    expect(await command.answer(sealed.id, ACCEPT)).toMatchObject({ won: true });
    expect(await gateway.answer(rows[1]?.id ?? '', ACCEPT)).toMatchObject({ won: true });
    const late = await at.open('command', { clock });
    expect(await late.answer(rows[2]?.id ?? '', ACCEPT)).toMatchObject({ won: true });
  });

  test('a row of a sealed round is moved once, however many gateways see the jump', async () => {
    const clock = fakeClock();
    const at = bench();
    const one = await at.open('gateway', { clock });
    await at.open('gateway', { clock });
    const row = await one.open(question({ ttl: MINUTES, sealed: true }));
    await clock.pass(20_000, 2_500);
    clock.jump(by);
    await clock.pass(20_000, 2_500);
    const moved = await one.get(row.id);
    expect(moved.state).toBe('pending');
    expect(Date.parse(moved.expiresAt) - Date.parse(row.expiresAt)).toBe(by);
    await clock.pass(22_000, 1_000);
    expect((await one.get(row.id)).state).toBe('expired');
  });

  test('a process whose clock alone has jumped expires, loses and forgets nothing', async () => {
    const clock = fakeClock();
    const other = { ...fakeClock(), now: () => clock.now() + by, monotonic: () => clock.monotonic() };
    const at = bench();
    const gateway = await at.open('gateway', { clock });
    const row = await gateway.open(question({ ttl: MINUTES }));
    const sealed = await gateway.open(question({ ttl: MINUTES, sealed: true }));
    const wrong = await at.open('command', { clock: other });
    await at.open('gateway', { clock: other });
    expect((await gateway.get(row.id)).state).toBe('pending');
    expect((await gateway.get(sealed.id)).state).toBe('pending');
    expect(await wrong.answer(row.id, ACCEPT)).toMatchObject({ won: true });
  });

  test('who watches and who holds calls elsewhere is not taken for gone', async () => {
    const clock = fakeClock();
    const at = bench();
    const here = thisProcess();
    const far = { ...here, host: 'another.example', boot: 'another', pid: 1 };
    const store = await openSqliteStore({
      dir: at.stateDir,
      clock,
      log: silent,
      patience: { call: 20, total: 1_000 },
      poll: 500,
    });
    const remote = new StoreBroker({
      store,
      clock,
      log: silent,
      self: far,
      role: 'gateway',
      keep: 60 * MINUTES,
    });
    await remote.start();
    at.scope.defer(() => remote.close());
    const local = await at.open('gateway', { clock });
    const row = await remote.open(question({ ttl: 30 * MINUTES }));
    const watching = new AbortController();
    remote.watching('tui', watching.signal);
    await clock.pass(10_000, 1_000);
    expect(await local.watched()).toBe(true);
    clock.jump(by);
    expect(await local.watched()).toBe(true);
    await clock.pass(20_000, 1_000);
    expect(await local.watched()).toBe(true);
    expect((await local.get(row.id)).state).toBe('pending');
    watching.abort();
  });

  test('a sealed state of this process is good for what was left', () => {
    const clock = fakeClock();
    const sealer = new Sealer([Buffer.alloc(32, 7)], clock);
    const binding = { method: 'tools/call', digest: 'd', principal: 'local' };
    const state = sealer.seal(binding, { kind: 'parked', call: 'cal-1' }, 0, MINUTES);
    clock.jump(by);
    clock.advance(MINUTES - 1);
    expect(sealer.open(state, binding)).toHaveProperty('sealed');
    clock.advance(1);
    expect(sealer.open(state, binding)).toBe('expired');
  });

  test('a real gateway: neither call nor question notices', async () => {
    const scope = testScope();
    const file = join(scope.dir(), 'shift');
    const preload = pathToFileURL(join(ROOT, 'test', 'support', 'shift-clock.mjs')).href;
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const it = await gatewayWithHost(scope, 'http', {
      spawn: true,
      servers: { fixture: upstream.entry },
      config: { elicit: { ttl: '60s' }, serve: { callTimeout: '30s' } },
      env: { SHIFT_CLOCK: file, NODE_OPTIONS: `--import=${preload}` },
    });
    const call = it.host.startCall('ask');
    const slow = it.host.startCall('slow', { gate: 'g' });
    const row = await until('a row', async () => (await it.rows())[0]);
    writeFileSync(file, String(by));
    const moved = await until('the row to be moved', async () => {
      const now = await it.row(row.id);
      return now.expiresAt !== row.expiresAt && now;
    });
    expect(moved.state).toBe('pending');
    expect(Math.abs(Date.parse(moved.expiresAt) - Date.parse(row.expiresAt) - by)).toBeLessThan(5_000);
    expect((await it.mcpx(['elicit', 'accept', row.id, '-F', 'repo=me/thing'])).code).toBe(0);
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"me/thing"}}']);
    await it.host.call('release', { gate: 'g' });
    expect(await slow.reply).toHaveProperty('result');
  });
});
