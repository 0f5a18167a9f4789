// Calls of stateless hosts on a fake clock: rounds that only carry state, waiting for others, progress, what breaks the protocol.
import { expect, test } from 'vitest';
import type { StatelessRequest } from '../../../src/host/types.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { until } from '../../support/until.ts';
import { type Relay, relay } from './relay.ts';
import { FACTS, type Incoming, incoming } from './support.ts';

const DONE = { resultType: 'complete', content: [] };
const round = (requests: object | undefined, requestState?: string): object => ({
  resultType: 'input_required',
  ...(requests && { inputRequests: requests }),
  ...(requestState !== undefined && { requestState }),
});
const FORM = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } },
};
const NOBODY = { facts: { ...FACTS, capabilities: {} } };

function serve(it: Relay, request: StatelessRequest): Promise<Reply> {
  const served = it.gateway.handler.stateless?.(request);
  if (!served) throw new Error('stateless hosts are not served');
  return served;
}

const errorIn = (reply: Reply): { code: number; message: string } => {
  if ('result' in reply) throw new Error(`no error: ${reply.result}`);
  return JSON.parse(reply.error) as { code: number; message: string };
};

test('rounds that only carry state are sent on by mcpx: after 50 ms, doubling to a second, ten at most', async () => {
  const it = await relay();
  const served = serve(it, incoming());
  const pauses: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    (await it.request(index)).answer(round(undefined, `S${index}`));
    let pause = 0;
    while (it.reached.length === index + 1) {
      it.clock.advance(10);
      pause += 10;
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      if (pause > 3_000) throw new Error(`nothing was sent after round ${index}`);
    }
    pauses.push(pause);
    expect(it.reached[index + 1]?.params).toEqual({ name: 't', requestState: `S${index}` });
  }
  for (const [index, pause] of pauses.entries()) {
    const least = Math.min(50 * 2 ** index, 1_000);
    // The turn in which the reply arrives may cost a step or two.
    expect(pause).toBeGreaterThanOrEqual(least);
    expect(pause).toBeLessThanOrEqual(least + 50);
  }
  (await it.request(10)).answer(round(undefined, 'S10'));
  expect(errorIn(await served).message).toContain('10 rounds');
});

test('a host that goes while mcpx waits to send a round on ends the call', async () => {
  const it = await relay();
  const request = incoming();
  const served = serve(it, request);
  (await it.request(0)).answer(round(undefined, 'S'));
  await new Promise((resolve) => setImmediate(resolve));
  request.close();
  expect(errorIn(await served).code).toBe(-32603);
  it.clock.advance(5_000);
  expect(it.reached).toHaveLength(1);
});

test('while people are waited for the host hears every 15 s that its call lives, and later progress only grows', async () => {
  const it = await relay();
  const request = incoming({ ...NOBODY, params: '{"name":"t","_meta":{"progressToken":"p"}}' });
  const served = serve(it, request);
  (await it.request(0)).answer(round({ q: FORM }, 'S'));
  const row = await until('the row', async () => (await it.broker.list())[0]);
  // The upstream's answer and the row are there; the wait for people begins in the same chain.
  await until('the first sign of life', () => {
    it.clock.advance(15_000);
    return progressOf(request).length > 0;
  });
  it.clock.advance(15_000);
  const alive = progressOf(request);
  expect(alive.length).toBeGreaterThanOrEqual(2);
  await it.broker.answer(row.id, { action: 'decline', by: 'cli' });
  const retry = await it.request(1);
  expect(retry.params).toMatchObject({ inputResponses: { q: { action: 'decline' } }, requestState: 'S' });
  retry.progress(0.0000001);
  retry.progress(5);
  retry.answer(DONE);
  expect(await served).toHaveProperty('result');
  const values = progressOf(request).map(({ progress }) => progress);
  expect(values.at(-1)).toBe(5);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
  for (const { progressToken } of progressOf(request)) expect(progressToken).toBe('p');
});

function progressOf({ told }: Incoming): { progressToken: unknown; progress: number }[] {
  return told
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => JSON.parse(params ?? '{}') as { progressToken: unknown; progress: number });
}

test('an answer counts as delivered once the upstream has spoken to the retry, and not before', async () => {
  const it = await relay();
  const served = serve(it, incoming(NOBODY));
  (await it.request(0)).answer(round({ q: FORM }, 'S'));
  const row = await until('the row', async () => (await it.broker.list())[0]);
  await it.broker.answer(row.id, { action: 'cancel', by: 'cli' });
  const retry = await it.request(1);
  expect(await it.broker.get(row.id)).not.toHaveProperty('deliveredAt');
  retry.answer(round({ r: FORM }));
  // The next question already waits: that the first has arrived is not put off until it is answered.
  await until('delivery', async () => (await it.broker.get(row.id)).deliveredAt);
  const next = await until('the next row', async () => (await it.broker.list())[0]);
  await it.broker.answer(next.id, { action: 'cancel', by: 'cli' });
  (await it.request(2)).fail(new Error('the connection broke'));
  expect(errorIn(await served).code).toBe(-32603);
  expect(await it.broker.get(next.id)).not.toHaveProperty('deliveredAt');
});

test.each([
  ['an unknown resultType', { resultType: 'later' }, 'unknown type'],
  ['neither questions nor state', round(undefined), 'neither inputRequests nor requestState'],
  ['an entry that is not a known request', round({ q: { method: 'tools/call' } }), 'not a known request'],
])('%s is an error that names the server, and no row is opened', async (_what, result, why) => {
  const it = await relay();
  const served = serve(it, incoming());
  (await it.request(0)).answer(result);
  const { message } = errorIn(await served);
  expect(message).toContain('one: ');
  expect(message).toContain(why);
  expect(await it.broker.list({ state: 'all' })).toEqual([]);
});

test('what cannot be interrupted is not: input_required in answer to a list is an error, and is not passed on', async () => {
  const it = await relay();
  const served = serve(it, incoming({ method: 'tools/list', params: undefined }));
  (await it.request(0)).answer(round({ q: FORM }, 'S'));
  expect(errorIn(await served).message).toContain('tools/list cannot be answered by input_required');
  expect(await it.broker.list({ state: 'all' })).toEqual([]);
});

test('a question of a round that is refused closes the rows of the same round', async () => {
  const it = await relay();
  const served = serve(it, incoming());
  const voice = { method: 'elicitation/create', params: { mode: 'voice', message: 'm' } };
  (await it.request(0)).answer(round({ good: FORM, bad: voice }, 'S'));
  expect(errorIn(await served)).toMatchObject({ code: -32602, message: expect.stringContaining('"mode"') });
  expect((await it.broker.list({ state: 'all' })).map(({ state }) => state)).toEqual(['withdrawn']);
});

test('two retries with one state at once are both passed on, with the answer that was first in both', async () => {
  const it = await relay();
  const first = serve(it, incoming());
  (await it.request(0)).answer(round({ q: FORM }, 'S'));
  const interim = await first;
  const { requestState } = JSON.parse('result' in interim ? interim.result : '{}') as {
    requestState: string;
  };
  const retry = (action: string): Promise<Reply> =>
    serve(it, incoming({ requestState, inputResponses: `{"q":{"action":"${action}"}}` }));
  const both = [retry('decline'), retry('cancel')];
  const sent = [await it.request(1), await it.request(2)];
  const given = sent.map(({ params }) => params['inputResponses']);
  expect(given[0]).toEqual(given[1]);
  for (const one of sent) one.answer(DONE);
  for (const reply of await Promise.all(both)) expect(reply).toHaveProperty('result');
});
