import { expect, test } from 'vitest';
import { rowJson } from '../../src/broker/row-json.ts';
import { question } from '../broker/question.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { CI_TOKEN, serveApi } from './support.ts';

test('tells every change with its row, as rows are printed everywhere', async () => {
  const { broker, read } = await serveApi();
  const before = await broker.open(question());
  const reader = await read();
  const { requestedSchema: _, ...form } = question();
  const url = await broker.open({ ...form, mode: 'url', url: 'https://example.com/' });
  await broker.answer(url.id, { action: 'accept', by: 'tui' });
  await broker.delivered(url.id);
  await broker.completed(url.id);
  await broker.withdraw(before.id, 'the call has ended');
  await broker.lose((await broker.open(question())).id, 'the server is gone');
  const late = await broker.open(question({ ttl: 1 }));
  const events: string[] = [];
  const ids: number[] = [];
  let last = '';
  while (events.at(-1) !== 'elicit.expired') {
    const { id, event, data } = await reader.next();
    events.push(event ?? '');
    ids.push(Number(id));
    last = data;
  }
  expect(events).toEqual(
    ['opened', 'answered', 'delivered', 'completed', 'withdrawn', 'opened', 'lost', 'opened', 'expired'].map(
      (event) => `elicit.${event}`,
    ),
  );
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(last).toBe(rowJson(await broker.get(late.id)));
});

test('Last-Event-ID resumes without a gap, also before the first event and after a restart of the reader', async () => {
  const { broker, read, ask } = await serveApi();
  const first = await read();
  const one = await broker.open(question());
  const { id } = await first.next();
  first.cut();
  const two = await broker.open(question());
  await broker.answer(one.id, { action: 'cancel', by: 'tui' });
  // The empty event that comes first repeats where the reader is.
  const resumed = await read({ headers: { 'last-event-id': id ?? '' } });
  expect(JSON.parse((await resumed.next()).data).id).toBe(two.id);
  expect((await resumed.next()).event).toBe('elicit.answered');
  const ahead = await read({ headers: { 'last-event-id': '999999999' } });
  const three = await broker.open(question());
  expect(JSON.parse((await ahead.next()).data).id).toBe(three.id);
  const odd = await ask('/v1/events', { headers: { 'last-event-id': 'abc' } });
  expect([odd.status, odd.json.error?.code]).toEqual([400, 'usage']);
});

test('C20: another principal is told of its own rows only', async () => {
  const { broker, read } = await serveApi();
  const reader = await read({ token: CI_TOKEN });
  await broker.open(question());
  const own = await broker.open(question({ principal: 'ci' }));
  expect((await reader.next()).data).toBe(rowJson(own));
});

test('C39: a reader counts as watching while it is there, and going away changes no row', async () => {
  const { broker, read } = await serveApi();
  const { id } = await broker.open(question());
  expect(await broker.watched()).toBe(false);
  const reader = await read();
  await until('somebody watches', () => broker.watched());
  reader.cut();
  await until('nobody watches', async () => !(await broker.watched()));
  expect((await broker.get(id)).state).toBe('pending');
});

test('a comment every 15 seconds keeps the stream alive', async () => {
  const clock = fakeClock();
  const { read } = await serveApi({ clock });
  const reader = await read();
  for (let count = 0; count < 2; count += 1) {
    await clock.pass(15_000);
    expect(await reader.comment()).toBe('');
  }
});

test('the stream ends when the gateway stops', async () => {
  const { read, stop } = await serveApi();
  const reader = await read();
  stop();
  await reader.ended;
});
