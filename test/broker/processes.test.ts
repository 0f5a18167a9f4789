// Several processes on one store: one winner, everybody woken, nobody's rows left behind.
import { describe, expect, it } from 'vitest';
import { until, within } from '../support/until.ts';
import { startActor, startLone } from './actor.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

describe('two processes', () => {
  it('answer the same row at once: exactly one wins, 200 times over', async () => {
    const { scope, stateDir } = bench();
    const [a, b] = await Promise.all([startActor(scope, stateDir), startActor(scope, stateDir)]);
    const wins = { a: 0, b: 0 };
    for (let round = 0; round < 200; round += 1) {
      const { id } = await a.open(question());
      const [one, two] = await Promise.all([
        a.answer(id, { action: 'accept', content: '{"repo":"a"}', by: 'tui' }),
        b.answer(id, { action: 'decline', by: 'cli' }),
      ]);
      expect(Number(one.won) + Number(two.won)).toBe(1);
      expect(one.row).toEqual(two.row);
      expect(one.row.state).toBe(one.won ? 'accepted' : 'declined');
      wins[one.won ? 'a' : 'b'] += 1;
    }
    expect(wins.a + wins.b).toBe(200);
    expect(await b.list()).toEqual([]);
  });

  it('an answer in one wakes the other, in far less than 50 ms (median)', async () => {
    const { scope, stateDir } = bench();
    const [gateway, command] = await Promise.all([
      startActor(scope, stateDir),
      startActor(scope, stateDir, { role: 'command' }),
    ]);
    const taken: number[] = [];
    for (let round = 0; round < 51; round += 1) {
      const { id } = await gateway.open(question());
      const settled = gateway.settled(id);
      await gateway.get(id); // the wait above has begun once this is answered
      await command.answer(id, { action: 'accept', content: '{}', by: 'cli' });
      const answered = command.lastAt();
      await settled;
      taken.push(gateway.lastAt() - answered);
    }
    taken.sort((x, y) => x - y);
    expect(taken[25]).toBeLessThan(50);
  });

  it('awaitDelivery in one resolves when the other has delivered', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await startActor(scope, stateDir);
    const command = await open('command');
    const { id } = await gateway.open(question());
    await command.answer(id, { action: 'decline', by: 'cli' });
    const waiting = command.awaitDelivery(id, 20_000);
    await gateway.delivered(id);
    expect((await waiting).deliveredAt).toBeDefined();
  });

  it('first opening of a fresh directory by many at once works for all', async () => {
    const { scope, stateDir } = bench();
    const actors = await Promise.all(Array.from({ length: 6 }, () => startActor(scope, stateDir)));
    const rows = await Promise.all(actors.map((actor) => actor.open(question())));
    const listed = await actors[0]?.list();
    expect(new Set(listed?.map((row) => row.id))).toEqual(new Set(rows.map((row) => row.id)));
  });
});

describe('changes', () => {
  it('reach every process, whoever made them, in one order', async () => {
    const { scope, stateDir, open } = bench();
    const actors = await Promise.all(Array.from({ length: 3 }, () => startActor(scope, stateDir)));
    const reader = await open('command');
    const first = await reader.open(question());
    const follows = actors.map((actor) => actor.follow(0, 'withdrawn', first.id));

    await Promise.all(
      actors.flatMap((actor) =>
        Array.from({ length: 10 }, async () => {
          const { id } = await actor.open(question());
          await actor.answer(id, { action: 'accept', content: '{}', by: 'rest' });
          await actor.delivered(id);
        }),
      ),
    );
    await reader.withdraw(first.id, 'enough');

    const [one, ...others] = await Promise.all(follows);
    expect(one).toHaveLength(3 * 10 * 3 + 2);
    for (const other of others) expect(other).toEqual(one);
    const seqs = one?.map((change) => change.seq) ?? [];
    expect(seqs).toEqual([...seqs].sort((x, y) => x - y));
    // Each change carries its row as it was then.
    const ids = new Set(one?.map((change) => change.row.id));
    ids.delete(first.id);
    for (const id of ids) {
      const own = one?.filter((change) => change.row.id === id);
      expect(own?.map((change) => [change.event, change.row.state, !!change.row.deliveredAt])).toEqual([
        ['opened', 'pending', false],
        ['answered', 'accepted', false],
        ['delivered', 'accepted', true],
      ]);
    }
  });
});

describe('a process that is gone', () => {
  it('killed with -9, leaves rows that a command finds lost, and cannot answer', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await startActor(scope, stateDir);
    const [one, two] = [await gateway.open(question()), await gateway.open(question())];
    const command = await open('command');
    expect(await command.list()).toHaveLength(2);

    await gateway.process.stop('SIGKILL');
    const late = await command.answer(one.id, { action: 'accept', content: '{}', by: 'cli' });
    expect(late.won).toBe(false);
    expect(late.row).toMatchObject({ state: 'lost', reason: 'the gateway that held the call is gone' });
    expect(late.row.answer).toBeUndefined();
    expect(await command.get(two.id)).toMatchObject({ state: 'lost' });
  });

  it('is noticed by a command at its start, and by another gateway without being asked', async () => {
    const { scope, stateDir, open } = bench();
    const [dying, other] = [await startActor(scope, stateDir), await startActor(scope, stateDir)];
    const theirs = await dying.open(question());
    const kept = await other.open(question());
    const settled = other.settled(theirs.id);
    await dying.process.stop('SIGKILL');
    expect(await settled).toMatchObject({ state: 'lost' });

    await other.process.stop('SIGKILL');
    const command = await open('command');
    expect(await command.list()).toEqual([]);
    expect(await command.get(kept.id)).toMatchObject({ state: 'lost' });
  });

  it('that shut down with a reason leaves rows lost with it, nothing accepted (C34)', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await startActor(scope, stateDir);
    const row = await gateway.open(question());
    const command = await open('command');
    const settled = command.settled(row.id);
    await gateway.close('the gateway was stopped');
    expect(await settled).toMatchObject({ state: 'lost', reason: 'the gateway was stopped' });
    expect((await settled).answer).toBeUndefined();
  });

  it('and only watched, changes no row (C39)', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const row = await gateway.open(question());
    expect(await gateway.watched()).toBe(false);
    const watcher = await startActor(scope, stateDir, { role: 'command' });
    await watcher.watching('tui');
    await until('the watcher', () => gateway.watched());
    await watcher.process.stop('SIGKILL');
    await until('the watcher to be missed', async () => !(await gateway.watched()));
    expect(await gateway.get(row.id)).toEqual(row);
  });
});

describe('an answering process killed at any moment', () => {
  it('leaves every row either pending or answered whole, and the store open to others', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const long = 'x'.repeat(20_000);
    for (let round = 0; round < 8; round += 1) {
      const rows = await Promise.all(Array.from({ length: 30 }, () => gateway.open(question())));
      const command = await startActor(scope, stateDir, { role: 'command' });
      let answered = 0;
      for (const [n, row] of rows.entries()) {
        const content = JSON.stringify({ n, long });
        command.answer(row.id, { action: 'accept', content, by: 'cli' }).then(
          () => {
            answered += 1;
          },
          () => {},
        );
      }
      // Killed after it has answered some, at whatever it is doing then.
      await until('some answers', () => answered > round);
      await command.process.stop('SIGKILL');
      for (const [n, row] of rows.entries()) {
        const now = await gateway.get(row.id);
        if (now.state !== 'pending') {
          expect(now).toMatchObject({ state: 'accepted', answer: { content: JSON.stringify({ n, long }) } });
          continue;
        }
        expect(now.answer).toBeUndefined();
        expect(await gateway.answer(row.id, { action: 'decline', by: 'tui' })).toMatchObject({ won: true });
      }
    }
    const stop = new AbortController();
    const ends = new Map<string, number>();
    for await (const { event, row } of gateway.changes({ since: 0, signal: stop.signal })) {
      if (event === 'answered') ends.set(row.id, (ends.get(row.id) ?? 0) + 1);
      if (ends.size === 240) break;
    }
    expect([...ends.values()].every((count) => count === 1)).toBe(true);
  });
});

describe('a command', () => {
  it('runs as long as it awaits a row, and no longer', async () => {
    const { scope, stateDir, open } = bench();
    const gateway = await open('gateway');
    const { id } = await gateway.open(question());
    const waiting = startLone(scope, stateDir, 'wait', id);
    await waiting.line((line) => line === 'open');
    const idle = startLone(scope, stateDir, 'idle');
    // The idle one ends by itself while the other still waits.
    expect(await within('the idle command to end', idle.ended)).toBe(0);
    expect(waiting.child.exitCode).toBeNull();
    await gateway.answer(id, { action: 'decline', by: 'tui' });
    await waiting.line((line) => line === 'declined');
    expect(await within('the waiting command to end', waiting.ended)).toBe(0);
  });
});
