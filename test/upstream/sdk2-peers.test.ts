// Upstreams made with the newer official SDK, which speaks both eras, over both transports.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerConfig } from '../../src/config/types.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { ROOT, type Running, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import {
  httpServer,
  type Opened,
  type OpenOptions,
  open as openWith,
  resultOf,
  stdioServer,
  textOf,
} from './open.ts';

/** However long a busy machine takes to start a process, it is not taken for silent. */
const open = (config: ServerConfig, options: OpenOptions = {}): Promise<Opened> =>
  openWith(config, { clock: fakeClock(), ...options });

const SDK = join(ROOT, 'fixtures', 'sdk2-server.mjs');
const signal = new AbortController().signal;

interface Peer {
  readonly config: ServerConfig;
  readonly running?: Running;
}

async function peer(transport: 'stdio' | 'http', ...flags: string[]): Promise<Peer> {
  if (transport === 'stdio') return { config: stdioServer([SDK, ...flags]) };
  const running = startNode(testScope(), [SDK, '--http', ...flags]);
  return { running, config: httpServer(await running.line((line) => line.startsWith('http://'))) };
}

const PEERS: ['stdio' | 'http', string[]][] = [
  ['stdio', []],
  ['stdio', ['--modern-only']],
  ['http', []],
  ['http', ['--modern-only']],
  ['http', ['--sse']],
];

test.each(PEERS)(
  'SDK v2 over %s %j: discovered, called, asked for input, and told',
  async (transport, flags) => {
    const { config } = await peer(transport, ...flags);
    const { connection, call } = await open(config, { prefer: 'modern' });
    expect(connection.info).toMatchObject({
      revision: '2026-07-28',
      serverInfo: '{"name":"sdk2","version":"2"}',
      instructions: 'Ask away.',
    });
    expect(textOf(await call('plain'))).toBe('"plain"');
    const asked = resultOf(await call('ask')) as { inputRequests: object; requestState: string };
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: 'kept by the client' });
    expect(Object.keys(asked.inputRequests)).toEqual(['answer']);
    const answer = { action: 'accept', content: { repo: 'me/thing' } };
    const retry = {
      name: 'ask',
      arguments: {},
      inputResponses: { answer },
      requestState: asked.requestState,
    };
    const done = textOf(await connection.request('tools/call', JSON.stringify(retry), { signal }));
    expect(JSON.parse(done)).toEqual({ answer, state: 'kept by the client' });
  },
);

test.each(PEERS)(
  'SDK v2 over %s %j: what a request declares decides whether it is asked',
  async (transport, flags) => {
    const { config } = await peer(transport, ...flags);
    const { connection } = await open(config, { prefer: 'modern', capabilities: '{}' });
    const refused = await connection.request('tools/call', '{"name":"ask","arguments":{}}', { signal });
    expect(refused).toEqual({ error: expect.stringContaining('-32021') });
    const capabilities = '{"elicitation":{"form":{}}}';
    const asked = await connection.request('tools/call', '{"name":"ask","arguments":{}}', {
      signal,
      capabilities,
    });
    expect(resultOf(asked)).toMatchObject({ resultType: 'input_required' });
  },
);

test('SDK v2 over HTTP: mirrored arguments pass its check of headers', async () => {
  const { config } = await peer('http');
  const { call } = await open(config, { prefer: 'modern' });
  for (const args of [
    { region: 'Köln', count: 7 },
    { region: '' },
    { count: -1 },
    {},
    { region: ' =?base64?x?=' },
  ])
    expect(JSON.parse(textOf(await call('mirror', args)))).toEqual(args);
});

test.each(['stdio', 'http'] as const)('SDK v2 over %s: a cancelled call aborts there', async (transport) => {
  const { config, running } = await peer(transport);
  const { connection, call } = await open(config, { prefer: 'modern' });
  const stderr = (): string => running?.stderr() ?? connection.stderrTail();
  const stop = new AbortController();
  const failed = expect(call('wait', {}, 't', stop.signal)).rejects.toBe('enough');
  await until('the call', () => stderr().includes('waiting'));
  stop.abort('enough');
  await failed;
  await until('the abort', () => stderr().includes('aborted'));
});

test.each(['stdio', 'http'] as const)('SDK v2 over %s: progress carries the ticket', async (transport) => {
  const { config } = await peer(transport);
  const { connection, notices } = await open(config, { prefer: 'modern' });
  const params = '{"name":"progress","arguments":{},"_meta":{"progressToken":"p"}}';
  expect(textOf(await connection.request('tools/call', params, { signal, ticket: 'mine' }))).toBe('"done"');
  expect(notices).toMatchObject([{ method: 'notifications/progress', origin: 'mine' }]);
});

test('SDK v2 over HTTP: a subscription brings its notices', async () => {
  const { config, running } = await peer('http');
  const { connection, notice } = await open(config, { prefer: 'modern' });
  connection.subscribe?.({ tools: true, prompts: false, resources: false, uris: [] }, signal);
  const url = await running?.line((line) => line.startsWith('http://'));
  const heard = notice(({ method }) => method === 'notifications/tools/list_changed');
  let over = false;
  heard.finally(() => {
    over = true;
  });
  // The subscription may not be open yet when the first change is told.
  await until('the notice', async () => {
    await fetch(new URL('/change', url));
    return over;
  });
  expect((await heard).params).not.toContain('subscriptionId');
});

test.each([
  ['stdio', '2025-11-25'],
  // Its older side keeps no session over HTTP, and cannot ask.
  ['http', '2026-07-28'],
] as const)('SDK v2 over %s: with legacy preferred it is a server of %s', async (transport, revision) => {
  const { config } = await peer(transport);
  const { connection, call } = await open(config);
  expect(connection.info.revision).toBe(revision);
  expect(textOf(await call('plain'))).toBe('"plain"');
});

test.each(['stdio', 'http'] as const)(
  'SDK v2 over %s, modern only: with legacy preferred it is a modern one',
  async (transport) => {
    const { config } = await peer(transport, '--modern-only');
    const { connection, call } = await open(config);
    expect(connection.info.revision).toBe('2026-07-28');
    expect(textOf(await call('plain'))).toBe('"plain"');
  },
);

test.each(['stdio', 'http'] as const)(
  'SDK v1 over %s: with modern preferred it is a legacy server',
  async (transport) => {
    const program = join(ROOT, 'fixtures', 'sdk-server.mjs');
    const running = transport === 'http' ? startNode(testScope(), [program, '--http']) : undefined;
    const config = running
      ? httpServer(await running.line((line) => line.startsWith('http://')))
      : stdioServer([program]);
    const { connection, call } = await open(config, { prefer: 'modern' });
    expect(connection.info.revision).toBe('2025-11-25');
    expect(textOf(await call('plain'))).toBe('"plain"');
  },
);
