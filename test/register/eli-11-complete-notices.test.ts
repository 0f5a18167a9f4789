// ELI-11: notifications/elicitation/complete: from the owning channel only, once, to the one host that was given the URL.
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS, startGateway } from '../support/gateway.ts';
import type { RawReply } from '../support/host.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import {
  completions,
  FORM_AND_URL,
  paramsOf,
  sayComplete,
  seesCompletions,
  urlParams,
} from '../support/url.ts';
import { checkWire } from '../support/wire.ts';

const ACCEPT = (): RawReply => ({ result: '{"action":"accept"}' });

for (const transport of HOST_TRANSPORTS) {
  test(`over ${transport}: forwarded once under the id the host was given; repeated and unknown ids are ignored`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows } = await gatewayWithHost(
      scope,
      transport,
      { servers: { one: upstream.entry } },
      { capabilities: FORM_AND_URL, answer: ACCEPT },
    );
    if ('openStream' in host) await (host as unknown as { openStream(): Promise<number> }).openStream();
    await host.ask({ params: urlParams() });
    const [before] = await rows(['--all']);
    expect(before?.completedAt).toBeUndefined();
    await sayComplete(host, 'no-such-id');
    await sayComplete(host, 'u-1', { times: 3 });
    await sayComplete(host, 'u-1');
    await seesCompletions(host, [before?.id ?? '']);
    const [after] = await rows(['--all']);
    expect(after).toMatchObject({ state: 'accepted', completedAt: expect.any(String) });
    // Whatever would still be on its way has come after a whole round trip.
    await host.call('whoami');
    expect(completions(host)).toHaveLength(1);
    await checkWire(host.wire, { revision: '2025-11-25' });
  });
}

test('a pending question is only marked: the person still decides', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { host, rows } = await gatewayWithHost(
    scope,
    'stdio',
    { servers: { one: upstream.entry } },
    { capabilities: FORM_AND_URL },
  );
  const call = host.startCall('ask', { params: urlParams() });
  const question = await host.question();
  await sayComplete(host, 'u-1');
  const marked = await until('the mark', async () =>
    (await rows()).find((row) => row.completedAt !== undefined),
  );
  expect(marked).toMatchObject({ state: 'pending', id: paramsOf(question)['elicitationId'] });
  await seesCompletions(host, [marked.id]);
  await host.reply(question, { result: '{"action":"decline"}' });
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('decline'));
});

test('without a GET stream it goes on the next SSE stream, and never twice', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http' });
  const gateway = await startGateway(scope, { servers: { one: upstream.entry } });
  const host = await gateway.connect({ capabilities: FORM_AND_URL, answer: ACCEPT });
  await host.ask({ params: urlParams() });
  await sayComplete(host, 'u-1', { on: 'get' });
  const row = await until('the mark', async () =>
    (await gateway.rows(['--all'])).find(({ completedAt }) => completedAt !== undefined),
  );
  // A plain response is left one: the notice waits for a stream.
  await host.call('whoami');
  expect(completions(host)).toEqual([]);
  expect(await host.openStream()).toBe(200);
  await seesCompletions(host, [row.id]);
  expect(await host.openStream()).toBe(200);
  await host.call('whoami');
  expect(completions(host)).toEqual([row.id]);
});

test('it goes on a POST that streams already, and a later question opens one for it too', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { one: upstream.entry } });
  const host = await gateway.connect({ capabilities: FORM_AND_URL, answer: ACCEPT });
  const call = host.startCall('ask', { params: urlParams(), after: { gate: 'g' } });
  const first = paramsOf(await host.question())['elicitationId'] as string;
  await sayComplete(host, 'u-1');
  await seesCompletions(host, [first]);
  await host.call('release', { gate: 'g' });
  await call.reply;
  await host.ask({ params: urlParams({ elicitationId: 'u-2' }) });
  const second = paramsOf(await host.question(1))['elicitationId'] as string;
  await sayComplete(host, 'u-2');
  await until('the mark', async () =>
    (await gateway.rows(['--all'])).some(({ id, completedAt }) => id === second && completedAt !== undefined),
  );
  await host.ask({ params: urlParams({ elicitationId: 'u-3' }) });
  await seesCompletions(host, [first, second]);
});

test('another channel cannot complete it, nor does another host hear of it', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { one: upstream.entry } });
  const [owner, other] = await Promise.all(
    ['owner', 'other'].map((name) => gateway.connect({ name, capabilities: FORM_AND_URL, answer: ACCEPT })),
  );
  if (!owner || !other) throw new Error('no hosts');
  for (const host of [owner, other]) expect(await host.openStream()).toBe(200);
  // Each host has a process of its own; both ask under the same id.
  for (const host of [owner, other]) await host.ask({ params: urlParams() });
  const [mine, theirs] = [owner, other].map(
    (host) => paramsOf(host.questions[0] ?? never())['elicitationId'] as string,
  );
  await sayComplete(other, 'u-1');
  await seesCompletions(other, [theirs ?? '']);
  expect(completions(owner)).toEqual([]);
  const rows = await gateway.rows(['--all']);
  expect(rows.find(({ id }) => id === mine)?.completedAt).toBeUndefined();
  expect(rows.find(({ id }) => id === theirs)?.completedAt).toBeDefined();
});

test.each([
  ['2025-06-18', '{"elicitation":{}}'],
  ['2025-11-25', '{"elicitation":{"form":{}}}'],
])('a host at %s that was not given the URL (%s) is never sent it', async (revision, capabilities) => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { host, rows, mcpx } = await gatewayWithHost(
    scope,
    'stdio',
    { servers: { one: upstream.entry } },
    { revision, capabilities },
  );
  const call = host.startCall('ask', { params: urlParams() });
  const row = await until('the row', async () => (await rows())[0]);
  await mcpx(['elicit', 'accept', row.id, '--yes']);
  await call.reply;
  await sayComplete(host, 'u-1');
  await until('the mark', async () => (await rows(['--all']))[0]?.completedAt !== undefined);
  await host.call('whoami');
  expect(completions(host)).toEqual([]);
  await checkWire(host.wire, { revision });
});

function never(): never {
  throw new Error('nothing was asked');
}
