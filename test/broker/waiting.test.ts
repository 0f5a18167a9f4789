// Waiting for rows and following changes within one process.
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/broker/types.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

describe('settled', () => {
  it('resolves at once for a row that is settled already', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    await broker.withdraw(id, 'gone');
    expect(await broker.settled(id)).toMatchObject({ state: 'withdrawn' });
  });

  it('resolves for every one who waits, with the same row', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    const waits = Array.from({ length: 50 }, () => broker.settled(id));
    const { row } = await broker.answer(id, { action: 'accept', content: '{"a":1}', by: 'tui' });
    expect(await Promise.all(waits)).toEqual(Array(50).fill(row));
  });

  it('resolves each of 2,000 rows with its own answer', async () => {
    const broker = await bench().open();
    const rows = await Promise.all(Array.from({ length: 2_000 }, () => broker.open(question())));
    const waits = rows.map((row) => broker.settled(row.id));
    await Promise.all(
      rows.map((row, n) => broker.answer(row.id, { action: 'accept', content: String(n), by: 'rest' })),
    );
    const contents = (await Promise.all(waits)).map((row) => row.answer?.content);
    expect(contents).toEqual(rows.map((_, n) => String(n)));
  });

  it('rejects with the reason of an abort, before or after it began', async () => {
    const broker = await bench().open();
    const { id } = await broker.open(question());
    const reason = new Error('the caller left');
    const stop = new AbortController();
    const wait = broker.settled(id, stop.signal);
    stop.abort(reason);
    await expect(wait).rejects.toBe(reason);
    await expect(broker.settled(id, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await broker.get(id)).toMatchObject({ state: 'pending' });
  });

  it('rejects for an unknown row, and when the broker closes', async () => {
    const broker = await bench().open('command');
    await expect(broker.settled('elc-0000000000000000')).rejects.toMatchObject({ code: 'not_found' });
    const { id } = await broker.open(question());
    const wait = broker.settled(id);
    const checked = expect(wait).rejects.toMatchObject({ code: 'interrupted' });
    await broker.close();
    await checked;
  });

  it('gives the row as lost when its own gateway closes with a reason', async () => {
    const broker = await bench().open('gateway');
    const { id } = await broker.open(question());
    const wait = broker.settled(id);
    await broker.close('the gateway was stopped');
    expect(await wait).toMatchObject({ state: 'lost', reason: 'the gateway was stopped' });
  });
});

describe('awaitDelivery', () => {
  it('gives the row as it is when the time is up', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const { id } = await broker.open(question());
    await broker.answer(id, { action: 'decline', by: 'cli' });
    const wait = broker.awaitDelivery(id, 5_000);
    await clock.pass(5_000, 500);
    const row = await wait;
    expect(row.state).toBe('declined');
    expect(row.deliveredAt).toBeUndefined();
  });

  it('does not wait for what cannot be delivered any more', async () => {
    const broker = await bench().open('gateway', { clock: fakeClock() });
    const { id } = await broker.open(question());
    await broker.lose(id, 'gone');
    expect(await broker.awaitDelivery(id, 5_000)).toMatchObject({ state: 'lost' });
  });
});

describe('changes', () => {
  it('begin with what happens after the call, and end when told to', async () => {
    const broker = await bench().open();
    await broker.open(question());
    const stop = new AbortController();
    const changes = broker.changes({ signal: stop.signal });
    const row = await broker.open(question());
    const seen: Change[] = [];
    const reading = (async () => {
      for await (const change of changes) seen.push(change);
    })();
    await until('the first change', () => seen.length === 1);
    await broker.withdraw(row.id, 'gone');
    await until('the second change', () => seen.length === 2);
    expect(seen.map((change) => [change.event, change.row.id])).toEqual([
      ['opened', row.id],
      ['withdrawn', row.id],
    ]);
    stop.abort();
    await reading;
  });

  it('go on after any of them, missing none', async () => {
    const broker = await bench().open();
    const rows = await Promise.all(Array.from({ length: 450 }, () => broker.open(question())));
    const read = async (since: number): Promise<Change[]> => {
      const seen: Change[] = [];
      for await (const change of broker.changes({ since, signal: new AbortController().signal })) {
        seen.push(change);
        if (change.row.id === rows.at(-1)?.id) break;
      }
      return seen;
    };
    const all = await read(0);
    expect(all.map((change) => change.row)).toEqual(rows);
    expect(await read(all[299]?.seq ?? 0)).toEqual(all.slice(300));
  });

  it('name each kind of end by its own event', async () => {
    const clock = fakeClock();
    const broker = await bench().open('gateway', { clock });
    const [a, b, c, d] = await Promise.all(
      [9_000, 9_000, 9_000, 1_000].map((ttl) => broker.open(question({ ttl }))),
    );
    await clock.pass(1_000);
    await broker.answer(a?.id ?? '', { action: 'cancel', by: 'host' });
    await broker.delivered(a?.id ?? '');
    await broker.completed(a?.id ?? '');
    await broker.lose(b?.id ?? '', 'gone');
    await broker.withdraw(c?.id ?? '', 'taken back');
    const seen: [string, string | undefined][] = [];
    for await (const change of broker.changes({ since: 4, signal: new AbortController().signal })) {
      seen.push([change.event, change.row.id]);
      if (change.event === 'withdrawn') break;
    }
    expect(seen).toEqual([
      ['expired', d?.id],
      ['answered', a?.id],
      ['delivered', a?.id],
      ['completed', a?.id],
      ['lost', b?.id],
      ['withdrawn', c?.id],
    ]);
  });
});
