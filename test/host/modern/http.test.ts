// Stateless hosts over HTTP: envelopes and headers, responses that become streams, and how a request is given up.
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { errorReply } from '../../../src/protocol/message.ts';
import { initialize, type Json, openEndpoint, rpc } from '../support.ts';
import { call, DONE, envelope, MODERN, made, SERVED_BY, statelessDouble } from './support.ts';

const open = async (options: Parameters<typeof statelessDouble>[0] = {}) => {
  const handler = statelessDouble(options);
  return { ...(await openEndpoint({ handler })), handler };
};
const json = async (response: Response): Promise<Json> => (await response.json()) as Json;
const codeOf = (message: Json): unknown => (message['error'] as Json | undefined)?.['code'];
const PROGRESS = '{"progressToken":1,"progress":1}';

describe('a request that is in order', () => {
  test('is served without a session, and named by mcpx', async () => {
    const { post, handler } = await open();
    const { body, headers } = call('a', { arguments: { n: 1 } }, 'x');
    const response = await post(body, headers);
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await json(response)).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: { content: [], resultType: 'complete', _meta: SERVED_BY },
    });
    expect(handler.requests[0]).toMatchObject({
      method: 'tools/call',
      streams: true,
      facts: {
        revision: MODERN,
        clientName: 'test-host',
        capabilities: { elicitation: {} },
        principal: 'local',
        transport: 'http',
      },
      inputResponses: undefined,
      requestState: undefined,
      logLevel: undefined,
    });
    expect(handler.sessions).toEqual([]);
  });

  test('reaches the relay as it was written, but for the envelope', async () => {
    const { post, handler } = await open();
    const meta = JSON.stringify(envelope({ 'io.modelcontextprotocol/logLevel': 'info' })).slice(1, -1);
    const body = `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{ "arguments":{"n":1.0,"n":2},
      "_meta":{"traceparent":"t",${meta},"progressToken":7}, "inputResponses":{ "q":{"action":"accept"} },"name":"a" ,"requestState":"s\\u00e9" }}`;
    const response = await post(body, call('a').headers);
    expect(await response.text()).toMatch(/^\{"jsonrpc":"2.0","id":9007199254740993,/);
    expect(handler.requests[0]).toMatchObject({
      params:
        '{ "arguments":{"n":1.0,"n":2},      "_meta":{"traceparent":"t","progressToken":7},"name":"a" }',
      inputResponses: '{ "q":{"action":"accept"} }',
      requestState: 'sé',
      logLevel: 'info',
    });
  });

  test('needs no client name, and has no _meta left where the envelope was all', async () => {
    const { post, handler } = await open();
    const { body, headers } = made('tools/list', {
      _meta: { 'io.modelcontextprotocol/clientInfo': undefined },
    });
    expect((await post(body, headers)).status).toBe(200);
    expect(handler.requests[0]?.params).toBe('{}');
    expect(handler.requests[0]?.facts.clientName).toBe('');
  });

  test('server/discover tells what is spoken here, and that it may change', async () => {
    const { post } = await open({ welcome: { capabilities: '{"tools":{}}', instructions: 'Ask "first".' } });
    const { body, headers } = made('server/discover');
    expect((await json(await post(body, headers)))['result']).toEqual({
      resultType: 'complete',
      supportedVersions: [MODERN, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      capabilities: { tools: {} },
      instructions: 'Ask "first".',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: SERVED_BY,
    });
  });

  test('a session id is ignored, and a legacy session goes on beside it', async () => {
    const endpoint = await open();
    const session = await endpoint.open('2025-06-18');
    const { body, headers } = call('a');
    expect((await session.post(body, headers)).status).toBe(200);
    expect((await endpoint.post(body, { ...headers, 'mcp-session-id': 'gone' })).status).toBe(200);
    const listed = await session.post(rpc({ id: 2, method: 'tools/list' }));
    expect(await json(listed)).toEqual({ jsonrpc: '2.0', id: 2, result: { tools: [] } });
    expect([endpoint.handler.requests.length, endpoint.handler.exchanges.length]).toEqual([2, 1]);
  });

  test('two hosts may have the same id open at once', async () => {
    const { post, handler } = await open();
    const { body, headers } = call('held');
    const responses = [post(body, headers), post(body, headers)];
    (await handler.held(1)).finish({ result: '{"n":1,"resultType":"complete"}' });
    (await handler.held(0)).finish({ result: '{"n":0,"resultType":"complete"}' });
    const results = await Promise.all(
      responses.map(async (response) => (await json(await response))['result']),
    );
    expect(results.map((result) => (result as Json)['n']).sort()).toEqual([0, 1]);
  });
});

describe('a request that is not', () => {
  const base = call('a', { arguments: {} });
  const { 'mcp-method': _m, ...noMethod } = base.headers;
  const { 'mcp-name': _n, ...noName } = base.headers;
  const { 'mcp-protocol-version': _v, ...noVersion } = base.headers;
  const meta = (more: Json): string => made('tools/call', { name: 'a', _meta: more }).body;
  const P = 'io.modelcontextprotocol/';
  const read = made('resources/read', { uri: 'file:///ü' });

  test.each<[string, string, Record<string, string>, number, number]>([
    ['no _meta', rpc({ id: 1, method: 'tools/call', params: { name: 'a' } }), base.headers, 400, -32602],
    ['no params', rpc({ id: 1, method: 'tools/list' }), base.headers, 400, -32602],
    [
      '_meta that is not an object',
      rpc({ id: 1, method: 'tools/list', params: { _meta: 1 } }),
      base.headers,
      400,
      -32602,
    ],
    ['no version in _meta', meta({ [`${P}protocolVersion`]: undefined }), base.headers, 400, -32602],
    ['a version that is not a string', meta({ [`${P}protocolVersion`]: 7 }), base.headers, 400, -32602],
    ['no capabilities', meta({ [`${P}clientCapabilities`]: undefined }), base.headers, 400, -32602],
    ['capabilities that are none', meta({ [`${P}clientCapabilities`]: true }), base.headers, 400, -32602],
    ['client info that is none', meta({ [`${P}clientInfo`]: 'me' }), base.headers, 400, -32602],
    ['an unknown log level', meta({ [`${P}logLevel`]: 'loud' }), base.headers, 400, -32602],
    ['inputResponses that are none', call('a', { inputResponses: [] }).body, base.headers, 400, -32602],
    ['a requestState that is none', call('a', { requestState: 1 }).body, base.headers, 400, -32602],
    ['no version header', base.body, noVersion, 400, -32020],
    [
      'another version in the header',
      base.body,
      { ...base.headers, 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['no method header', base.body, noMethod, 400, -32020],
    ['another method in the header', base.body, { ...base.headers, 'mcp-method': 'tools/list' }, 400, -32020],
    ['the method in another case', base.body, { ...base.headers, 'mcp-method': 'Tools/Call' }, 400, -32020],
    ['no name header', base.body, noName, 400, -32020],
    ['another name in the header', base.body, { ...base.headers, 'mcp-name': 'b' }, 400, -32020],
    [
      'a name header that is no Base64',
      base.body,
      { ...base.headers, 'mcp-name': '=?base64?YQ?=' },
      400,
      -32020,
    ],
    [
      'a prompt without its header',
      made('prompts/get', { name: 'p' }).body,
      { ...noName, 'mcp-method': 'prompts/get' },
      400,
      -32020,
    ],
    ['another uri in the header', read.body, { ...read.headers, 'mcp-name': 'file:///u' }, 400, -32020],
    [
      'a later version',
      meta({ [`${P}protocolVersion`]: '2099-01-01' }),
      { ...base.headers, 'mcp-protocol-version': '2099-01-01' },
      400,
      -32022,
    ],
    [
      'an older version',
      meta({ [`${P}protocolVersion`]: '2025-11-25' }),
      { ...base.headers, 'mcp-protocol-version': '2025-11-25' },
      400,
      -32022,
    ],
    ['a key twice', base.body.replace('"name":"a"', '"name":"a","name":"b"'), base.headers, 400, -32600],
    [
      'a key of the envelope twice',
      base.body.replace('"_meta":{', `"_meta":{"${P}clientCapabilities":{},`),
      base.headers,
      400,
      -32600,
    ],
  ])('%s is refused', async (_what, body, headers, status, code) => {
    const { post, handler } = await open();
    const response = await post(body, headers);
    const message = await json(response);
    expect([response.status, codeOf(message), message['id']]).toEqual([status, code, 1]);
    expect(handler.requests).toEqual([]);
  });

  test('an unsupported version is told those that are', async () => {
    const { post } = await open();
    const { body, headers } = made('server/discover', { _meta: { [`${P}protocolVersion`]: '1900-01-01' } });
    const message = await json(await post(body, { ...headers, 'mcp-protocol-version': '1900-01-01' }));
    expect((message['error'] as Json)['data']).toEqual({
      supported: [MODERN, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      requested: '1900-01-01',
    });
  });

  test.each([
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/list',
    'toString',
    'x/y',
  ])('%s is not a method', async (method) => {
    const { post, handler } = await open();
    const { body, headers } = made(method, { protocolVersion: MODERN, name: 'a' });
    const response = await post(body, headers);
    expect([response.status, codeOf(await json(response))]).toEqual([404, -32601]);
    expect([handler.requests, handler.sessions]).toEqual([[], []]);
  });

  test.each<[string, string, Record<string, string>]>([
    ['a batch', `[${base.body}]`, base.headers],
    ['a batch under no header', `[${base.body}]`, {}],
    ['a response', rpc({ id: 1, result: {} }), base.headers],
    ['what is no message', '{"jsonrpc":"2.0","id":1}', base.headers],
  ])('%s is refused', async (_what, body, headers) => {
    const { post } = await open();
    const response = await post(body, headers);
    expect([response.status, codeOf(await json(response))]).toEqual([400, -32600]);
  });

  test('what is no JSON is refused', async () => {
    const { post } = await open();
    const response = await post('{', base.headers);
    expect([response.status, codeOf(await json(response))]).toEqual([400, -32700]);
  });
});

test('GET and DELETE are no methods of this era', async () => {
  const { fetch } = await open();
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch({
      method,
      headers: { accept: 'text/event-stream', 'mcp-protocol-version': MODERN },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test('a notification is taken and comes to nothing', async () => {
  const { post, handler } = await open();
  const running = post(...pair(call('held')));
  const { request, finish } = await handler.held();
  const response = await post(rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }), {
    'mcp-protocol-version': MODERN,
  });
  expect([response.status, await response.text()]).toEqual([202, '']);
  expect(request.signal.aborted).toBe(false);
  finish();
  expect((await running).status).toBe(200);
  expect(handler.notifications).toEqual([]);
});

test('initialize with half an envelope is the handshake it always was', async () => {
  const { post, handler } = await open();
  const message = JSON.parse(initialize('2025-06-18')) as { params: Json };
  message.params['_meta'] = { 'io.modelcontextprotocol/protocolVersion': '2025-06-18' };
  const response = await post(JSON.stringify(message));
  expect(response.headers.get('mcp-session-id')).not.toBeNull();
  expect(handler.sessions).toHaveLength(1);
});

describe('errors of the relay', () => {
  test.each([
    [-32601, 404],
    [-32021, 400],
    [-32602, 200],
    [-32603, 200],
    [7, 200],
    // What the specification keeps for itself, or has given up, is not sent.
    [-32020, 200, -32603],
    [-32002, 200, -32602],
  ])('%i goes with HTTP %i', async (code, status, sent = code) => {
    const { post } = await open({ tools: { bad: () => errorReply(code, 'No.', '{"n":1.0}') } });
    const response = await post(...pair(call('bad')));
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(
      `{"jsonrpc":"2.0","id":1,"error":{"code":${sent},"message":"No.","data":{"n":1.0}}}`,
    );
  });

  test('one that throws is an internal error, without its words', async () => {
    const { post } = await open({
      tools: {
        bad: () => {
          throw new Error('secret');
        },
      },
    });
    const message = await json(await post(...pair(call('bad'))));
    expect(message['error']).toEqual({ code: -32603, message: 'Something went wrong inside mcpx.' });
  });
});

describe('responses', () => {
  test('become a stream with the first thing to say, without event ids', async () => {
    const { stream, handler } = await open();
    const reading = stream(...pair(call('held')));
    const { request, finish } = await handler.held();
    request.notify('notifications/progress', PROGRESS);
    const events = await reading;
    expect(events.response.headers.get('x-accel-buffering')).toBe('no');
    expect(events.response.headers.get('cache-control')).toContain('no-cache');
    expect(await events.next()).toEqual({
      id: undefined,
      data: { jsonrpc: '2.0', method: 'notifications/progress', params: JSON.parse(PROGRESS) },
    });
    // Its status can no longer be told.
    finish(errorReply(-32601, 'No.'));
    expect((await events.next()).data).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(await events.ended).toBe(true);
    request.notify('notifications/progress', PROGRESS);
    expect(events.left).toBe(0);
  });

  test.each([
    ['application/json', 'application/json', false],
    ['text/event-stream', 'text/event-stream', true],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream', true],
    ['*/*', 'application/json', true],
  ])('Accept: %s is answered by %s', async (accept, type, streams) => {
    const { post, handler } = await open();
    const { body, headers } = call('a');
    const response = await post(body, { ...headers, accept });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toContain('"resultType":"complete"');
    expect(handler.requests[0]?.streams).toBe(streams);
    const refused = await post(body, { 'mcp-protocol-version': MODERN, accept });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json']);
  });

  test('a host that takes no stream is told nothing ahead', async () => {
    const { post, handler } = await open();
    const { body, headers } = call('held');
    const reading = post(body, { ...headers, accept: 'application/json' });
    const { request, finish } = await handler.held();
    request.notify('notifications/progress', PROGRESS);
    finish();
    expect(await json(await reading)).toMatchObject({ result: JSON.parse(DONE) });
  });

  test('that are long in coming become streams, and are kept alive every 15 s', async () => {
    const { stream, handler, clock } = await open();
    const reading = stream(...pair(call('held')));
    const { finish } = await handler.held();
    clock.advance(15_000);
    const events = await reading;
    expect(await events.comment()).toBe('');
    clock.advance(15_000);
    expect(await events.comment()).toBe('');
    finish();
    expect((await events.next()).data).toMatchObject({ id: 1 });
    expect(await events.ended).toBe(true);
  });

  test('log messages come from the level on that the request named', async () => {
    const { stream, handler } = await open();
    const log = (level: string) => JSON.stringify({ level, data: level });
    const reading = stream(
      ...pair(call('held', { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } })),
    );
    const { request, finish } = await handler.held();
    for (const level of ['info', 'loud', 'warning', 'emergency'])
      request.notify('notifications/message', log(level));
    finish();
    const events = await reading;
    expect((await events.next()).data?.['params']).toEqual(JSON.parse(log('warning')));
    expect((await events.next()).data?.['params']).toEqual(JSON.parse(log('emergency')));
    expect((await events.next()).data).toMatchObject({ id: 1 });

    const silent = open();
    const other = await silent;
    const plain = other.post(...pair(call('held')));
    const second = await other.handler.held();
    second.request.notify('notifications/message', log('emergency'));
    second.finish();
    expect((await plain).headers.get('content-type')).toBe('application/json');
  });
});

describe('giving up', () => {
  test('closing the stream cancels the request', async () => {
    const { stream, handler } = await open();
    const reading = stream(...pair(call('held')));
    const { request } = await handler.held();
    request.notify('notifications/progress', PROGRESS);
    (await reading).cut();
    await expect.poll(() => request.signal.aborted).toBe(true);
  });

  test('so does closing the connection while nothing has been said', async () => {
    const { handler, url } = await open();
    const { body, headers } = call('held');
    const sent = httpRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    });
    sent.on('error', () => {});
    sent.end(body);
    const { request } = await handler.held();
    sent.destroy();
    await expect.poll(() => request.signal.aborted).toBe(true);
    expect(request.signal.reason).toMatchObject({ code: 'interrupted' });
  });

  test('one host that goes away takes nothing from another', async () => {
    const { stream, post, handler } = await open();
    const cut = stream(...pair(call('held')));
    const { request } = await handler.held(0);
    const stays = post(...pair(call('held')));
    const other = await handler.held(1);
    request.notify('notifications/progress', PROGRESS);
    (await cut).cut();
    await expect.poll(() => request.signal.aborted).toBe(true);
    expect(other.request.signal.aborted).toBe(false);
    other.finish();
    expect((await stays).status).toBe(200);
  });

  test('a shut-down refuses what has no response yet, and ends streams', async () => {
    const { stream, post, handler, served } = await open();
    const plain = post(...pair(call('held', {}, 'p')));
    await handler.held(0);
    const reading = stream(...pair(call('held')));
    const second = await handler.held(1);
    second.request.notify('notifications/progress', PROGRESS);
    const events = await reading;
    await events.next();
    await served.close('mcpx is stopping.');
    const refused = await plain;
    expect([refused.status, await json(refused)]).toEqual([
      503,
      { jsonrpc: '2.0', id: 'p', error: { code: -32603, message: 'mcpx is stopping.' } },
    ]);
    await events.ended;
    expect(events.left).toBe(0);
    expect(second.request.signal.aborted).toBe(true);
  });
});

describe('Mcp-Param headers', () => {
  const schemas = {
    sql: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      },
    },
    odd: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
  };

  test.each<[string, string, Json | undefined, Record<string, string>, boolean]>([
    [
      'what the arguments say',
      'sql',
      { region: 'eu', deep: { n: 42 }, dry: true },
      { region: 'eu', n: '42', dry: 'true' },
      true,
    ],
    ['Base64', 'sql', { region: 'Hello' }, { region: '=?base64?SGVsbG8=?=' }, true],
    [
      'what only looks like Base64',
      'sql',
      { region: '=?base64?SGVsbG8=' },
      { region: '=?base64?SGVsbG8=' },
      true,
    ],
    ['an equal number', 'sql', { deep: { n: 42 } }, { n: '42.0' }, true],
    ['nothing for null', 'sql', { region: null }, {}, true],
    ['nothing for nothing', 'sql', undefined, {}, true],
    ['nothing for what is not a string', 'sql', { region: { a: 1 } }, {}, true],
    ['a header that nobody asked for', 'sql', {}, { other: 'x' }, true],
    ['a tool without a schema', 'none', { region: 'eu' }, {}, true],
    ['annotations that are none', 'odd', { a: 1 }, {}, true],
    ['a header that is missing', 'sql', { region: 'eu' }, {}, false],
    ['another value', 'sql', { region: 'eu' }, { region: 'us' }, false],
    ['another number', 'sql', { deep: { n: 42 } }, { n: '43' }, false],
    ['a number in another spelling', 'sql', { deep: { n: 42 } }, { n: '0x2a' }, false],
    ['another truth', 'sql', { dry: false }, { dry: 'true' }, false],
    ['Base64 without padding', 'sql', { region: 'Hello' }, { region: '=?base64?SGVsbG8?=' }, false],
    ['Base64 that is none', 'sql', { region: 'Hello' }, { region: '=?base64?SGVs!!!bG8=?=' }, false],
    ['a header without an argument', 'sql', {}, { region: 'eu' }, false],
  ])('%s', async (_what, name, given, values, fine) => {
    const { post, handler } = await open({ schemas });
    const { body, headers } = call(name, given === undefined ? {} : { arguments: given });
    const mirrored = Object.entries(values).map(([key, value]) => [`mcp-param-${key}`, value] as const);
    const response = await post(body, { ...headers, ...Object.fromEntries(mirrored) });
    expect([response.status, codeOf(await json(response))]).toEqual(fine ? [200, undefined] : [400, -32020]);
    expect(handler.requests).toHaveLength(fine ? 1 : 0);
  });
});

function pair({ body, headers }: ReturnType<typeof call>): [string, Record<string, string>] {
  return [body, headers];
}
