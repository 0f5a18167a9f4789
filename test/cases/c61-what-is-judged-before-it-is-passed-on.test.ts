// C61: what mcpx has negotiated it also holds the messages to: levels, tools in samples, undeclared methods; a cancel arrives whole.
import { expect, test } from 'vitest';
import { gatewayWithHost } from '../support/gateway.ts';
import type { Host } from '../support/host.ts';
import { errorOf, modernScene } from '../support/modern-scene.ts';
import { answersOf, scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const sample = (more: string): string =>
  `{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":10${more}}`;
const TOOLS = ',"tools":[{"name":"t","inputSchema":{"type":"object"}}]';
const MODERN = { transport: 'http', revision: '2026-07-28', entry: { era: 'modern' } } as const;

const levelsAt = (messages: readonly Record<string, unknown>[]): string[] =>
  messages.map((message) => JSON.stringify(message)).filter((text) => /setLevel|logLevel/.test(text));

test.each([
  ['a legacy server', { transport: 'stdio' } as const],
  ['a modern server', MODERN],
])('a level that does not exist, or none, is refused before %s', async (_, upstream) => {
  const { host, upstream: server } = await scene({ upstream });
  for (const params of ['{"level":"loud"}', '{"level":"INFO"}', '{"level":7}', '{}', undefined]) {
    const reply = await host.start('logging/setLevel', params).reply;
    expect(reply).toMatchObject({ error: expect.stringContaining('-32602') });
  }
  await host.call('whoami');
  expect(levelsAt(server.messages())).toEqual([]);
  await host.request('logging/setLevel', '{"level":"warning"}');
  await host.call('whoami');
  expect(levelsAt(server.messages())).toEqual([expect.stringContaining('"warning"')]);
});

test('a level in _meta that does not exist is refused, and nothing runs', async () => {
  const { host, calls } = await modernScene();
  const meta = '"io.modelcontextprotocol/logLevel":"loud"';
  expect(errorOf(await host.call('whoami', {}, { meta }).reply).code).toBe(-32602);
  expect(calls('whoami')).toBe(0);
});

test.each([
  ['2025-11-25', '{"sampling":{}}', undefined],
  ['2025-11-25', '{"sampling":{"tools":true}}', undefined],
  ['2025-11-25', '{"sampling":{"context":{}}}', undefined],
  // What an older host writes there means nothing in its revision.
  ['2025-06-18', '{"sampling":{"tools":{}}}', undefined],
  ['2025-11-25', '{"sampling":{"tools":{},"context":{}}}', '{"tools":{},"context":{}}'],
])('a sample with tools for a host of %s that declared %s', async (revision, capabilities, able) => {
  const result = '{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"m"}';
  const { host } = await scene({ host: { revision, capabilities, answer: () => ({ result }) } });
  const declared = JSON.parse(await host.call('whoami')).client as string;
  const sampling = JSON.parse(declared).capabilities.sampling as object;
  expect(sampling).toEqual(
    able === undefined ? (capabilities.includes('context') ? { context: {} } : {}) : JSON.parse(able),
  );
  for (const more of [TOOLS, ',"tools":[]', ',"toolChoice":{"mode":"auto"}']) {
    const { answers } = JSON.parse(await host.call('sample', { params: sample(more) })) as {
      answers: string[];
    };
    if (able !== undefined) expect(answers).toEqual([result]);
    else
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({
        code: -32602,
        message: expect.stringContaining('sampling.tools'),
      });
  }
  expect(host.questions).toHaveLength(able === undefined ? 0 : 3);
  expect(JSON.parse(await host.call('sample', { params: sample('') })).answers).toEqual([result]);
});

async function cancelled(revision: string, transport: 'stdio' | 'http', params: (id: string) => string) {
  // No wire check: a vendor's keys may stand in `_meta`, though no schema names them (2026-07-28 basic/index, "_meta").
  const scope = testScope();
  const entry = revision === '2026-07-28' ? { era: 'modern' } : {};
  const upstream = await fixtureUpstream(scope, { revision, transport, entry });
  const { host } = await gatewayWithHost(scope, 'stdio', { servers: { fixture: upstream.entry } });
  const { id } = host.startCall('slow', { gate: 'never' });
  await upstream.message('the call', ({ method }) => method === 'tools/call');
  await host.notify('notifications/cancelled', params(id));
  return await upstream.message('the cancel', ({ method }) => method === 'notifications/cancelled');
}

const withReason = (id: string): string =>
  `{"requestId":${id},"reason":"the \\u001b[1mtab\\" was closed","_meta":{"vendor/trace":[1.0],"io.modelcontextprotocol/logLevel":"debug"}}`;

test.each([
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
] as const)('reason and _meta of a cancel reach an upstream of %s over %s', async (revision, transport) => {
  const { params } = await cancelled(revision, transport, withReason);
  expect(params).toMatchObject({ reason: 'the \u001b[1mtab" was closed', _meta: { 'vendor/trace': [1] } });
  expect(JSON.stringify(params)).not.toContain('logLevel');
});

test('an upstream whose revision has no _meta there gets the reason', async () => {
  const { params } = await cancelled('2025-06-18', 'stdio', withReason);
  expect(params).toMatchObject({ reason: 'the \u001b[1mtab" was closed' });
  expect(params).not.toHaveProperty('_meta');
});

test('a cancel without a reason gets one of mcpx', async () => {
  const { params } = await cancelled('2025-11-25', 'stdio', (id) => `{"requestId":${id},"reason":7}`);
  expect(params).toMatchObject({ reason: 'The host cancelled the request.' });
});

const offering = (capabilities: string, host: object = {}) =>
  scene({ upstream: { flags: ['--capabilities', capabilities] }, host });
const error = async (host: Host, method: string, params: string): Promise<unknown> => {
  const reply = await host.start(method, params).reply;
  return 'error' in reply ? (JSON.parse(reply.error) as { code: number }).code : reply.result;
};

test('what a server did not declare it is not asked', async () => {
  const { host, upstream } = await offering('{"tools":{},"resources":{},"prompts":{}}');
  const argument = '"argument":{"name":"who","value":"a"}';
  expect(
    await error(host, 'completion/complete', `{"ref":{"type":"ref/prompt","name":"greet"},${argument}}`),
  ).toBe(-32601);
  expect(
    await error(
      host,
      'completion/complete',
      `{"ref":{"type":"ref/resource","uri":"fixture://item/{n}"},${argument}}`,
    ),
  ).toBe(-32601);
  expect(await error(host, 'resources/subscribe', '{"uri":"fixture://text/1"}')).toBe(-32601);
  expect(await error(host, 'resources/unsubscribe', '{"uri":"fixture://text/1"}')).toBe(-32601);
  // What it is told without a reply may reach it after the refusals have reached the host.
  await until('its handshake', () => upstream.messages().length >= 2);
  expect(upstream.messages().map(({ method }) => method)).toEqual([
    'initialize',
    'notifications/initialized',
  ]);
});

test.each([
  ['{"roots":{"listChanged":true}}', 1],
  ['{"roots":{}}', 0],
  ['{}', 0],
])('a change of roots is told to an upstream that was told of roots: %s', async (capabilities, times) => {
  const { host, upstream } = await offering('{"tools":{}}', { capabilities });
  await host.call('whoami');
  await host.notify('notifications/roots/list_changed');
  await host.notify('notifications/vendor/unknown', '{}');
  const seen = (): number =>
    upstream
      .messages()
      .filter(({ method }) => String(method).includes('changed') || String(method).includes('vendor')).length;
  if (times > 0) await until('the notice', () => seen() === times);
  await host.call('whoami');
  expect(seen()).toBe(times);
});

test('roots/list for a host that declared none, and requests that do not exist, are -32601 to the upstream', async () => {
  const { host } = await offering('{"tools":{}}');
  expect((await answersOf(host.startCall('roots').reply))[0]).toContain('-32601');
  expect(host.questions).toEqual([]);
});
