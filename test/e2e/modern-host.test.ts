// A stateless host at a real mcpx: raw HTTP in front, a fixture upstream of either era behind.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, test } from 'vitest';
import { made } from '../host/modern/support.ts';
import type { Json } from '../host/support.ts';
import { startGateway } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

async function gatewayTo(revision: string, transport: 'http' | 'stdio') {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport, revision });
  const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
  const send = async (method: string, params: Json = {}, headers: Record<string, string> = {}) => {
    const request = made(method, params);
    const accept = 'application/json, text/event-stream';
    const response = await fetch(gateway.url, {
      method: 'POST',
      body: request.body,
      headers: { 'content-type': 'application/json', accept, ...request.headers, ...headers },
    });
    return { status: response.status, message: (await response.json()) as Json };
  };
  /** The data of the events on the response to a request, one at a time. */
  const stream = async (method: string, params: Json): Promise<AsyncIterator<Json>> => {
    const { body, headers } = made(method, params);
    const cut = new AbortController();
    scope.defer(() => cut.abort());
    const accept = 'application/json, text/event-stream';
    const response = await fetch(gateway.url, {
      method: 'POST',
      body,
      signal: cut.signal,
      headers: { 'content-type': 'application/json', accept, ...headers },
    });
    const events = response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    return (async function* () {
      for await (const { data } of events ?? []) yield JSON.parse(data) as Json;
    })();
  };
  return { upstream, send, stream };
}

test.each([
  ['2026-07-28', 'http'],
  ['2026-07-28', 'stdio'],
  ['2025-11-25', 'http'],
  ['2024-11-05', 'stdio'],
] as const)('before an upstream of %s over %s', async (revision, transport) => {
  const { send } = await gatewayTo(revision, transport);
  const results = {
    'server/discover': 'DiscoverResult',
    'tools/list': 'ListToolsResult',
    'prompts/list': 'ListPromptsResult',
    'resources/list': 'ListResourcesResult',
    'resources/templates/list': 'ListResourceTemplatesResult',
  };
  for (const [method, type] of Object.entries(results)) {
    const { status, message } = await send(method);
    expect([method, status]).toEqual([method, 200]);
    expect(lintIfPresent('2026-07-28', type, message['result'])).toEqual([]);
  }
  const read = await send('resources/read', { uri: 'mem://there' });
  expect(lintIfPresent('2026-07-28', 'ReadResourceResult', read.message['result'])).toEqual([]);
  const error = encodeURIComponent('{"code":-32002,"message":"Resource not found"}');
  const missing = await send('resources/read', { uri: `mem://fail?error=${error}` });
  expect([missing.status, missing.message['error']]).toEqual([
    200,
    { code: -32602, message: 'Resource not found' },
  ]);
  const unknown = await send('logging/setLevel', { level: 'info' });
  expect([unknown.status, unknown.message['error']]).toMatchObject([404, { code: -32601 }]);
});

test('arguments that the upstream wants in headers are held to them', async () => {
  const { send, upstream } = await gatewayTo('2026-07-28', 'http');
  const given = { name: 'headers', arguments: { region: 'Île', count: 3, where: { zone: 'z' } } };
  const mirrored = {
    'mcp-param-region': '=?base64?w45sZQ==?=',
    'mcp-param-count': '3',
    'mcp-param-zone': 'z',
  };
  await send('tools/list');
  const wrong = await send('tools/call', given, { ...mirrored, 'mcp-param-count': '4' });
  expect([wrong.status, wrong.message['error']]).toMatchObject([400, { code: -32020 }]);
  expect((await send('tools/call', given)).status).toBe(400);
  expect(upstream.messages().filter(({ method }) => method === 'tools/call')).toEqual([]);
  const { status, message } = await send('tools/call', given, mirrored);
  expect([status, JSON.stringify(message['result'])]).toEqual([
    200,
    expect.stringContaining('mcp-param-region'),
  ]);
  expect(lintIfPresent('2026-07-28', 'CallToolResult', message['result'])).toEqual([]);
});

test.each([
  ['2026-07-28', 'http'],
  ['2026-07-28', 'stdio'],
  ['2025-11-25', 'http'],
  ['2025-11-25', 'stdio'],
] as const)(
  'changes at an upstream of %s over %s are told to those who listen',
  async (revision, transport) => {
    const { send, stream, upstream } = await gatewayTo(revision, transport);
    const events = await stream('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['mem://one'] },
    });
    expect((await events.next()).value).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
    const watched = ['resources/subscribe', 'subscriptions/listen'];
    await upstream.message(
      'the subscription',
      ({ method, params }) =>
        watched.includes(String(method)) && JSON.stringify(params).includes('mem://one'),
    );
    await send('tools/call', { name: 'add-tool' });
    expect((await events.next()).value).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    });
  },
);
