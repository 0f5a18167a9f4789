// ELI-10: `elicitationId`: mcpx's own towards 2025-11-25 hosts, none where the revision has none, the upstream's on the row.
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { FORM_AND_URL, paramsOf, urlParams } from '../support/url.ts';
import { checkWire } from '../support/wire.ts';

for (const transport of HOST_TRANSPORTS) {
  test(`over ${transport}: the same id asked twice is two ids at the host, each the id of its row`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows } = await gatewayWithHost(
      scope,
      transport,
      { servers: { one: upstream.entry } },
      { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"accept"}' }) },
    );
    await host.ask({ params: [urlParams(), urlParams()] });
    const all = await rows(['--all']);
    expect(all.map(({ elicitationId }) => elicitationId)).toEqual(['u-1', 'u-1']);
    expect(
      host.questions
        .map(paramsOf)
        .map(({ elicitationId }) => elicitationId)
        .sort(),
    ).toEqual(all.map(({ id }) => id).sort());
    await checkWire(host.wire, { revision: '2025-11-25' });
  });
}

test('a form that carries an id is put to an older host without it', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { host } = await gatewayWithHost(
    scope,
    'stdio',
    { servers: { one: upstream.entry } },
    {
      revision: '2025-06-18',
      capabilities: '{"elicitation":{}}',
      answer: () => ({ result: '{"action":"decline"}' }),
    },
  );
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  await host.ask({
    params: JSON.stringify({ mode: 'form', elicitationId: 'f-1', message: 'm', requestedSchema: schema }),
  });
  expect(host.questions.map(paramsOf)).toEqual([
    { message: 'one (via mcpx) asks: m', requestedSchema: schema },
  ]);
  await checkWire(host.wire, { revision: '2025-06-18' });
});

test.each([
  ['without an id', { elicitationId: undefined }],
  ['with an id that is not a string', { elicitationId: 7 }],
  ['without a URL', { url: undefined }],
  ['with a URL that is none', { url: 'not a url' }],
  ['with a relative URL', { url: '/connect' }],
])('a url question %s is refused with -32602, and leaves no row', async (_what, broken) => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { host, rows } = await gatewayWithHost(
    scope,
    'stdio',
    { servers: { one: upstream.entry } },
    { capabilities: FORM_AND_URL },
  );
  const { answers } = await host.ask({ params: urlParams(broken) });
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ code: -32602 });
  expect(host.questions).toEqual([]);
  expect(await rows(['--all'])).toEqual([]);
});
