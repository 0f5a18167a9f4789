// The MCP endpoint: sessions, headers, bad input, and what each is answered.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHandler } from '../support/host-handler.ts';
import { eventually, initialize, type Json, openEndpoint, rpc } from './support.ts';

const json = async (response: Response) => (await response.json()) as Json;

test('initialize gives a session id that nobody guesses, and a plain JSON answer', async () => {
  const { post, handler } = await openEndpoint();
  const first = await post(initialize('2025-06-18', 'x'));
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json');
  expect(await json(first)).toEqual({
    jsonrpc: '2.0',
    id: 'x',
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'mcpx', version: '1.2.3', title: 'mcpx' },
    },
  });
  const second = await post(initialize());
  const ids = [first, second].map((response) => response.headers.get('mcp-session-id') ?? '');
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
  expect(handler.sessions.map((session) => session.facts.transport)).toEqual(['http', 'http']);
  // The id that stands in logs is another one, with which nobody can speak for the host.
  for (const session of handler.sessions) expect(ids).not.toContain(session.id);
});

test('a response has a length and is the very text of the result', async () => {
  const { open } = await openEndpoint({
    handler: createHandler({ big: () => ({ result: '{"n":12345678901234567890,"f":1.0}' }) }),
  });
  const session = await open();
  const response = await session.post(rpc({ id: 1, method: 'big' }));
  const text = await response.text();
  expect(text).toBe('{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890,"f":1.0}}');
  expect(response.headers.get('content-length')).toBe(String(text.length));
  expect(response.headers.get('mcp-session-id')).toBeNull();
});

test('notifications and replies are answered 202 without a body (C15)', async () => {
  const { open, handler } = await openEndpoint();
  const session = await open();
  for (const body of [
    rpc({ method: 'notifications/roots/list_changed' }),
    rpc({ id: 7, result: {} }),
    rpc({ id: '7', result: {} }),
    rpc({ id: 'unknown', error: { code: -32601, message: 'no' } }),
    rpc({ method: 'notifications/cancelled', params: { requestId: 99 } }),
  ]) {
    const response = await session.post(body);
    expect([response.status, await response.text()]).toEqual([202, '']);
  }
  expect(handler.notifications).toEqual([{ method: 'notifications/roots/list_changed', params: undefined }]);
});

test.each<
  [
    string,
    { body?: string; headers?: Record<string, string>; path?: string; method?: string },
    number,
    object,
  ]
>([
  ['no session id', { body: rpc({ id: 1, method: 'ping' }) }, 400, { id: 1, error: { code: -32600 } }],
  [
    'a notification without a session',
    { body: rpc({ method: 'notifications/initialized' }) },
    400,
    { error: { code: -32600 } },
  ],
  ['an unknown session', { headers: { 'mcp-session-id': 'nope' } }, 404, { error: { code: -32600 } }],
  ['no JSON', { body: '{"jsonrpc"' }, 400, { error: { code: -32700 } }],
  ['an empty body', { body: '' }, 400, { error: { code: -32700 } }],
  [
    'initialize without a revision',
    { body: rpc({ id: 1, method: 'initialize' }) },
    400,
    { id: 1, error: { code: -32602 } },
  ],
  ['initialize in a batch', { body: `[${initialize()}]` }, 400, { error: { code: -32600 } }],
  ['a form post', { headers: { 'content-type': 'text/plain' } }, 415, { error: { code: -32600 } }],
  ['a malformed type', { headers: { 'content-type': 'json' } }, 415, { error: { code: -32600 } }],
  [
    'a revision of the future',
    { headers: { 'mcp-protocol-version': '2099-01-01' } },
    400,
    { error: { code: -32600, data: { requested: '2099-01-01' } } },
  ],
  ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403, { error: { code: -32600 } }],
  ['no origin in particular', { headers: { origin: 'null' } }, 403, { error: { code: -32600 } }],
  [
    'a foreign origin elsewhere',
    { headers: { origin: 'https://evil.example' }, path: '/x' },
    403,
    { error: { code: -32600 } },
  ],
  ['another path', { path: '/nope' }, 404, { error: { message: expect.stringContaining('/mcp') } }],
  ['a path that cannot be decoded', { path: '/%E0%A4%A' }, 400, { error: { code: -32600 } }],
  ['another method', { method: 'PUT' }, 405, { error: { code: -32600 } }],
  ['a preflight', { method: 'OPTIONS' }, 405, { error: { code: -32600 } }],
])(
  '%s is refused',
  async (_name, { body = initialize(), headers, path = '/mcp', method = 'POST' }, status, reply) => {
    const { port, handler } = await openEndpoint();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    const given = await json(response);
    expect(given).toMatchObject({ jsonrpc: '2.0', ...reply });
    expect(JSON.stringify(given)).not.toMatch(/node_modules|\bat \w+ \(/);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(handler.sessions).toEqual([]);
  },
);

test.each<[string, string, object]>([
  ['no JSON', '{"jsonrpc"', { error: { code: -32700 } }],
  ['an object that is no message', '{"level":"info"}', { error: { code: -32600 } }],
  ['a request without a version', '{"id":5,"method":"ping"}', { id: 5, error: { code: -32600 } }],
  ['a batch', `[${rpc({ id: 1, method: 'ping' })}]`, { error: { code: -32600 } }],
])('%s in a session is a 400, and the session lives on', async (_name, body, reply) => {
  const { open } = await openEndpoint();
  const session = await open();
  const response = await session.post(body);
  expect([response.status, await json(response)]).toEqual([400, expect.objectContaining({ jsonrpc: '2.0' })]);
  expect(await json(await session.post(body))).toMatchObject(reply);
  expect(await json(await session.post(rpc({ id: 1, method: 'echo' })))).toMatchObject({ id: 1, result: {} });
});

test('a second initialize in a session is refused, and so is an id that is in use', async () => {
  const { open, handler } = await openEndpoint();
  const session = await open();
  expect(await json(await session.post(initialize('2025-11-25', 3)))).toMatchObject({
    id: 3,
    error: { code: -32600 },
  });
  const first = session.post(rpc({ id: 1, method: 'hang' }));
  await eventually(() => handler.exchanges.length).toBe(1);
  expect(await json(await session.post(rpc({ id: 1, method: 'echo' })))).toMatchObject({
    id: 1,
    error: { code: -32600 },
  });
  await session.post(rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  expect(handler.exchanges.map(({ method }) => method)).toEqual(['hang']);
  expect(await (await first).text()).toBe('');
});

test('a body over the limit is a 413 that names it, however it is sent', async () => {
  const { open, port } = await openEndpoint();
  const session = await open();
  const body = rpc({ id: 1, method: 'echo', params: { x: 'x'.repeat(3_000_000) } });
  const response = await session.post(body);
  expect(response.status).toBe(413);
  expect(await json(response)).toMatchObject({
    error: { code: -32600, message: expect.stringContaining('limits.frameBytes') },
  });
  const chunked = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-session-id': session.id },
    body: new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.alloc(60_000, 'x'));
        controller.enqueue(Buffer.alloc(60_000, 'x'));
        controller.close();
      },
    }),
    duplex: 'half',
  });
  expect(chunked.status).toBe(413);
  expect(await json(await session.post(rpc({ id: 2, method: 'echo' })))).toMatchObject({ id: 2 });
});

test('a body that is no UTF-8 is a parse error; one split inside a character is not (C17)', async () => {
  const { open, port, post } = await openEndpoint();
  expect(await json(await post(Buffer.from([0x22, 0xff, 0x22]) as unknown as string))).toMatchObject({
    error: { code: -32700 },
  });
  const session = await open();
  const params = { text: 'Prüfe — 確認 🙂' };
  const bytes = Buffer.from(rpc({ id: 1, method: 'echo', params }));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-session-id': session.id },
    body: new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    }),
    duplex: 'half',
  });
  expect(await json(response)).toEqual({ jsonrpc: '2.0', id: 1, result: params });
});

test('DELETE ends the session: 204, then 404; what was open is aborted and refused', async () => {
  const { open, handler, fetch } = await openEndpoint();
  const session = await open();
  const other = await open();
  const hanging = session.post(rpc({ id: 1, method: 'hang' }));
  await eventually(() => handler.exchanges.length).toBe(1);
  const gone = await session.delete();
  expect([gone.status, await gone.text()]).toEqual([204, '']);
  expect(handler.exchanges[0]?.signal.aborted).toBe(true);
  expect((await hanging).status).toBe(404);
  expect(handler.endings).toEqual(['The host ended the session.']);
  for (const response of [
    await session.post(rpc({ id: 2, method: 'ping' })),
    await session.get(),
    await session.delete(),
  ]) {
    expect(response.status).toBe(404);
  }
  expect((await fetch({ method: 'DELETE' })).status).toBe(400);
  expect((await other.post(rpc({ id: 2, method: 'ping' }))).status).toBe(200);
});

test.each([
  ['127.0.0.1', 200],
  ['localhost', 200],
  ['[::1]', 200],
  ['evil.example', 403],
  [undefined, 403],
])('Host: %s is answered %i', async (host, status) => {
  const { port } = await openEndpoint();
  const body = initialize();
  const head = `POST /mcp HTTP/1.0\r\n${host === undefined ? '' : `Host: ${host}:${port}\r\n`}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  expect(await raw(port, head + body)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('what is not an HTTP is answered in the same shape', async () => {
  const { port } = await openEndpoint();
  const answer = await raw(port, 'NONSENSE\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    jsonrpc: '2.0',
    error: { code: -32600 },
  });
});

test('a batch of notices is a 202 at 2025-03-26; one with requests has its responses in one array', async () => {
  const { open } = await openEndpoint();
  const session = await open('2025-03-26');
  const notices = await session.post(`[${rpc({ method: 'notifications/x' })},${rpc({ id: 1, result: {} })}]`);
  expect(notices.status).toBe(202);
  const response = await session.post(
    `[${rpc({ id: 1, method: 'echo', params: { n: 1 } })},${rpc({ method: 'notifications/x' })},{"id":2},${rpc({ id: 3, method: 'ping' })}]`,
  );
  expect(response.headers.get('content-type')).toBe('application/json');
  const answers = (await response.json()) as Json[];
  expect(answers.sort((a, b) => Number(a['id']) - Number(b['id']))).toEqual([
    { jsonrpc: '2.0', id: 1, result: { n: 1 } },
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: expect.any(String) } },
    { jsonrpc: '2.0', id: 3, result: {} },
  ]);
});

test('fifty requests at once, each with its own result', async () => {
  const waiting: (() => void)[] = [];
  const { open } = await openEndpoint({
    handler: createHandler({
      slow: ({ params }) => new Promise((resolve) => waiting.push(() => resolve({ result: params ?? '{}' }))),
    }),
  });
  const session = await open();
  const posts = Array.from({ length: 50 }, (_, n) =>
    session.post(rpc({ id: n, method: 'slow', params: { n } })),
  );
  await eventually(() => waiting.length).toBe(50);
  for (const finish of waiting.reverse()) finish();
  const answers = await Promise.all(posts.map(async (response) => json(await response)));
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => ({ jsonrpc: '2.0', id: n, result: { n } })));
});

/** Sends bytes on a bare socket and reads until it closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
