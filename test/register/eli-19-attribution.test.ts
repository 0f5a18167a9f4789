// ELI-19: whose question it is: by stream, by the only host of a channel, by the only call, else nobody's.
import { expect, test } from 'vitest';
import { type HttpGateway, startGateway } from '../support/gateway.ts';
import type { HttpHost, HttpHostOptions } from '../support/host-http.ts';
import { CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream, type UpstreamOptions } from '../support/upstream.ts';

async function open(upstreamOptions: UpstreamOptions, hosts: readonly HttpHostOptions[]) {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, upstreamOptions);
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const connected = await Promise.all(
    hosts.map((host) => gateway.connect({ capabilities: CAN_ASK, ...host })),
  );
  const [a, b] = connected;
  if (!a || !b) throw new Error('two hosts are needed');
  return { upstream, gateway, a, b };
}

const nonces = (host: HttpHost): string[] =>
  host.questions.map(({ text }) => /\[([^\]]+)\]/.exec(text)?.[1] ?? '');

/** Accepts every question with its own nonce, so that an answer in the wrong call shows. */
const echo: HttpHostOptions['answer'] = ({ text }) => ({
  result: `{"action":"accept","content":{"repo":"${/\[([^\]]+)\]/.exec(text)?.[1]}"}}`,
});

async function running(upstream: FixtureUpstream, count: number): Promise<void> {
  await until(
    `${count} calls at the upstream`,
    () => upstream.messages().filter(({ method }) => method === 'tools/call').length === count,
  );
}

const waiting = (gateway: HttpGateway, count: number) =>
  until(`${count} rows`, async () => {
    const rows = await gateway.rows();
    return rows.length === count && rows;
  });

test('1: on a shared HTTP upstream the POST stream names the call, any number of questions at once', async () => {
  const { upstream, gateway, a, b } = await open({ transport: 'http', entry: { isolation: 'shared' } }, [
    { name: 'a', answer: echo },
    { name: 'b', answer: echo },
  ]);
  // All four run before any asks, three questions each.
  const calls = [a, b, a, b].map((host, index) => {
    const params = [0, 1, 2].map((part) =>
      JSON.stringify({
        message: `Which? [${index}-${part}]`,
        requestedSchema: { type: 'object', properties: { repo: { type: 'string' } } },
      }),
    );
    return host.startCall('ask', { params, gate: 'all', nonce: index });
  });
  await running(upstream, 4);
  await a.call('release', { gate: 'all' });
  for (const [index, { reply }] of calls.entries()) {
    const text = JSON.stringify(await reply);
    for (const part of [0, 1, 2]) expect(text).toContain(`${index}-${part}`);
  }
  expect(nonces(a).sort()).toEqual(['0-0', '0-1', '0-2', '2-0', '2-1', '2-2']);
  expect(nonces(b).sort()).toEqual(['1-0', '1-1', '1-2', '3-0', '3-1', '3-2']);
  const rows = await gateway.rows(['--all']);
  expect(rows).toHaveLength(12);
  for (const row of rows)
    expect(row).toMatchObject({ state: 'accepted', call: expect.stringMatching(/^cal-/), tool: 'ask' });
  expect(new Set(rows.map(({ call }) => call)).size).toBe(4);
});

test('3: on a channel of its own, what comes on the GET stream belongs to its host, and to its only call', async () => {
  const { gateway, a, b } = await open({ transport: 'http' }, [
    { name: 'a', answer: echo },
    { name: 'b', answer: echo },
  ]);
  expect(JSON.parse((await a.ask({ on: 'get', nonce: 'mine' })).answers[0] ?? '')).toMatchObject({
    content: { repo: 'mine' },
  });
  expect(b.questions).toEqual([]);
  const [row] = await gateway.rows(['--all']);
  expect(row).toMatchObject({ host: { name: 'a', inline: true }, call: expect.stringMatching(/^cal-/) });
});

test('3: with several calls of that host the host is known and the call is not; the question goes to its GET stream', async () => {
  const { upstream, gateway, a, b } = await open({ transport: 'stdio' }, [{ name: 'a' }, { name: 'b' }]);
  expect(await a.openStream()).toBe(200);
  const slow = a.startCall('slow', { gate: 'slow' });
  await running(upstream, 1);
  const asking = a.startCall('ask', { nonce: 'which' });
  await a.question();
  const [row] = await gateway.rows();
  expect(row).toMatchObject({ host: { name: 'a', inline: true } });
  expect(row?.call).toBeUndefined();
  await a.reply(await a.question(), { result: '{"action":"accept","content":{"repo":"x"}}' });
  expect(await asking.reply).toHaveProperty('result', expect.stringContaining('accept'));
  await a.call('release', { gate: 'slow' });
  expect(await slow.reply).toHaveProperty('result');
  expect(b.questions).toEqual([]);
});

test('4: on a shared pipe the only call that runs has asked', async () => {
  const { gateway, a, b } = await open({ transport: 'stdio', entry: { isolation: 'shared' } }, [
    { name: 'a', answer: echo },
    { name: 'b', answer: echo },
  ]);
  await a.ask({ nonce: 'a' });
  await b.ask({ nonce: 'b' });
  expect([nonces(a), nonces(b)]).toEqual([['a'], ['b']]);
  expect((await gateway.rows(['--all'])).map(({ host }) => host?.name).sort()).toEqual(['a', 'b']);
});

test('5: on a shared pipe with two calls nobody is guessed: the question is for people, and names no host', async () => {
  const { upstream, gateway, a, b } = await open({ transport: 'stdio', entry: { isolation: 'shared' } }, [
    { name: 'a', answer: echo },
    { name: 'b', answer: echo },
  ]);
  const calls = [a, b].map((host) => host.startCall('ask', { gate: 'both' }));
  await running(upstream, 2);
  await a.call('release', { gate: 'both' });
  for (const row of await waiting(gateway, 2)) {
    expect(row).toMatchObject({ audience: 'human' });
    expect([row.host, row.call]).toEqual([undefined, undefined]);
    await gateway.mcpx(['elicit', 'decline', row.id]);
  }
  for (const { reply } of calls) expect(await reply).toHaveProperty('result');
  expect([...a.questions, ...b.questions]).toEqual([]);
});

test('5: nor is anybody guessed for the GET stream of a shared HTTP upstream with two calls', async () => {
  const { upstream, gateway, a, b } = await open({ transport: 'http', entry: { isolation: 'shared' } }, [
    { name: 'a', answer: echo },
    { name: 'b', answer: echo },
  ]);
  const calls = [a, b].map((host) => host.startCall('ask', { gate: 'both', on: 'get' }));
  await running(upstream, 2);
  await a.call('release', { gate: 'both' });
  for (const row of await waiting(gateway, 2)) {
    expect(row.host).toBeUndefined();
    await gateway.mcpx(['elicit', 'cancel', row.id]);
  }
  for (const { reply } of calls) expect(await reply).toHaveProperty('result');
  expect([...a.questions, ...b.questions]).toEqual([]);
});

test.each(['stdio', 'http'] as const)(
  'isolation "session" over %s gives each host a channel of its own',
  async (transport) => {
    const { upstream, a, b } = await open({ transport, entry: { isolation: 'session' } }, [{}, {}]);
    const [one, two] = await Promise.all(
      [a, b].map(async (host) => JSON.parse(await host.call('whoami')) as { pid: number; session?: string }),
    );
    if (transport === 'stdio') expect(one?.pid).not.toBe(two?.pid);
    else expect(one?.session).not.toBe(two?.session);
    expect(upstream.messages().filter(({ method }) => method === 'initialize')).toHaveLength(2);
  },
);

test('hosts that declared the same share a line; others never do, and each upstream session sees what its hosts can do', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http', entry: { isolation: 'shared' } });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const sets = [
    '{"elicitation":{}}',
    '{"elicitation":{},"sampling":{}}',
    '{"elicitation":{},"roots":{"listChanged":true}}',
    '{"elicitation":{}}',
    // With the broker on every question can be answered, so that this one is not different.
    '{"elicitation":{"url":{}}}',
  ];
  const seen = await Promise.all(
    sets.map(async (capabilities) => {
      const host = await gateway.connect({ capabilities });
      return JSON.parse(await host.call('whoami')) as { session: string; client: string };
    }),
  );
  const [plain, sampling, roots, same, urlOnly] = seen.map(({ session }) => session);
  expect(new Set([plain, sampling, roots]).size).toBe(3);
  expect([same, urlOnly]).toEqual([plain, plain]);
  expect(
    seen.map(({ client }) =>
      Object.keys((JSON.parse(client) as { capabilities: object }).capabilities).sort(),
    ),
  ).toEqual([
    ['elicitation'],
    ['elicitation', 'sampling'],
    ['elicitation', 'roots'],
    ['elicitation'],
    ['elicitation'],
  ]);
});
