// /v1/call and /v1/servers on the built gateway, with real servers behind it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScope } from '../support/create-scope.ts';
import { type HttpGateway, startGateway } from '../support/gateway.ts';
import { type Rest, restOf } from '../support/rest.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';

const ASYNC = { prefer: 'respond-async' };

describe.each([
  ['2025-11-25', 'stdio'],
  ['2026-07-28', 'http'],
] as const)('a server of %s over %s', (revision, transport) => {
  let upstream: FixtureUpstream;
  let gateway: HttpGateway;
  let rest: Rest;

  const scope = createScope();
  afterAll(() => scope.close());
  beforeAll(async () => {
    upstream = await fixtureUpstream(scope, { transport, revision });
    gateway = await startGateway(scope, {
      servers: {
        fixture: upstream.entry,
        off: { command: 'node', disabled: true },
        broken: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
      },
    });
    rest = restOf(gateway);
  });

  const call = (tool: string, args: object, headers: Record<string, string> = {}) =>
    rest.post('/v1/call', { server: 'fixture', tool, arguments: args }, headers);

  const answer = async (repo: string): Promise<void> => {
    const [row] = await until('a question', async () => {
      const rows = await rest.rows();
      return rows.length > 0 && rows;
    });
    const { status } = await rest.post(`/v1/elicit/${row?.id}/accept`, { content: { repo } });
    expect(status).toBe(200);
  };

  test('servers: what they speak, and how they are, before and after they were needed', async () => {
    expect((await rest.ask('/v1/servers')).json.servers).toEqual([
      { name: 'fixture', transport, state: 'idle' },
      { name: 'off', transport: 'stdio', state: 'disabled' },
      { name: 'broken', transport: 'stdio', state: 'idle' },
    ]);
    await call('echo', {});
    await rest.post('/v1/call', { server: 'broken', tool: 'x' });
    const [fixture, , broken] = (await rest.ask('/v1/servers')).json.servers;
    const era = revision === '2026-07-28' ? 'modern' : 'legacy';
    expect(fixture).toEqual({ name: 'fixture', transport, state: 'ready', era, revision });
    expect(broken).toMatchObject({
      state: 'failed',
      error: { code: expect.any(String), message: expect.any(String) },
    });
  });

  test('a result, in the words of 2025-11-25, with the exact arguments', async () => {
    const body = '{"server":"fixture","tool":"echo","arguments":{"n": 9007199254740993, "t":"\\u00e9"}}';
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await rest.ask('/v1/call', { method: 'POST', body, headers });
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('resultType');
    expect(json.content[0]?.text).toContain('9007199254740993');
    await upstream.message('the call', ({ method }) => method === 'tools/call');
    expect(
      upstream.journal().some(({ text }) => text.includes('{"n": 9007199254740993, "t":"\\u00e9"}')),
    ).toBe(true);
  });

  test('the result is waited for while its question waits for a person', async () => {
    const calling = call('ask', {});
    await answer('me/thing');
    const { status, json } = await calling;
    expect(status).toBe(200);
    const [given] = JSON.parse(json.content[0]?.text ?? '').answers;
    expect(JSON.parse(given)).toMatchObject({ action: 'accept', content: { repo: 'me/thing' } });
  });

  test('respond-async answers with the question, and the result is there for whoever comes back', async () => {
    const first = await call('ask', { count: 2, together: false }, ASYNC);
    expect(first.status).toBe(202);
    expect(first.headers.get('preference-applied')).toBe('respond-async');
    expect(first.headers.get('location')).toBe(`/v1/call/${first.json.call}`);
    expect(first.json.questions).toHaveLength(1);
    const [question] = first.json.questions;
    expect(question).toMatchObject({
      state: 'pending',
      server: 'fixture',
      tool: 'ask',
      call: first.json.call,
      host: { name: 'HTTP API', inline: false },
    });
    expect((await rest.ask(`/v1/elicit/${question?.id}`)).json).toEqual(question);
    const path = `/v1/call/${first.json.call}`;
    expect((await rest.ask(path)).text).toBe(first.text);
    await answer('one');
    const second = await until('the second question', async () => {
      const { status, json } = await rest.ask(path);
      return status === 202 && json.questions.length === 1 && json.questions[0]?.id !== question?.id && json;
    });
    expect(second.call).toBe(first.json.call);
    await answer('two');
    const last = await until('the result', async () => {
      const got = await rest.ask(path);
      return got.status === 200 && got;
    });
    expect(last.json.content[0]?.text).toContain('two');
    expect((await rest.ask(path)).text).toBe(last.text);
  });

  test('respond-async waits no longer than asked, and answers with a result that is there already', async () => {
    expect((await call('echo', { a: 1 }, ASYNC)).status).toBe(200);
    const early = await call('slow', { delay: 500 }, { prefer: 'respond-async, wait=0' });
    expect([early.status, early.json.questions]).toEqual([202, []]);
    await until('the result', async () => (await rest.ask(`/v1/call/${early.json.call}`)).status === 200);
  });

  test('failures say what failed, with the codes of commands', async () => {
    const codeOf = async (body: unknown): Promise<unknown> => {
      const { status, json } = await rest.post('/v1/call', body);
      return [status, json.error?.code];
    };
    expect(await codeOf({ server: 'nothing', tool: 'x' })).toEqual([404, 'not_found']);
    expect(await codeOf({ server: 'off', tool: 'x' })).toEqual([404, 'not_found']);
    expect((await codeOf({ server: 'broken', tool: 'x' })) as unknown[]).toEqual([502, expect.any(String)]);
    expect(await codeOf({ server: 'fixture' })).toEqual([400, 'usage']);
    expect(await codeOf({ server: 'fixture', tool: 'echo', arguments: [] })).toEqual([400, 'usage']);
    const failed = await call('fail', { error: '{"code":-32000,"message":"no luck today"}' });
    expect([failed.status, failed.json.error?.code]).toEqual([502, 'upstream']);
    expect(failed.json.error?.message).toContain('no luck today');
    const unknown = await rest.ask('/v1/call/cal-0000000000000000');
    expect([unknown.status, unknown.json.error?.code]).toEqual([404, 'not_found']);
  });
});

test('whoever goes away before the result takes the call and its question along', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const rest = restOf(gateway);
  const leaving = new AbortController();
  const calling = rest.ask('/v1/call', {
    method: 'POST',
    body: '{"server":"fixture","tool":"ask"}',
    headers: { 'content-type': 'application/json' },
    signal: leaving.signal,
  });
  calling.catch(() => undefined);
  await until('the question', async () => (await rest.rows()).length === 1);
  leaving.abort();
  await expect(calling).rejects.toThrow();
  await until('the question to go', async () => (await rest.rows()).length === 0);
  const { rows } = (await rest.ask('/v1/elicit?state=withdrawn')).json;
  expect(rows).toHaveLength(1);
  await upstream.message('the notice', ({ method }) => method === 'notifications/cancelled');
});

test('C40: one call more than limits.parkedCalls is refused with the name of the limit; outcomes take no place', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const config = { limits: { parkedCalls: 2 } };
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry }, config });
  const rest = restOf(gateway);
  const call = () => rest.post('/v1/call', { server: 'fixture', tool: 'ask' }, ASYNC);
  const [first, second] = [await call(), await call()];
  expect([first.status, second.status]).toEqual([202, 202]);
  const third = await call();
  expect([third.status, third.json.error?.code]).toEqual([429, 'limit']);
  expect(third.json.error?.message).toContain('limits.parkedCalls');
  expect(await rest.rows()).toHaveLength(2);
  await rest.post(`/v1/elicit/${first.json.questions[0]?.id}/cancel`);
  await until('its result', async () => (await rest.ask(`/v1/call/${first.json.call}`)).status === 200);
  expect((await call()).status).toBe(202);
  expect((await rest.ask(`/v1/call/${first.json.call}`)).status).toBe(200);
});

test('the gateway takes what waits with it when it stops: the question is lost, the caller is told', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const rest = restOf(gateway);
  const calling = rest.post('/v1/call', { server: 'fixture', tool: 'ask' });
  await until('the question', async () => (await rest.rows()).length === 1);
  expect(await gateway.process.stop('SIGTERM')).toBe(143);
  const { status, json } = await calling;
  expect(status).toBeGreaterThanOrEqual(500);
  expect(json.error?.code).toBeTypeOf('string');
  expect(await gateway.rows(['--all'])).toEqual([expect.objectContaining({ state: 'lost' })]);
});
