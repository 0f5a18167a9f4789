// The official client of 2026-07-28 as a host, over both transports: rounds, progress, subscriptions, giving up.
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/protocol/types.ts';
import { cleanEnv, ROOT } from '../../support/processes.ts';
import { testScope } from '../../support/scope.ts';
import { within } from '../../support/until.ts';
import { openEndpoint } from '../support.ts';
import { MODERN, statelessDouble } from './support.ts';

const FIXTURE = join(ROOT, 'fixtures', 'host', 'serve-stateless.mjs');
const QUESTION =
  '{"message":"Which?","requestedSchema":{"type":"object","properties":{"x":{"type":"string"}}}}';
const ask = (...keys: string[]): Reply => {
  const requests = keys.map(
    (key) => `${JSON.stringify(key)}:{"method":"elicitation/create","params":${QUESTION}}`,
  );
  return {
    result: `{"resultType":"input_required","inputRequests":{${requests.join()}},"requestState":"s"}`,
  };
};
const text = (value: string): Reply => ({
  result: `{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(value)}}]}`,
});
const said = (value: string) => expect.objectContaining({ content: [{ type: 'text', text: value }] });

type Options = ConstructorParameters<typeof Client>[1];

async function connect(
  transport: ConstructorParameters<typeof StreamableHTTPClientTransport>[0] | StdioClientTransport,
  options: Options = {},
): Promise<Client> {
  const client = new Client(
    { name: 'sdk', version: '2' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: MODERN } }, ...options },
  );
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { x: 'Prüfe 🙂' },
  }));
  await client.connect(transport instanceof URL ? new StreamableHTTPClientTransport(transport) : transport);
  testScope().defer(() => client.close());
  return client;
}

async function overHttp(options: Parameters<typeof statelessDouble>[0] = {}) {
  const handler = statelessDouble(options);
  const endpoint = await openEndpoint({ handler });
  return { handler, endpoint, client: await connect(new URL(endpoint.url)) };
}

test('over HTTP: a call, a round of two questions, progress, fifty at once', async () => {
  const { client, handler } = await overHttp({
    tools: {
      echo: ({ params }) => text(JSON.parse(params ?? '').arguments.text),
      ask: (request) => {
        if (request.inputResponses !== undefined)
          return text(`${request.requestState} ${request.inputResponses}`);
        const token = JSON.parse(request.params ?? '')._meta?.progressToken;
        if (token !== undefined)
          request.notify('notifications/progress', `{"progressToken":${JSON.stringify(token)},"progress":1}`);
        return ask('a', 'b.c');
      },
    },
  });
  expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
  expect(client.getServerVersion()).toMatchObject({ name: 'mcpx', version: '1.2.3' });
  expect(await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).toEqual(said('hi'));
  const progress: unknown[] = [];
  const answer = '{"action":"accept","content":{"x":"Prüfe 🙂"}}';
  const asked = await client.callTool({ name: 'ask' }, { onprogress: (given) => progress.push(given) });
  expect(asked).toEqual(said(`s {"a":${answer},"b.c":${answer}}`));
  expect(progress).toContainEqual({ progress: 1 });
  const many = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      client.callTool({ name: n % 2 ? 'ask' : 'echo', arguments: { text: `${n}` } }),
    ),
  );
  expect(many.filter(({ content }) => JSON.stringify(content).includes('accept'))).toHaveLength(25);
  expect(handler.requests.every(({ facts }) => facts.clientName === 'sdk')).toBe(true);
});

test('over HTTP: names that fit no header, and arguments that are mirrored into some', async () => {
  const inputSchema = {
    type: 'object' as const,
    properties: {
      région: { type: 'string', 'x-mcp-header': 'Region' },
      n: { type: 'integer', 'x-mcp-header': 'N' },
    },
  };
  const name = ' 確認 ';
  const tools = JSON.stringify([{ name, inputSchema }]);
  const { client, handler } = await overHttp({ schemas: { [name]: inputSchema } });
  const stateless = handler.stateless?.bind(handler);
  handler.stateless = async (request) =>
    request.method === 'tools/list'
      ? { result: `{"tools":${tools},"resultType":"complete","ttlMs":0,"cacheScope":"private"}` }
      : ((await stateless?.(request)) ?? ask());
  await client.listTools();
  await client.callTool({ name, arguments: { région: 'Île-de-France', n: -7 } });
  expect(JSON.parse(handler.requests.at(-1)?.params ?? '')).toMatchObject({ name, arguments: { n: -7 } });
});

test('over HTTP: a call that is given up is aborted', async () => {
  const { client, handler } = await overHttp();
  const stop = new AbortController();
  const hanging = client.callTool({ name: 'held' }, { signal: stop.signal });
  const { request } = await handler.held();
  stop.abort(new Error('no longer needed'));
  await expect(hanging).rejects.toThrow('no longer needed');
  await expect.poll(() => request.signal.aborted).toBe(true);
});

test('over HTTP: a subscription brings notices until mcpx ends it in good order', async () => {
  const { client, handler, endpoint } = await overHttp();
  const noticed = new Promise<void>((resolve) =>
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
  );
  const subscription = await client.listen({ toolsListChanged: true });
  handler.listens[0]?.request.notify('notifications/tools/list_changed', undefined);
  await within('the notice', noticed);
  await endpoint.served.close('mcpx is stopping.');
  expect(await within('the end', subscription.closed)).toBe('graceful');
});

test('over HTTP: a client that tries the newest revision first stays with it', async () => {
  const handler = statelessDouble();
  const { url } = await openEndpoint({ handler });
  const client = await connect(new URL(url), { versionNegotiation: { mode: 'auto' } });
  expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
  expect(handler.sessions).toEqual([]);
});

test.each([
  ['pinned to this revision', { mode: { pin: MODERN } }, MODERN],
  ['that finds out', { mode: 'auto' }, MODERN],
  ['of the older kind', { mode: 'legacy' }, '2025-11-25'],
] as const)(
  'over stdio, on the pipes of a process: a client %s',
  async (_what, versionNegotiation, version) => {
    const command = { command: process.execPath, args: [FIXTURE], env: cleanEnv() as Record<string, string> };
    const client = await connect(new StdioClientTransport({ ...command, stderr: 'pipe' }), {
      versionNegotiation,
    });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.listTools()).tools).toEqual([]);
    if (version !== MODERN) return;
    const answered = said('s {"q":{"action":"accept","content":{"x":"Prüfe 🙂"}}}');
    const many = await Promise.all(Array.from({ length: 20 }, () => client.callTool({ name: 'ask' })));
    expect(many).toEqual(many.map(() => answered));
    const noticed = new Promise<void>((resolve) =>
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
    );
    const subscription = await client.listen({ toolsListChanged: true });
    await within('the notice', noticed);
    await subscription.close();
  },
);
