// ELI-09: url questions: declared to upstreams, relayed inline where the host declared url, else kept by the broker.
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS, startGateway } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { FORM_AND_URL, paramsOf, urlParams } from '../support/url.ts';
import { checkWire } from '../support/wire.ts';

const ACCEPT = { result: '{"action":"accept"}' };

for (const transport of HOST_TRANSPORTS) {
  test(`a url question reaches a host over ${transport} under an id of mcpx's own`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const gateway = await gatewayWithHost(
      scope,
      transport,
      { servers: { github: upstream.entry } },
      { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"accept","content":{"x":1}}' }) },
    );
    const { answers } = await gateway.host.ask({ params: urlParams() });
    // Consent is all that comes back; content has no place in it.
    expect(answers).toEqual(['{"action":"accept"}']);
    const [row] = await gateway.rows(['--all']);
    expect(row).toMatchObject({
      state: 'accepted',
      mode: 'url',
      elicitationId: 'u-1',
      url: 'https://mcp.example.com/connect?x=1&y=2',
      answer: { action: 'accept', by: 'host' },
      host: { inline: true },
    });
    expect(row?.answer).not.toHaveProperty('content');
    expect(paramsOf(await gateway.host.question())).toEqual({
      mode: 'url',
      elicitationId: row?.id,
      url: 'https://mcp.example.com/connect?x=1&y=2',
      message: 'github (via mcpx) asks: Link account',
    });
    await checkWire(gateway.host.wire, { revision: '2025-11-25' });
    await checkWire(upstream.wire(), { revision: '2025-11-25' });
  });
}

test.each([
  ['all', FORM_AND_URL, '2025-11-25', { form: {}, url: {} }],
  ['all', '{}', '2025-11-25', { form: {}, url: {} }],
  ['all', '{"elicitation":{}}', '2025-06-18', { form: {}, url: {} }],
  ['host', FORM_AND_URL, '2025-11-25', { form: {}, url: {} }],
  ['host', '{"elicitation":{"url":{}}}', '2025-11-25', { url: {} }],
  ['host', '{"elicitation":{}}', '2025-11-25', { form: {} }],
  ['host', '{"elicitation":{}}', '2025-06-18', { form: {} }],
  ['host', '{"elicitation":{"url":{}}}', '2025-06-18', { form: {} }],
  ['host', '{}', '2025-11-25', undefined],
  ['host', '{"elicitation":{"form":{}}}', '2025-03-26', undefined],
])(
  'with audience %s, a host that declared %s at %s is declared as %j',
  async (audience, capabilities, revision, declared) => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const gateway = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry }, config: { elicit: { audience } } },
      { capabilities, revision },
    );
    await gateway.host.call('whoami');
    const hello = await upstream.message('initialize', ({ method }) => method === 'initialize');
    const { capabilities: sent } = hello['params'] as { capabilities: Record<string, unknown> };
    expect(sent['elicitation']).toEqual(declared);
  },
);

test.each([
  ['2025-11-25', '{"elicitation":{}}'],
  ['2025-11-25', '{"elicitation":{"form":{}}}'],
  ['2025-11-25', '{}'],
  ['2025-06-18', '{"elicitation":{"url":{}}}'],
  ['2025-03-26', '{}'],
  ['2024-11-05', '{}'],
])(
  'a host at %s that declared %s is never sent one; it waits in the broker',
  async (revision, capabilities) => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const gateway = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry } },
      { capabilities, revision, answer: () => ACCEPT },
    );
    const asking = gateway.host.ask({ params: urlParams() });
    const row = await until('the row', async () => (await gateway.rows())[0]);
    expect(row).toMatchObject({ mode: 'url', audience: 'human', host: { inline: false } });
    const accepted = await gateway.mcpx(['elicit', 'accept', row.id, '--yes']);
    expect(accepted.stderr).toContain('https://mcp.example.com/connect?x=1&y=2');
    expect(accepted).toMatchObject({ code: 0 });
    expect((await asking).answers).toEqual(['{"action":"accept"}']);
    expect(gateway.host.questions).toEqual([]);
  },
);

test('two upstreams that choose one id are two questions, and each answer goes to its own', async () => {
  const scope = testScope();
  const [one, two] = await Promise.all([
    fixtureUpstream(scope, { transport: 'stdio' }),
    fixtureUpstream(scope, { transport: 'http' }),
  ]);
  const gateway = await startGateway(scope, { servers: { one: one.entry, two: two.entry } });
  const host = await gateway.connect({ capabilities: FORM_AND_URL });
  const calls = [
    host.startCall('one__ask', { params: urlParams() }),
    host.startCall('two__ask', { params: urlParams() }),
  ];
  const asked = [await host.question(0), await host.question(1)];
  const [first, second] = asked.map(paramsOf);
  expect(first?.['elicitationId']).not.toBe(second?.['elicitationId']);
  for (const question of asked) {
    const action = String(paramsOf(question)['message']).startsWith('one ') ? 'accept' : 'decline';
    await host.reply(question, { result: `{"action":"${action}"}` });
  }
  const replies = await Promise.all(calls.map(({ reply }) => reply));
  expect(
    replies
      .map((reply) => ('result' in reply ? reply.result : ''))
      .map((text) => /accept|decline/.exec(text)?.[0]),
  ).toEqual(['accept', 'decline']);
});
