// The official client as a host, over both transports, and the built code on real pipes.
import { once } from 'node:events';
import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { Exchange, HostSession } from '../../src/host/types.ts';
import { createHandler, type Serve } from '../support/host-handler.ts';
import { connectStdioHost } from '../support/host-stdio.ts';
import { cleanEnv, ROOT, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { within } from '../support/until.ts';
import { startProxy } from './proxy.ts';
import { eventually, openEndpoint } from './support.ts';

const FIXTURE = join(ROOT, 'fixtures', 'host', 'serve-stdio.mjs');
const QUESTION =
  '{"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"x":{"type":"string"}}}}';
const text = (value: string) => ({ result: `{"content":[{"type":"text","text":${JSON.stringify(value)}}]}` });

const call: Serve = async (exchange, session) => {
  const { name, arguments: given, _meta } = JSON.parse(exchange.params ?? '');
  if (name === 'echo') return text(given.text);
  if (name === 'hang') return new Promise(() => {});
  const token = JSON.stringify(_meta?.progressToken);
  if (token !== undefined)
    exchange.notify('notifications/progress', `{"progressToken":${token},"progress":1}`);
  const reply = await session.request('elicitation/create', QUESTION, {
    signal: exchange.signal,
    via: exchange,
  });
  return text('result' in reply ? reply.result : reply.error);
};

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'sdk', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { x: 'Prüfe 🙂' },
  }));
  await client.connect(transport);
  testScope().defer(() => client.close());
  return client;
}

const tool = (client: Client, name: string, given: Record<string, unknown> = {}, options = {}) =>
  client.callTool({ name, arguments: given }, CallToolResultSchema, options);
const said = (value: string) => ({ content: [{ type: 'text', text: value }] });

test('over HTTP: a call, a question in the middle of one, progress, a notice, fifty at once', async () => {
  const handler = createHandler({ 'tools/call': call });
  const endpoint = await openEndpoint({ handler });
  const client = await connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  expect(client.getServerVersion()).toEqual({ name: 'mcpx', version: '1.2.3', title: 'mcpx' });
  expect(await tool(client, 'echo', { text: 'hi' })).toEqual(said('hi'));
  const progress: unknown[] = [];
  const asked = await tool(client, 'ask', {}, { onprogress: (given: unknown) => progress.push(given) });
  expect(asked).toEqual(said('{"action":"accept","content":{"x":"Prüfe 🙂"}}'));
  expect(progress).toEqual([{ progress: 1 }]);
  const noticed = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  await eventually(() => handler.sessions[0]?.reachable()).toBe(true);
  handler.sessions[0]?.notify('notifications/tools/list_changed', undefined);
  await within('the notice', noticed);
  const many = await Promise.all(
    Array.from({ length: 50 }, (_, n) => tool(client, n % 2 ? 'ask' : 'echo', { text: `${n}` })),
  );
  expect(many.filter(({ content }) => JSON.stringify(content).includes('accept'))).toHaveLength(25);
});

test('over HTTP: a client that tries the newest revision first falls back to initialize', async () => {
  const { url } = await openEndpoint();
  const client = new ModernClient({ name: 'sdk', version: '2' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(new URL(url)));
  testScope().defer(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
  expect(await client.listTools()).toEqual({ tools: [] });
});

test('over HTTP: a call the client gives up is aborted, and the session goes on', async () => {
  const handler = createHandler({ 'tools/call': call });
  const endpoint = await openEndpoint({ handler });
  const client = await connect(new StreamableHTTPClientTransport(new URL(endpoint.url)));
  const stop = new AbortController();
  const hanging = tool(client, 'hang', {}, { signal: stop.signal });
  await eventually(() => handler.exchanges.length).toBe(1);
  stop.abort('no longer needed');
  await expect(hanging).rejects.toThrow('no longer needed');
  await eventually(() => handler.exchanges[0]?.signal.aborted).toBe(true);
  expect(await tool(client, 'echo', { text: 'still here' })).toEqual(said('still here'));
});

test('over HTTP: the client resumes a stream that was cut under a question', async () => {
  let open: { exchange: Exchange; session: HostSession } | undefined;
  let finish = (): void => {};
  const handler = createHandler({
    'tools/call': (exchange, session) =>
      new Promise((resolve) => {
        open = { exchange, session };
        finish = () => resolve(text('done'));
        exchange.notify('notifications/message', '{"level":"info","data":"started"}');
      }),
  });
  const endpoint = await openEndpoint({ handler });
  const proxy = await startProxy(endpoint.port);
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${proxy.port}/mcp`), {
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 20,
    },
  });
  const client = await connect(transport);
  const started = new Promise<void>((resolve) =>
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => resolve()),
  );
  const result = tool(client, 'long');
  await within('the start', started);
  await eventually(() => open?.session.reachable()).toBe(true);
  proxy.cut();
  await eventually(() => open?.exchange.signal.aborted).toBe(false);
  const asked = open?.session.request('elicitation/create', QUESTION, {
    signal: open.exchange.signal,
    via: open.exchange,
  });
  expect(await within('the answer', asked ?? Promise.reject(new Error('no call')))).toMatchObject({
    result: expect.stringContaining('accept'),
  });
  proxy.cut();
  finish();
  expect(await within('the result', result)).toEqual(said('done'));
});

test('over stdio, on the pipes of a process', async () => {
  const client = await connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [FIXTURE],
      env: cleanEnv() as Record<string, string>,
      stderr: 'pipe',
    }),
  );
  expect(await tool(client, 'echo', { text: 'Prüfe — 確認 🙂' })).toEqual(said('Prüfe — 確認 🙂'));
  const many = await Promise.all(
    Array.from({ length: 50 }, (_, n) => tool(client, n % 2 ? 'ask' : 'echo', { text: `${n}` })),
  );
  expect(many.filter(({ content }) => JSON.stringify(content).includes('Prüfe 🙂'))).toHaveLength(25);
});

test('the process ends by itself, and quietly, when the host closes its pipe', async () => {
  const scope = testScope();
  const running = startNode(scope, [FIXTURE], { rawStdout: true });
  const host = await connectStdioHost(running.child);
  expect(await host.request('tools/list')).toBe('{"tools":[]}');
  await host.close();
  expect([await within('the end', running.ended), running.stderr()]).toEqual([0, '']);
});

test('the process ends quietly when the host stops reading for good (EPIPE)', async () => {
  const scope = testScope();
  const running = startNode(scope, [FIXTURE], { rawStdout: true });
  await connectStdioHost(running.child);
  running.child.stdout.destroy();
  await once(running.child.stdout, 'close');
  running.child.stdin.write('{"jsonrpc":"2.0","id":9,"method":"ping"}\n');
  expect([await within('the end', running.ended), running.stderr()]).toEqual([0, '']);
});
