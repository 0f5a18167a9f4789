// Stateless hosts on a pipe: side by side with each other and with a legacy session.
import { describe, expect, test } from 'vitest';
import { initialize, type Json, openPipes, rpc } from '../support.ts';
import { call, envelope, MODERN, made, SERVED_BY, statelessDouble } from './support.ts';

const open = () => {
  const handler = statelessDouble();
  return { ...openPipes({ handler }), handler };
};
const cancel = (requestId: unknown): string =>
  rpc({ method: 'notifications/cancelled', params: { requestId } });

test('the first message of a pipe may be a request of this era', async () => {
  const { write, next, handler } = open();
  write(call('a', { arguments: { n: 1 } }, 'first').body);
  expect(await next()).toEqual({
    jsonrpc: '2.0',
    id: 'first',
    result: { content: [], resultType: 'complete', _meta: SERVED_BY },
  });
  expect(handler.requests[0]).toMatchObject({
    streams: true,
    params: '{"name":"a","arguments":{"n":1}}',
    facts: { revision: MODERN, transport: 'stdio', principal: 'local', clientName: 'test-host' },
  });
});

test('a probe, then a handshake, then both eras on one pipe', async () => {
  const { write, next, handler } = open();
  write(made('server/discover', {}, 'probe').body);
  expect(((await next())['result'] as Json)['supportedVersions']).toContain(MODERN);
  write(initialize('2025-11-25', 0));
  expect(await next()).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
  write(rpc({ method: 'notifications/initialized' }), rpc({ id: 1, method: 'tools/list' }));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
  write(call('held', {}, 1).body, rpc({ id: 1, method: 'hang' }));
  const { finish } = await handler.held();
  finish();
  expect(await next()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
  write(rpc({ id: 2, method: 'ping' }));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  expect([handler.sessions.length, handler.requests.length, handler.discovered.length]).toEqual([1, 1, 1]);
});

test('requests run side by side, each with its notices', async () => {
  const { write, next, handler } = open();
  write(call('held', {}, 1).body, call('held', {}, 2).body);
  const first = await handler.held(0);
  const second = await handler.held(1);
  second.request.notify('notifications/progress', '{"progressToken":2,"progress":1}');
  expect((await next())['params']).toEqual({ progressToken: 2, progress: 1 });
  second.finish();
  expect((await next())['id']).toBe(2);
  first.finish();
  expect((await next())['id']).toBe(1);
});

describe('cancellation', () => {
  test('gives up the request it names, and nothing more is sent for it', async () => {
    const { write, next, handler } = open();
    write(call('held', {}, 1).body, call('held', {}, '1').body);
    const number = await handler.held(0);
    const text = await handler.held(1);
    write(cancel(1));
    await expect.poll(() => number.request.signal.aborted).toBe(true);
    expect(text.request.signal.aborted).toBe(false);
    number.request.notify('notifications/progress', '{"progressToken":1,"progress":1}');
    number.finish();
    text.finish();
    expect((await next())['id']).toBe('1');
    // The id is free again.
    write(call('a', {}, 1).body);
    expect((await next())['id']).toBe(1);
  });

  test('in the same breath as the request', async () => {
    const { write, next, handler } = open();
    write(
      call('held', {}, 1).body,
      cancel(1),
      cancel('unknown'),
      cancel({}),
      rpc({ method: 'notifications/cancelled' }),
    );
    write(call('a', {}, 2).body);
    expect((await next())['id']).toBe(2);
    expect(handler.requests.filter(({ signal }) => !signal.aborted)).toHaveLength(1);
  });

  test('of a legacy request reaches its session', async () => {
    const { write, next, handler } = open();
    write(initialize('2025-06-18'));
    await next();
    write(rpc({ id: 5, method: 'hang' }));
    await expect.poll(() => handler.exchanges.length).toBe(1);
    write(cancel(5));
    await expect.poll(() => handler.exchanges[0]?.signal.aborted).toBe(true);
  });

  test('by the end of the pipe', async () => {
    const { write, input, handler, served } = open();
    write(call('held').body);
    const { request } = await handler.held();
    input.end();
    await served.done;
    expect(request.signal.aborted).toBe(true);
  });
});

describe('what is refused', () => {
  const P = 'io.modelcontextprotocol/';
  const with_ = (more: Json): string => made('tools/call', { name: 'a', _meta: more }).body;

  test.each([
    ['no capabilities', with_({ [`${P}clientCapabilities`]: undefined }), -32602],
    ['an unknown log level', with_({ [`${P}logLevel`]: 'loud' }), -32602],
    ['a later version', with_({ [`${P}protocolVersion`]: '2099-01-01' }), -32022],
    ['an older version', with_({ [`${P}protocolVersion`]: '2025-11-25' }), -32022],
    ['a removed method', made('ping').body, -32601],
    ['initialize under an envelope', made('initialize', { protocolVersion: MODERN }).body, -32601],
    ['no envelope and no session', rpc({ id: 1, method: 'tools/list' }), -32600],
  ])('%s', async (_what, line, code) => {
    const { write, next, handler } = open();
    write(line);
    expect(await next()).toMatchObject({ id: 1, error: { code } });
    expect([handler.requests, handler.sessions]).toEqual([[], []]);
  });

  test('an id that is open already', async () => {
    const { write, next, handler } = open();
    write(call('held').body, call('a').body);
    expect(await next()).toMatchObject({ id: 1, error: { code: -32600 } });
    (await handler.held()).finish();
    expect(await next()).toMatchObject({ id: 1, result: {} });
  });

  test('batches, also in a session that has them', async () => {
    const { write, next } = open();
    write(initialize('2025-03-26'));
    await next();
    write(`[${call('a').body}]`);
    expect(await next()).toMatchObject({ error: { code: -32600 } });
    write(`[${rpc({ id: 3, method: 'tools/list' })}]`);
    expect(await next()).toMatchObject([{ id: 3 }]);
  });

  test('notifications of this era are nobody’s', async () => {
    const { write, next, handler } = open();
    write(initialize());
    await next();
    write(
      rpc({ method: 'notifications/other', params: { _meta: envelope() } }),
      rpc({ id: 9, method: 'ping' }),
    );
    expect((await next())['id']).toBe(9);
    expect(handler.notifications).toEqual([]);
  });
});
