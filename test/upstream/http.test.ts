// Streamable HTTP upstreams: what is sent, and how answers of every shape are read.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.ts';
import { event, httpDouble, json, question, result, sse } from './http-double.ts';
import { httpServer, open, resultOf, textOf } from './open.ts';

test('what is sent: one POST a message, with the headers of the specification', async () => {
  const { url, hits } = await httpDouble();
  const { connection, call } = await open(httpServer(url, { authorization: 'Bearer t' }));
  expect(connection.info).toMatchObject({
    revision: '2025-11-25',
    serverInfo: '{"name":"double","version":"1"}',
  });
  expect(textOf(await call('x', { a: 1 }))).toBe('done');
  await connection.notify('notifications/roots/list_changed', undefined);
  await connection.close('over');
  const posts = hits.filter(({ method }) => method === 'POST');
  expect(posts.map(({ message }) => message.method)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/call',
    'notifications/roots/list_changed',
  ]);
  for (const { headers } of posts) {
    expect(headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer t',
    });
    expect(headers).not.toHaveProperty('accept-encoding');
  }
  const [first, ...rest] = hits;
  expect(first?.headers).not.toHaveProperty('mcp-session-id');
  expect(first?.headers).not.toHaveProperty('mcp-protocol-version');
  for (const { headers } of rest) {
    expect(headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' });
  }
  expect(hits.at(-1)?.method).toBe('DELETE');
});

test('a server at 2025-03-26 is not sent the version header, which came later', async () => {
  const { url, hits } = await httpDouble(({ message }, res) => {
    if (message.method !== 'initialize') return false;
    return json(res, result(message.id, { protocolVersion: '2025-03-26', capabilities: {} }));
  });
  const { connection, call } = await open(httpServer(url));
  await call('x');
  expect(connection.info).toMatchObject({ revision: '2025-03-26', serverInfo: '{}' });
  // It keeps no session, and is asked once whether it has a modern side.
  const older = hits.filter(({ message }) => message.method !== 'server/discover');
  expect(older.filter(({ headers }) => 'mcp-protocol-version' in headers)).toEqual([]);
});

test('reserved headers in the configuration are left out, with a warning', async () => {
  const { url, hits } = await httpDouble();
  const headers = { 'Mcp-Session-Id': 'mine', accept: 'text/html', 'x-team': 'a' };
  const { call, log } = await open(httpServer(url, headers));
  await call('x');
  expect(hits.at(-1)?.headers).toMatchObject({ 'mcp-session-id': 'session-1', 'x-team': 'a' });
  expect(hits.at(-1)?.headers.accept).toContain('application/json');
  expect(log.lines).toContainEqual({
    level: 'warn',
    fields: { server: 'linear', headers: 'Mcp-Session-Id, accept' },
    message: 'mcpx sets these headers itself; left out',
  });
});

const TEXT = '{"n":1.0,"big":12345678901234567890}';
test.each<[string, (body: string) => Parameters<typeof httpDouble>[0]]>([
  [
    'JSON',
    (body) =>
      ({ message }, res) =>
        message.method === 'tools/call' && json(res, body),
  ],
  [
    'JSON without a length',
    (body) =>
      ({ message }, res) => {
        if (message.method !== 'tools/call') return false;
        res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
        res.write(body.slice(0, 30));
        return res.end(body.slice(30));
      },
  ],
  [
    'an event stream',
    (body) =>
      ({ message }, res) =>
        message.method === 'tools/call' && sse(res).end(`: hi\r\n\r\n${event(body)}`),
  ],
])('a result in %s comes back as it was written', async (_, answerWith) => {
  const { url } = await httpDouble(answerWith(`{"jsonrpc":"2.0","id":2,"result":${TEXT}}`));
  const { call } = await open(httpServer(url));
  expect(await call('x')).toEqual({ result: TEXT });
});

test('ELI-19: what comes on the stream of a POST carries the ticket of its request', async () => {
  const { url } = await httpDouble(({ message, method }, res) => {
    if (method === 'GET') return sse(res).write(event(question('get')));
    if (message.method !== 'tools/call') return false;
    const { name } = message.params as { name: string };
    sse(res).write(event({ jsonrpc: '2.0', method: 'notifications/message', params: { name } }));
    return res.write(event(question(`q-${name}`)));
  });
  const { call, questions, notices } = await open(httpServer(url));
  for (const name of ['a', 'b', 'c']) call(name, {}, `ticket ${name}`).catch(() => {});
  await until('the questions', () => questions.length === 4);
  expect(Object.fromEntries(questions.map(({ id, origin }) => [id, origin]))).toEqual({
    '"get"': undefined,
    '"q-a"': 'ticket a',
    '"q-b"': 'ticket b',
    '"q-c"': 'ticket c',
  });
  expect(notices.map(({ params, origin }) => `${params} ${origin}`).sort()).toEqual([
    '{"name":"a"} ticket a',
    '{"name":"b"} ticket b',
    '{"name":"c"} ticket c',
  ]);
});

test('an answer is a POST of its own; 2xx is taken, anything else is not', async () => {
  let status = 202;
  const { url, hits } = await httpDouble(({ message }, res) => {
    if (message.method === 'tools/call') return sse(res).write(event(question(7)) + event(question('7')));
    if (message.method === undefined && message.id !== undefined) return res.writeHead(status).end();
    return false;
  });
  const { call, question: asked } = await open(httpServer(url));
  call('x').catch(() => {});
  const number = await asked(0);
  const string = await asked(1);
  expect(await string.reply({ result: '{"action":"accept","content":{"n":1.0}}' })).toBe(true);
  expect(hits.at(-1)?.text).toBe(
    '{"jsonrpc":"2.0","id":"7","result":{"action":"accept","content":{"n":1.0}}}',
  );
  status = 400;
  expect(await number.reply({ result: '{"action":"decline"}' })).toBe(false);
});

test('an answer is sent again when the server fails for a moment', async () => {
  let failures = 2;
  const { url, hits } = await httpDouble(({ message }, res) => {
    if (message.method === 'tools/call') return sse(res).write(event(question(1)));
    if (message.method !== undefined || message.id === undefined) return false;
    failures -= 1;
    if (failures === 1) return res.destroy();
    if (failures === 0) return res.writeHead(503).end();
    return res.writeHead(202).end();
  });
  const { call, question: asked } = await open(httpServer(url));
  call('x').catch(() => {});
  expect(await (await asked()).reply({ result: '{"action":"decline"}' })).toBe(true);
  expect(hits.filter(({ message }) => message.result !== undefined)).toHaveLength(3);
});

test('cancelling tells the server first, and then closes the stream', async () => {
  const order: string[] = [];
  const { url, sent } = await httpDouble(({ message }, res) => {
    if (message.method === 'notifications/cancelled') {
      order.push('told');
      setTimeout(() => res.writeHead(202).end(), 50);
      return true;
    }
    if (message.method !== 'tools/call') return false;
    res.on('close', () => order.push('closed'));
    return sse(res).write(': open\n\n');
  });
  const { call } = await open(httpServer(url));
  const stop = new AbortController();
  const never = expect(call('x', {}, 't', stop.signal)).rejects.toBe('enough');
  await sent('tools/call');
  stop.abort('enough');
  await never;
  const { message } = await sent('notifications/cancelled');
  expect(message.params).toEqual({ requestId: 2, reason: 'enough' });
  await until('the stream to be closed', () => order.length === 2);
  expect(order).toEqual(['told', 'closed']);
});

test.each([
  [
    401,
    { error: { message: 'who \u001b[2J are you?' } },
    /^linear: answered HTTP 401: who \\u\{1b\}\[2J are you\?$/,
  ],
  [403, 'no', /^linear: answered HTTP 403: no$/],
  [500, 'x'.repeat(9000), /^linear: answered HTTP 500: x{199}…$/],
])('HTTP %i is an error with a piece of the body', async (status, body, message) => {
  const { url } = await httpDouble(({ message: { method } }, res) => {
    return (
      method === 'initialize' &&
      (typeof body === 'string' ? res.writeHead(status).end(body) : json(res, body, status))
    );
  });
  const failure = await open(httpServer(url)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'upstream', message: expect.stringMatching(message) });
  if (status < 500) expect((failure as { hint: string }).hint).toContain('"headers"');
});

test('a JSON-RPC error with our id is a reply, whatever the status', async () => {
  const error = '{"code":-32602,"message":"no","data":{"n":1.0}}';
  const { url } = await httpDouble(({ message: { method, id } }, res) => {
    return method === 'tools/call' && json(res, `{"jsonrpc":"2.0","id":${id},"error":${error}}`, 400);
  }, false);
  const { call } = await open(httpServer(url));
  expect(await call('x')).toEqual({ error });
});

test.each([
  ['202', (res: ServerResponse) => res.writeHead(202).end(), 'answered tools/call without a reply to it'],
  ['another id', (res: ServerResponse) => json(res, result(99)), 'replied with an id that mcpx never sent'],
  ['no JSON', (res: ServerResponse) => json(res, 'hello'), 'answered tools/call without a reply to it'],
])('a request answered with %s fails and does not hang', async (_, answer, why) => {
  const { url } = await httpDouble(({ message }, res) => {
    if (message.method !== 'tools/call') return false;
    answer(res);
    return true;
  });
  const { call } = await open(httpServer(url));
  await expect(call('x')).rejects.toThrow(`linear: ${why}`);
});

test.each([
  ['with a length', true],
  ['without one', false],
])('a body over limits.frameBytes is refused: JSON %s', async (_, announced) => {
  const { url } = await httpDouble(({ message }, res) => {
    if (message.method !== 'tools/call') return false;
    const body = JSON.stringify(result(message.id, 'x'.repeat(100_000)));
    if (announced) res.setHeader('content-length', body.length);
    res.writeHead(200, { 'content-type': 'application/json' });
    res.write(body.slice(0, 60_000));
    return setImmediate(() => res.end(body.slice(60_000)));
  });
  const { call, closed } = await open(httpServer(url), { frameBytes: 50_000 });
  await expect(call('x')).rejects.toThrow('larger than limits.frameBytes (50000 bytes)');
  await expect(call('x')).rejects.toThrow('limits.frameBytes');
  expect(closed).toEqual([]);
});

test('an event over four times limits.frameBytes ends its stream', async () => {
  const { url, hit } = await httpDouble(({ message }, res) => {
    if (message.method !== 'tools/call') return false;
    sse(res).write('data: ');
    return res.write('x'.repeat(250_000));
  });
  const { call } = await open(httpServer(url), { frameBytes: 50_000 });
  await expect(call('x')).rejects.toThrow('larger than limits.frameBytes (50000 bytes)');
  await until('the stream to be closed', async () => (await hit('it', ({ gone }) => gone)).gone);
});

test('a redirect within the origin is followed and remembered; one out of it is not', async () => {
  const other = createServer((_, res) => res.end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const away = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
  let strayed = 0;
  other.on('request', () => {
    strayed += 1;
  });
  const { url, hits } = await httpDouble(({ path, message }, res) => {
    if (path === '/mcp') return res.writeHead(307, { location: '/mcp/' }).end();
    if (message.method === 'tools/call') return res.writeHead(307, { location: away }).end();
    return false;
  });
  const { call } = await open(httpServer(url, { authorization: 'Bearer t' }));
  expect(hits.filter(({ path }) => path === '/mcp')).toHaveLength(1);
  await expect(call('x')).rejects.toMatchObject({
    message: `linear: answered HTTP 307 and points to ${away}, which mcpx does not follow`,
    hint: expect.stringContaining('mcpServers.linear'),
  });
  expect(strayed).toBe(0);
});

test('nobody there', async () => {
  const failure = await open(httpServer('http://127.0.0.1:9/mcp')).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(/^linear: no connection to http:\/\/127\.0\.0\.1:9: connect ECONNREFUSED/),
  });
});

test('many calls at once, answered in another order', async () => {
  const waiting: (() => void)[] = [];
  const { url } = await httpDouble(({ message }, res) => {
    if (message.method !== 'tools/call') return false;
    waiting.push(() => json(res, result(message.id, message.params)));
    if (waiting.length === 50) for (const answer of waiting.reverse()) answer();
    return true;
  });
  const { call } = await open(httpServer(url));
  const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => call(`tool ${n}`)));
  expect(replies.map((reply) => (resultOf(reply) as { name: string }).name)).toEqual(
    Array.from({ length: 50 }, (_, n) => `tool ${n}`),
  );
});
