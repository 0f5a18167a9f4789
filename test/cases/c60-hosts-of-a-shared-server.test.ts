// C60: what one host of a shared server sets does nothing to another (the table of src/gateway/shared-line.ts, line by line).
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import type { Host } from '../support/host.ts';
import type { HttpHost } from '../support/host-http.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkUpstreamWire } from '../support/upstream-wire.ts';

const URI = 'fixture://text/1';
const URI_PARAMS = `{"uri":"${URI}"}`;

async function two(revision = '2025-11-25', transport: 'stdio' | 'http' = 'stdio') {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport, revision, entry: { isolation: 'shared' } });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  scope.defer(() => checkUpstreamWire(upstream));
  const connect = async (options = {}): Promise<HttpHost> => {
    const host = await gateway.connect(options);
    await host.openStream();
    await host.request('prompts/list');
    return host;
  };
  const sent = (method: string): unknown[] =>
    upstream.messages().flatMap((message) => (message['method'] === method ? [message['params']] : []));
  return { scope, upstream, gateway, connect, sent, a: await connect(), b: await connect() };
}

const heard = (host: Host, method: string): Record<string, unknown>[] =>
  host.wire
    .filter(({ dir }) => dir === 'in')
    .map(({ text }) => JSON.parse(text) as { method?: string; params: Record<string, unknown> })
    .flatMap((message) => (message.method === method ? [message.params] : []));
const updates = (host: Host): unknown[] =>
  heard(host, 'notifications/resources/updated').map(({ uri }) => uri);
const logged = (host: Host): unknown[] => heard(host, 'notifications/message').map(({ data }) => data);

/** All hosts have had what was sent to them before. */
async function settled(...hosts: Host[]): Promise<void> {
  for (const host of hosts) await host.request('ping');
}

test('a subscription lasts until the last host that has it lets it go, and updates go to those who have it', async () => {
  const { a, b, connect, sent } = await two();
  const c = await connect();
  await Promise.all([a, b].map((host) => host.request('resources/subscribe', URI_PARAMS)));
  expect(sent('resources/subscribe')).toEqual([{ uri: URI }]);
  await a.request('resources/unsubscribe', URI_PARAMS);
  expect(sent('resources/unsubscribe')).toEqual([]);
  await c.call('touch', { uri: URI });
  await until('the update', () => updates(b).length > 0);
  await settled(a, c);
  expect([updates(a), updates(b), updates(c)]).toEqual([[], [URI], []]);
  await b.end();
  await until('the end of the subscription', () => sent('resources/unsubscribe').length === 1);
  // The next one begins anew.
  await a.request('resources/subscribe', URI_PARAMS);
  expect(sent('resources/subscribe')).toHaveLength(2);
});

test('a host that unsubscribes from what only others have does not end it, and one neighbour URI is not another', async () => {
  const { a, b, sent } = await two();
  await b.request('resources/subscribe', URI_PARAMS);
  await a.request('resources/unsubscribe', URI_PARAMS);
  expect(sent('resources/unsubscribe')).toEqual([]);
  await a.request('resources/subscribe', '{"uri":"fixture://text/10"}');
  await b.call('touch', { uri: 'fixture://text/10' });
  await until('the update', () => updates(a).length > 0);
  await settled(b);
  expect(updates(b)).toEqual([]);
});

test('the subscriptions of all hosts are told once each to an upstream that starts again', async () => {
  const { a, b, sent } = await two();
  for (const host of [a, b]) await host.request('resources/subscribe', URI_PARAMS);
  await a.request('logging/setLevel', '{"level":"error"}');
  await b.request('logging/setLevel', '{"level":"notice"}');
  await a.startCall('exit').reply;
  await a.call('echo');
  expect(sent('resources/subscribe')).toHaveLength(2);
  expect(sent('logging/setLevel').at(-1)).toEqual({ level: 'notice' });
});

test('a modern server is listened to once for each URI, as long as any host wants it', async () => {
  const { a, b, sent } = await two('2026-07-28', 'http');
  for (const host of [a, b]) await host.request('resources/subscribe', URI_PARAMS);
  await until('the stream', () => sent('subscriptions/listen').length >= 2);
  const listens = sent('subscriptions/listen').filter((params) => JSON.stringify(params).includes(URI));
  expect(listens).toHaveLength(1);
  await a.end();
  await b.call('touch', { uri: URI });
  await until('the update', () => updates(b).length > 0);
  expect(updates(b)).toEqual([URI]);
});

test('the upstream speaks from the lowest level that anybody asked for, and each host hears from its own', async () => {
  const { a, b, connect, sent } = await two();
  const silent = await connect();
  await a.request('logging/setLevel', '{"level":"error"}');
  await b.request('logging/setLevel', '{"level":"debug"}');
  await a.request('logging/setLevel', '{"level":"critical"}');
  expect(sent('logging/setLevel')).toEqual([{ level: 'error' }, { level: 'debug' }]);
  // With two calls running nobody knows whose a log line is.
  const open = a.startCall('slow', { gate: 'g' });
  for (const level of ['debug', 'info', 'error', 'emergency'])
    await b.call('log', { level, data: level, on: 'get' });
  await until('the last', () => [a, b, silent].every((host) => logged(host).includes('emergency')));
  await b.call('release', { gate: 'g' });
  await open.reply;
  expect(logged(a)).toEqual(['emergency']);
  expect(logged(b)).toEqual(['debug', 'info', 'error', 'emergency']);
  expect(logged(silent)).toEqual(['info', 'error', 'emergency']);
  await b.end();
  await until('the level that is left', () => sent('logging/setLevel').length === 3);
  expect(sent('logging/setLevel').at(-1)).toEqual({ level: 'critical' });
});

test('two hosts that use the same id and the same progress token each get what is theirs', async () => {
  const { a, b } = await two();
  const meta = '{"progressToken":"same"}';
  const calls = [a, b].map((host, index) =>
    host.startCall('progress', { values: [index + 1] }, { meta, id: '"one"' }),
  );
  await Promise.all(calls.map(({ reply }) => reply));
  for (const [index, host] of [a, b].entries())
    expect(heard(host, 'notifications/progress')).toMatchObject([
      { progressToken: 'same', progress: index + 1 },
    ]);
});

test('a cancel of one host leaves the call of another, of the same id, alone', async () => {
  const { a, b, sent } = await two();
  const calls = [a, b].map((host) => host.startCall('slow', { gate: 'g' }, { id: '"one"' }));
  await until('both calls', () => sent('tools/call').length === 2);
  await a.cancel('"one"');
  await until('the cancel', () => sent('notifications/cancelled').length === 1);
  await b.call('release', { gate: 'g' });
  expect(await calls[1]?.reply).toMatchObject({ result: expect.stringContaining('done') });
});

test('hosts that declared something else have a channel of their own', async () => {
  const { a, b, connect } = await two();
  const sampler = await connect({ capabilities: '{"sampling":{}}' });
  const pids = await Promise.all(
    [a, b, sampler].map(async (host) => JSON.parse(await host.call('whoami')).pid),
  );
  expect(pids[0]).toBe(pids[1]);
  expect(pids[2]).not.toBe(pids[0]);
});

test('changed lists and completions are for all', async () => {
  const { a, b } = await two();
  await a.call('add-tool', { name: 'fresh' });
  for (const host of [a, b])
    await host.received('the notice', ({ method }) => method === 'notifications/tools/list_changed');
  const completion = (value: string): string =>
    `{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"${value}"}}`;
  const [one, other] = await Promise.all([
    a.request('completion/complete', completion('a')),
    b.request('completion/complete', completion('g')),
  ]);
  expect(JSON.parse(one).completion.values).toEqual(['ada', 'alan']);
  expect(JSON.parse(other).completion.values).toEqual(['grace']);
});
