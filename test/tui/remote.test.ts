// The inbox on the questions of a gateway far away (`mcpx tui --url`).
import { expect, test } from 'vitest';
import { RestClient } from '../../src/api/client/rest-client.ts';
import { systemClock } from '../../src/clock.ts';
import { brokerSource } from '../../src/tui/row-source.ts';
import { type Served, serveApi, TOKEN } from '../api/support.ts';
import { question } from '../broker/question.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FakeTui, fakeTui } from './fake-tui.ts';

async function remote(answerBytes = 100_000): Promise<Served & { tui: FakeTui }> {
  const served = await serveApi({ answerBytes });
  const client = new RestClient({ base: served.base, token: TOKEN }, systemClock);
  testScope().defer(() => client.close());
  return { ...served, tui: await fakeTui({ from: brokerSource(client, '127.0.0.1') }) };
}

test('questions come in, are answered from the review, and the answer says where it was given', async () => {
  const { broker, tui } = await remote();
  await until('the inbox watches', () => broker.watched());
  const { id } = await broker.open(question());
  await tui.see('Which repository');
  await tui.settle();
  const delivering = broker.settled(id).then(() => broker.delivered(id));
  delivering.catch(() => undefined);
  await tui.press('enter');
  await tui.type('me/thing');
  await tui.press('enter');
  await tui.settle();
  await tui.press('enter');
  await tui.see('Sent to github');
  expect((await broker.get(id)).answer).toMatchObject({ content: '{"repo":"me/thing"}', by: 'tui' });
});

test('C38: an answer that is refused leaves its question on the screen, with the reason and what was typed', async () => {
  const { broker, tui } = await remote(20);
  const { id } = await broker.open(question());
  await tui.see('Which repository');
  await tui.settle();
  await tui.press('enter');
  await tui.type('something-that-is-too-long');
  await tui.press('enter');
  await tui.settle();
  await tui.press('enter');
  await tui.see('limits.answerBytes');
  expect(tui.vt.text).toContain('something-that-is-too-long');
  expect((await broker.get(id)).state).toBe('pending');
});

test('C39: leaving it changes no row, and it does not count as watching any more', async () => {
  const { broker, tui } = await remote();
  const { id } = await broker.open(question());
  await tui.see('Which repository');
  expect(await broker.watched()).toBe(true);
  await tui.press('q');
  expect(await tui.done).toEqual({ interrupted: false });
  await until('nobody watches', async () => !(await broker.watched()));
  expect((await broker.get(id)).state).toBe('pending');
});

test('a question that somebody else answers meanwhile says so at once', async () => {
  const { broker, tui } = await remote();
  const { id } = await broker.open(question());
  await tui.see('Which repository');
  await tui.settle();
  await tui.press('enter');
  await broker.answer(id, { action: 'decline', by: 'cli' });
  await tui.see('Declined from the command line');
});

test('a gateway that stays away is said, and what was there stays on the screen', async () => {
  const { broker, http, stop, tui } = await remote();
  await broker.open(question());
  await tui.see('Which repository');
  stop();
  await http.close('It stops.');
  await until('the inbox to say so', () => tui.vt.text.includes('out of date'));
  expect(tui.vt.text).toContain('Which repository');
}, 15_000);
