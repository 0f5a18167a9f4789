// C40: parked calls have a limit and an end: the new one is refused by the limit's name, those that wait are kept to their ttl.
import { expect, test } from 'vitest';
import { askedBy, responsesOf } from '../support/modern-host.ts';
import { accept, answersIn, errorOf, modernScene } from '../support/modern-scene.ts';
import { restOf } from '../support/rest.ts';
import { until } from '../support/until.ts';
import { urlParams } from '../support/url.ts';

const LEGACY = { revision: '2025-11-25' };

test('one call more than limits.parkedCalls is refused, and not one of the others is thrown away', async () => {
  const MOST = 5;
  const it = await modernScene({ upstream: LEGACY, config: { limits: { parkedCalls: MOST, channels: 20 } } });
  const interims = [];
  for (let index = 0; index < MOST; index += 1)
    interims.push(askedBy(await it.host.call('ask', { nonce: index }).reply));
  const error = errorOf(await it.host.call('ask', { nonce: 'more' }).reply);
  expect(error.message).toContain('limits.parkedCalls');
  // The oldest first: it is there like all the others.
  for (const [index, { requests, state }] of interims.entries()) {
    const responses = responsesOf(requests.map(({ key }) => [key, accept(`a${index}`)]));
    expect(answersIn(await it.host.call('ask', { nonce: index }, { state, responses }).reply)).toEqual([
      accept(`a${index}`),
    ]);
  }
  // Now there is room again.
  askedBy(await it.host.call('ask', { nonce: 'again' }).reply);
});

test('a refused call leaves nothing behind: its question is withdrawn, and the upstream told', async () => {
  const it = await modernScene({ upstream: LEGACY, config: { limits: { parkedCalls: 1, channels: 20 } } });
  askedBy(await it.host.call('ask', { nonce: 1 }).reply);
  errorOf(await it.host.call('ask', { nonce: 2 }).reply);
  expect((await it.rowIn('withdrawn')).reason).toContain('limits.parkedCalls');
  await it.upstream.message('the cancellation', ({ method }) => method === 'notifications/cancelled');
  expect(await it.gateway.rows()).toHaveLength(1);
});

test('each ends at its ttl: the upstream gets cancel, the row is expired, and there is room for others', async () => {
  const it = await modernScene({
    upstream: LEGACY,
    config: { elicit: { ttl: '600ms' }, limits: { parkedCalls: 2, channels: 20 } },
  });
  for (const nonce of [1, 2]) askedBy(await it.host.call('ask', { nonce }).reply);
  await until('both to expire', async () => {
    const rows = await it.gateway.rows(['--all']);
    return rows.length === 2 && rows.every(({ state }) => state === 'expired');
  });
  await until('two cancels upstream', () => {
    const answers = it.upstream
      .messages()
      .map(({ result }) => (result as { action?: string } | undefined)?.action);
    return answers.filter((action) => action === 'cancel').length === 2;
  });
  askedBy(await it.host.call('ask', { nonce: 3 }).reply);
});

test('the limit is one number over hosts that come back by a state, by the same request, and over the API', async () => {
  const it = await modernScene({ upstream: LEGACY, config: { limits: { parkedCalls: 2, channels: 20 } } });
  const rest = restOf(it.gateway);
  const byState = (nonce: number) => it.host.call('ask', { nonce }).reply;
  const overApi = () =>
    rest.post('/v1/call', { server: 'fixture', tool: 'ask' }, { prefer: 'respond-async, wait=0' });
  const session = await it.gateway.connect({
    capabilities: '{"elicitation":{"url":{}}}',
    accept: 'application/json',
  });
  const bySameRequest = (nonce: number) => session.startCall('ask', { params: urlParams(), nonce }).reply;
  askedBy(await byState(1));
  expect((await overApi()).status).toBe(202);
  // Two of two: no third is parked, of whatever kind.
  expect(errorOf(await byState(2)).message).toContain('limits.parkedCalls');
  expect((await overApi()).json.error?.message).toContain('limits.parkedCalls');
  expect(JSON.stringify(await bySameRequest(3))).toContain('limits.parkedCalls');
  const [row] = (await it.gateway.rows()).filter(({ host }) => host?.name === 'HTTP API');
  await rest.post(`/v1/elicit/${row?.id}/cancel`);
  await until('a place', async () => JSON.stringify(await bySameRequest(4)).includes('-32042'));
  expect((await overApi()).status).toBe(429);
});
