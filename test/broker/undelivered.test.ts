// Answers of a gateway that has ended (C52): which are marked, which are not, and what undoes it.
import { expect, test } from 'vitest';
import type { Change } from '../../src/broker/types.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

const REASON = 'mcpx was stopped';

test('a gateway that stops marks what it had not passed on, and nothing else', async () => {
  const { open } = bench();
  const gateway = await open('gateway');
  const command = await open('command');
  const taken = await gateway.open(question());
  const late = await gateway.open(question());
  const pending = await gateway.open(question());
  const sealed = await gateway.open(question({ sealed: true }));
  for (const { id } of [taken, late, sealed]) await command.answer(id, { action: 'decline', by: 'cli' });
  await gateway.delivered(taken.id);
  const since = (await command.list({ state: 'all' })).length + 4;
  await gateway.close(REASON);

  expect(await command.get(late.id)).toMatchObject({ state: 'declined', undelivered: true, reason: REASON });
  expect(await command.get(pending.id)).toMatchObject({ state: 'lost', reason: REASON });
  for (const { id } of [taken, sealed]) {
    expect(await command.get(id)).toMatchObject({ state: 'declined' });
    expect(await command.get(id)).not.toHaveProperty('undelivered');
  }
  const enough = new AbortController();
  const seen: Change[] = [];
  for await (const change of command.changes({ since, signal: enough.signal })) {
    seen.push(change);
    if (seen.length === 2) enough.abort();
  }
  expect(seen.map(({ event, row }) => [event, row.id])).toEqual([
    ['lost', pending.id],
    ['undelivered', late.id],
  ]);
  // It is said once: the next gateway finds nothing left to mark.
  const next = await open('gateway');
  expect(await next.lastSeq()).toBe(seen.at(-1)?.seq);
});

test('a gateway that was taken for gone and delivers after all: the mark goes', async () => {
  const { open } = bench();
  const gateway = await open('gateway');
  const { id } = await gateway.open(question());
  const command = await open('command');
  await command.answer(id, { action: 'decline', by: 'cli' });
  await gateway.close(REASON);
  expect((await command.get(id)).undelivered).toBe(true);
  await command.delivered(id);
  const row = await command.get(id);
  expect(row).toMatchObject({ state: 'declined', deliveredAt: expect.any(String) });
  expect(row).not.toHaveProperty('undelivered');
  expect(row).not.toHaveProperty('reason');
});
