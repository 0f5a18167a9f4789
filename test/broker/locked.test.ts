// A store that another program has locked (C24): short waits, one clear error, nothing half done.
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { within } from '../support/until.ts';
import { lockStore, startActor } from './actor.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => void systemClock.after(ms, resolve));

describe('a lock held for 3 s', () => {
  it('is waited for: 20 processes answer 20 rows, 20 successes', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const rows = await Promise.all(Array.from({ length: 20 }, () => gateway.open(question())));
    const commands = await Promise.all(rows.map(() => startActor(scope, stateDir, { role: 'command' })));
    const settled = rows.map((row) => gateway.settled(row.id));

    const unlock = await lockStore(scope, stateDir);
    const answers = rows.map((row, n) =>
      commands[n]?.answer(row.id, { action: 'accept', content: `{"repo":"${n}"}`, by: 'cli' }),
    );
    await pause(3_000);
    expect((await gateway.list()).map((row) => row.state)).toEqual(Array(20).fill('pending'));
    await unlock();

    for (const [n, answer] of (await Promise.all(answers)).entries()) {
      expect(answer).toMatchObject({ won: true, row: { id: rows[n]?.id, state: 'accepted' } });
    }
    const contents = (await Promise.all(settled)).map((row) => row.answer?.content);
    expect(contents).toEqual(rows.map((_, n) => `{"repo":"${n}"}`));
  });
});

describe('a lock held for longer than the limit', () => {
  const patience = { call: 20, total: 300 };

  it('ends in one clear error that names no driver, and changes nothing', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(question());
    const command = await startActor(scope, stateDir, { role: 'command', patience });
    const unlock = await lockStore(scope, stateDir);
    const error = await command.answer(id, { action: 'accept', content: '{}', by: 'cli' }).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error).toMatchObject({ code: 'store_busy', hint: expect.stringContaining('Try again') });
    expect(error?.message).toBe(`The store in ${stateDir} is locked by another program.`);
    await unlock();
    expect(await gateway.get(id)).toMatchObject({ state: 'pending' });
    expect(await command.answer(id, { action: 'decline', by: 'cli' })).toMatchObject({ won: true });
  });

  it('does not keep anybody from opening the broker and reading', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const row = await gateway.open(question());
    const unlock = await lockStore(scope, stateDir);
    const command = await open('command', { patience });
    expect(await command.list()).toEqual([row]);
    await unlock();
  });

  it('leaves the event loop free, however many wait', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway', { patience: { call: 20, total: 10_000 } });
    const rows = await Promise.all(Array.from({ length: 50 }, () => gateway.open(question())));
    const unlock = await lockStore(scope, stateDir);
    const answers = rows.map((row) => gateway.answer(row.id, { action: 'decline', by: 'tui' }));
    // Were each of the fifty to wait for the driver by itself, one round of them would take a second.
    let turns = 0;
    const end = performance.now() + 1_000;
    while (performance.now() < end) {
      await pause(1);
      turns += 1;
    }
    expect(turns).toBeGreaterThan(20);
    await unlock();
    expect((await within('the answers', Promise.all(answers))).filter((one) => one.won)).toHaveLength(50);
  });
});

describe('a row that falls due while its answer waits for a lock', () => {
  it('is expired and not accepted', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(question({ ttl: 400 }));
    const command = await startActor(scope, stateDir, { role: 'command' });
    const unlock = await lockStore(scope, stateDir);
    const answer = command.answer(id, { action: 'accept', content: '{}', by: 'cli' });
    await pause(600);
    await unlock();
    expect(await answer).toMatchObject({
      won: false,
      row: { state: 'expired', answer: { action: 'cancel' } },
    });
  });
});
