// Upstreams that others have written: the official SDK's server, and its "everything" server on all three transports.
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerConfig } from '../../src/config/types.ts';
import { ROOT, type Running, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { httpServer, open, resultOf, stdioServer, textOf } from './open.ts';

const SDK = join(ROOT, 'fixtures', 'sdk-server.mjs');
const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const ANSWER = '{"action":"accept","content":{"repo":"me/thing"}}';

interface Peer {
  readonly config: ServerConfig;
  readonly running?: Running;
}

async function sdkOverHttp(...flags: string[]): Promise<Peer> {
  const running = startNode(testScope(), [SDK, '--http', ...flags]);
  return { running, config: httpServer(await running.line((line) => line.startsWith('http://'))) };
}

const SDK_PEERS: [string, () => Promise<Peer>][] = [
  ['stdio', async () => ({ config: stdioServer([SDK]) })],
  ['HTTP', () => sdkOverHttp()],
];

test.each(SDK_PEERS)('SDK over %s: a call, a question and its answer', async (_, start) => {
  const { config } = await start();
  const { connection, call, question, questions } = await open(config);
  expect(connection.info).toMatchObject({
    revision: '2025-11-25',
    serverInfo: '{"name":"sdk","version":"1"}',
  });
  expect(textOf(await call('plain'))).toBe('"plain"');
  const reply = call('ask', {}, 'ticket');
  const asked = await question();
  expect(asked.method).toBe('elicitation/create');
  expect(asked.origin).toBe(config.transport === 'http' ? 'ticket' : undefined);
  expect(await asked.reply({ result: ANSWER })).toBe(true);
  expect(textOf(await reply)).toBe(ANSWER);
  expect(questions).toHaveLength(1);
});

test.each(SDK_PEERS)(
  'SDK over %s: a question of no request, on the GET stream over HTTP',
  async (_, start) => {
    const { config } = await start();
    const { call, question } = await open(config);
    const reply = call('ask-aside', {}, 'ticket');
    const asked = await question();
    expect(asked.origin).toBeUndefined();
    expect(await asked.reply({ result: '{"action":"decline"}' })).toBe(true);
    expect(textOf(await reply)).toBe('{"action":"decline"}');
  },
);

test.each(SDK_PEERS)(
  'SDK over %s: C22, a question that times out there is taken back here',
  async (_, start) => {
    const { config } = await start();
    const { call, question } = await open(config);
    const reply = call('ask-impatient');
    const asked = await question();
    await until('the withdrawal', () => asked.signal.aborted);
    expect(String(asked.signal.reason)).toMatch(/took the question back: .*timed out/i);
    expect(await asked.reply({ result: ANSWER })).toBe(false);
    expect(textOf(await reply)).toMatch(/timed out/i);
  },
);

test('SDK over stdio: a cancelled call aborts there', async () => {
  const { connection, call } = await open(stdioServer([SDK]));
  const stop = new AbortController();
  const failed = expect(call('wait', {}, 't', stop.signal)).rejects.toBe('enough');
  await call('plain');
  stop.abort('enough');
  await failed;
  await until('the abort', () => connection.stderrTail().includes('aborted: enough'));
});

test('SDK over HTTP: a cancelled call aborts there', async () => {
  const { config, running } = await sdkOverHttp();
  const { call } = await open(config);
  const stop = new AbortController();
  const failed = expect(call('wait', {}, 't', stop.signal)).rejects.toBe('enough');
  await call('plain');
  stop.abort('enough');
  await failed;
  await until('the abort', () => running?.stderr().includes('aborted: enough'));
});

test('SDK over HTTP: a stream that the server cuts is resumed, and the question asked once', async () => {
  const { config } = await sdkOverHttp();
  const { call, question, questions } = await open(config);
  const reply = call('ask-cut', {}, 'ticket');
  const asked = await question();
  expect(asked.origin).toBe('ticket');
  await asked.reply({ result: ANSWER });
  expect(textOf(await reply)).toBe(ANSWER);
  expect(questions).toHaveLength(1);
});

test('SDK over HTTP with JSON replies', async () => {
  const { config } = await sdkOverHttp('--json');
  const { call } = await open(config);
  expect(textOf(await call('plain'))).toBe('"plain"');
});

async function everythingOverHttp(mode: string, path: string): Promise<ServerConfig> {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const running = startNode(testScope(), [EVERYTHING, mode], { env: { PORT: String(port) } });
  await until('the server to listen', () => running.stderr().includes(`port ${port}`));
  return httpServer(`http://127.0.0.1:${port}${path}`);
}

const EVERYTHING_PEERS: [string, () => Promise<ServerConfig>][] = [
  ['stdio', async () => stdioServer([EVERYTHING, 'stdio'])],
  ['Streamable HTTP', () => everythingOverHttp('streamableHttp', '/mcp')],
  ['HTTP+SSE', () => everythingOverHttp('sse', '/sse')],
];

test.each(EVERYTHING_PEERS)(
  'server-everything over %s: every kind of field, and the answer',
  async (over, start) => {
    const { connection, call, question } = await open(await start());
    const tools = await connection.request('tools/list', undefined, { signal: new AbortController().signal });
    expect((resultOf(tools) as { tools: { name: string }[] }).tools.map(({ name }) => name)).toContain(
      'trigger-elicitation-request',
    );
    const reply = call('trigger-elicitation-request', {}, 'ticket');
    const asked = await question();
    expect(asked.origin).toBe(over === 'Streamable HTTP' ? 'ticket' : undefined);
    const { requestedSchema } = JSON.parse(asked.params ?? '') as { requestedSchema: { properties: object } };
    expect(Object.keys(requestedSchema.properties).length).toBeGreaterThan(5);
    expect(await asked.reply({ result: '{"action":"accept","content":{"name":"Ada"}}' })).toBe(true);
    expect(JSON.stringify(resultOf(await reply))).toContain('Name: Ada');
  },
);
