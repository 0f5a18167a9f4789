// 2026-07-28 over HTTP: headers that repeat the body, streams that break, statuses, and a server that is no longer what it was.
import { expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { type Answer, event, type Hit, httpDouble, json, result, sse } from './http-double.ts';
import { configOf, httpServer, type Opened, type OpenOptions, open, resultOf, textOf } from './open.ts';

const signal = new AbortController().signal;

async function modern(
  flags: readonly string[] = [],
  options: OpenOptions = {},
): Promise<Opened & { upstream: FixtureUpstream }> {
  const upstream = await fixtureUpstream(testScope(), { transport: 'http', revision: '2026-07-28', flags });
  return { upstream, ...(await open(configOf(upstream, 'modern'), options)) };
}

const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

/** A modern server in the test itself; `answer` is asked for everything but server/discover and the tool list. */
async function modernDouble(
  answer: Answer,
  options: OpenOptions = {},
): Promise<Opened & { hits: Hit[]; url: string }> {
  const { url, hits } = await httpDouble((hit, res) => {
    const { id, method } = hit.message;
    if (method === 'server/discover') return json(res, result(id, DISCOVERED));
    if (method === 'tools/list') return json(res, result(id, { resultType: 'complete', tools: [] }));
    return answer(hit, res);
  });
  return { hits, url, ...(await open({ ...httpServer(url), era: 'modern' }, options)) };
}

const headersOf = async ({ call }: Opened, args: unknown): Promise<Record<string, string>> =>
  JSON.parse(textOf(await call('headers', args)));

test('each POST says revision, method and name; a name that no header can carry goes in Base64', async () => {
  const { connection, upstream } = await modern();
  await connection.request('resources/read', '{"uri":"fixture://text/1"}', { signal });
  await connection.request('prompts/get', '{"name":" Grüße ","arguments":{}}', { signal });
  await connection.request('tools/call', '{"name":"=?base64?eA==?=","arguments":{}}', { signal });
  await connection.request(
    'completion/complete',
    '{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"a"}}',
    { signal },
  );
  const said = upstream
    .journal()
    .map(({ headers }) => [
      headers?.['mcp-protocol-version'],
      headers?.['mcp-method'],
      headers?.['mcp-name'],
    ]);
  expect(said.filter(([, method]) => method !== 'tools/list')).toEqual([
    ['2026-07-28', 'server/discover', undefined],
    ['2026-07-28', 'resources/read', 'fixture://text/1'],
    ['2026-07-28', 'prompts/get', '=?base64?IEdyw7zDn2Ug?='],
    ['2026-07-28', 'tools/call', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['2026-07-28', 'completion/complete', undefined],
  ]);
  expect(upstream.journal().every(({ headers }) => headers?.['mcp-session-id'] === undefined)).toBe(true);
});

test('annotated arguments are mirrored, also where the tool was never listed', async () => {
  const opened = await modern();
  const headers = await headersOf(opened, {
    region: 'Köln',
    count: 5.0,
    flag: false,
    where: { zone: ' z ' },
    plain: 'p',
  });
  expect(headers).toMatchObject({
    'mcp-param-region': '=?base64?S8O2bG4=?=',
    'mcp-param-count': '5',
    'mcp-param-flag': 'false',
    'mcp-param-zone': '=?base64?IHog?=',
  });
  expect(await headersOf(opened, { region: null })).not.toHaveProperty('mcp-param-region');
  expect(await headersOf(opened, {})).not.toHaveProperty('mcp-param-zone');
  // One list serves them all, and a tool that is in no list is called all the same.
  expect(await opened.call('no-such-tool')).toMatchObject({ error: expect.stringContaining('Unknown tool') });
  const lists = opened.upstream.messages().filter(({ method }) => method === 'tools/list');
  expect(lists).toHaveLength(1);
});

test('a list that a host asked for is learnt from, page by page', async () => {
  const opened = await modern(['--page-size', '30']);
  const { connection, upstream } = opened;
  const first = resultOf(await connection.request('tools/list', undefined, { signal })) as {
    nextCursor?: string;
  };
  await connection
    .request('tools/list', JSON.stringify({ cursor: first.nextCursor }), { signal })
    .catch(() => {});
  const before = upstream.messages().length;
  expect(await headersOf(opened, { region: 'x' })).toHaveProperty('mcp-param-region', 'x');
  expect(upstream.messages().length).toBe(before + 1);
});

test('after a header mismatch the tools are listed again and the call is sent once more', async () => {
  const opened = await modern();
  await headersOf(opened, { region: 'x' });
  await opened.call('re-annotate', { from: 'Region', to: 'Area' });
  expect(await headersOf(opened, { region: 'x' })).toHaveProperty('mcp-param-area', 'x');
  const methods = opened.upstream.messages().map(({ method }) => method);
  expect(methods.slice(-3)).toEqual(['tools/call', 'tools/list', 'tools/call']);
});

test('a mismatch that listing does not mend is passed on, without another try', async () => {
  const error = { code: -32020, message: 'Header mismatch: of its own making' };
  const { call, hits } = await modernDouble(({ message }, res) =>
    json(res, { jsonrpc: '2.0', id: message.id, error }, 400),
  );
  expect(await call('x')).toEqual({ error: JSON.stringify(error) });
  expect(hits.filter(({ message }) => message.method === 'tools/call')).toHaveLength(1);
});

test('tools whose annotations are wrong are left out of the list, and named in the log once', async () => {
  const { connection, log } = await modern(['--invalid-tools']);
  for (let turn = 0; turn < 2; turn += 1) {
    const { tools } = resultOf(await connection.request('tools/list', undefined, { signal })) as {
      tools: { name: string }[];
    };
    const names = tools.map(({ name }) => name);
    expect(names).toContain('headers');
    expect(names.filter((name) => name.startsWith('wrong'))).toEqual([]);
  }
  const warned = log.lines.filter(
    ({ level, message }) => level === 'warn' && message.includes('x-mcp-header'),
  );
  expect(warned.map(({ fields }) => fields['tool'])).toEqual([
    'wrong-empty',
    'wrong-space',
    'wrong-line',
    'wrong-type',
    'wrong-number',
    'wrong-object',
    'wrong-twice',
    'wrong-items',
    'wrong-any-of',
    'wrong-defs',
  ]);
});

test('a stream that ends before the reply fails the request, and is not resumed', async () => {
  const { call, upstream, connection } = await modern();
  await expect(call('break-stream')).rejects.toThrow(
    'linear: the stream of tools/call ended before the reply',
  );
  expect(upstream.journal().filter(({ via }) => via === 'GET')).toEqual([]);
  expect(connection.closed).toBe(false);
  expect(textOf(await call('slow'))).toBe('done');
});

test('event ids and retry fields of such a stream are of no consequence', async () => {
  const { call, hits } = await modernDouble((_, res) => sse(res).end('retry: 1\nid: e-1\ndata:\n\n'));
  await expect(call('x')).rejects.toThrow('ended before the reply');
  expect(hits.map(({ method }) => method).filter((method) => method !== 'POST')).toEqual([]);
});

test('a stream may bring notices, comments and the reply, and stay open', async () => {
  const { call, notices, hits } = await modernDouble(({ message }, res) => {
    sse(res).write(
      `: hello\n\n${event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } })}`,
    );
    res.write(event(result(message.id)));
  });
  expect(textOf(await call('x', {}, 'ticket'))).toBe('done');
  expect(notices).toMatchObject([{ method: 'notifications/message', origin: 'ticket' }]);
  await until('its end', () => hits.at(-1)?.gone === true);
});

test.each<[string, number, unknown, string | RegExp]>([
  [
    'an error with its id',
    404,
    { jsonrpc: '2.0', id: 'ours', error: { code: -32601, message: 'no such method' } },
    'reply',
  ],
  ['an error without an id', 400, { jsonrpc: '2.0', error: { code: -32602, message: 'wrong' } }, 'reply'],
  ['a status with a page', 502, '<html>', 'linear: answered HTTP 502'],
  [
    'a success without a reply',
    200,
    { jsonrpc: '2.0', id: 'other', result: {} },
    'linear: replied with an id that mcpx never sent',
  ],
])('%s', async (_, status, body, expected) => {
  const { call, connection } = await modernDouble(({ message }, res) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body).replace('"ours"', String(message.id));
    res
      .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
      .end(text);
  });
  const reply = call('x');
  if (expected === 'reply') {
    const { error } = body as { error: unknown };
    expect(await reply).toEqual({ error: JSON.stringify(error) });
  } else await expect(reply).rejects.toThrow(expected);
  expect(connection.closed).toBe(false);
});

test('a body or an event over the limit fails the request alone', async () => {
  const { call, connection } = await modern([], { frameBytes: 20_000 });
  await expect(call('big', { bytes: 30_000 })).rejects.toThrow('larger than limits.frameBytes (20000 bytes)');
  const lines = [`{"jsonrpc":"2.0","method":"x","params":{"x":"${'y'.repeat(300_000)}"}}`];
  await expect(call('raw-lines', { lines, gate: 'never' })).rejects.toThrow('larger than limits.frameBytes');
  expect(textOf(await call('slow'))).toBe('done');
  expect(connection.closed).toBe(false);
});

test('an endpoint that has become a legacy server ends the connection, so that the next one speaks its era', async () => {
  let legacy = false;
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request' } };
  const { url } = await httpDouble(({ message }, res) => {
    if (legacy && message.method !== 'initialize') return json(res, refusal, 400);
    return message.method === 'server/discover' && json(res, result(message.id, DISCOVERED));
  });
  const { connection, call, closed } = await open(httpServer(url), { prefer: 'modern' });
  expect(connection.info.revision).toBe('2026-07-28');
  await call('x');
  legacy = true;
  expect(await call('x')).toEqual({ error: '{"code":-32000,"message":"Bad Request"}' });
  await until('the end of the connection', () => connection.closed);
  expect(closed).toEqual(['it no longer speaks 2026-07-28']);
  await expect(call('x')).rejects.toThrow('linear: it no longer speaks 2026-07-28');
});

test('a request whose version is refused by a server that names it is sent once more', async () => {
  const data = { supported: ['2026-07-28'], requested: '2026-07-28' };
  const error = { code: -32022, message: 'Unsupported protocol version', data };
  let refusals = 1;
  const { call, connection, hits } = await modernDouble(({ message }, res) => {
    if (refusals === 0) return json(res, result(message.id));
    refusals -= 1;
    return json(res, { jsonrpc: '2.0', id: message.id, error }, 400);
  });
  expect(textOf(await call('x'))).toBe('done');
  refusals = 2;
  expect(await call('x')).toEqual({ error: JSON.stringify(error) });
  expect(hits.filter(({ message }) => message.method === 'tools/call')).toHaveLength(4);
  expect(connection.closed).toBe(false);
});

test('one strange answer of a server that is still modern ends nothing', async () => {
  const { call, connection, hits } = await modernDouble((_, res) => res.writeHead(404).end('no such page'));
  await expect(call('x')).rejects.toThrow('linear: answered HTTP 404: no such page');
  await until(
    'the question whether it is',
    () => hits.filter(({ message }) => message.method === 'server/discover').length === 2,
  );
  await expect(call('y')).rejects.toThrow('HTTP 404');
  expect(connection.closed).toBe(false);
});

test('configured headers go along, but not those that the protocol sets', async () => {
  const { url, hits } = await httpDouble(({ message }, res) =>
    json(res, result(message.id, message.method === 'server/discover' ? DISCOVERED : undefined)),
  );
  const seen = {
    'mcp-name': 'forged',
    'Mcp-Param-X': 'forged',
    'MCP-Method': 'forged',
    authorization: 'Bearer t',
  };
  const { log, call } = await open({ ...httpServer(url, seen), era: 'modern' });
  await call('real');
  expect(hits.at(-1)?.headers).toMatchObject({
    'mcp-name': 'real',
    'mcp-method': 'tools/call',
    authorization: 'Bearer t',
  });
  expect(hits.at(-1)?.headers).not.toHaveProperty('mcp-param-x');
  expect(log.lines[0]?.fields).toMatchObject({ headers: 'mcp-name, Mcp-Param-X, MCP-Method' });
});

test('the end of the connection closes what is open', async () => {
  const { call, connection, upstream, closed } = await modern();
  const open = expect(call('slow', { gate: 'never' })).rejects.toThrow('linear: done with it');
  await upstream.message('the call', ({ params }) => JSON.stringify(params).includes('never'));
  await connection.close('done with it');
  await open;
  await until('the end of the response', () => upstream.journal().some(({ via }) => via === 'close'));
  expect(closed).toEqual(['done with it']);
});

test('200 calls at once on one connection, each with its own answer and notices', async () => {
  const { connection, notices } = await modern();
  const calls = Array.from({ length: 200 }, async (_, index) => {
    const params = JSON.stringify({
      name: 'progress',
      arguments: { count: 1, message: `m${index}` },
      _meta: { progressToken: index },
    });
    const own = new AbortController().signal;
    return textOf(await connection.request('tools/call', params, { signal: own, ticket: `t${index}` }));
  });
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['sent 1']));
  expect(notices).toHaveLength(200);
  for (const { params, origin } of notices) expect(`t${JSON.parse(params ?? '').progressToken}`).toBe(origin);
});
