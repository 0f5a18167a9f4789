// ELI-23: a question goes to one host session only, whoever else is connected, and says whose it is wherever it stands.
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { FORM_AND_URL, paramsOf, urlParams } from '../support/url.ts';

test.each([
  ['form', '{"message":"Which?","requestedSchema":{"type":"object","properties":{}}}'],
  ['url', urlParams({ message: 'Which?' })],
])('three sessions of one client: a %s question goes to the one that called', async (_mode, params) => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http', entry: { isolation: 'shared' } });
  const gateway = await startGateway(scope, { servers: { github: upstream.entry } });
  const hosts = await Promise.all(
    [0, 1, 2].map(() => gateway.connect({ name: 'editor', capabilities: FORM_AND_URL })),
  );
  for (const host of hosts) expect(await host.openStream()).toBe(200);
  const [, caller] = hosts;
  if (!caller) throw new Error('no host');
  const call = caller.startCall('ask', { params });
  const question = await caller.question();
  expect(paramsOf(question)['message']).toBe('github (via mcpx) asks: Which?');
  const [row] = await gateway.rows();
  expect(row).toMatchObject({
    server: 'github',
    tool: 'ask',
    host: { name: 'editor', revision: '2025-11-25', inline: true },
  });
  const shown = (await gateway.mcpx(['elicit', 'show', row?.id ?? ''])).stdout;
  for (const fact of ['github', 'ask', 'editor']) expect(shown).toContain(fact);
  // An answer of another session under the same id is none.
  await hosts[0]?.reply(question, { result: '{"action":"accept"}' });
  expect((await gateway.row(row?.id ?? '')).state).toBe('pending');
  await caller.reply(question, { result: '{"action":"decline"}' });
  expect(await call.reply).toHaveProperty('result', expect.stringContaining('decline'));
  expect(hosts.map(({ questions }) => questions.length)).toEqual([0, 1, 0]);
});

test('a session that ends takes its questions with it, and nobody else is asked instead', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http', entry: { isolation: 'shared' } });
  const gateway = await startGateway(scope, { servers: { github: upstream.entry } });
  const [caller, other] = await Promise.all([0, 1].map(() => gateway.connect({ capabilities: CAN_ASK })));
  if (!caller || !other) throw new Error('no hosts');
  expect(await other.openStream()).toBe(200);
  caller.startCall('ask');
  await caller.question();
  expect(await caller.end()).toBe(204);
  await other.call('whoami');
  const [row] = await gateway.rows(['--all']);
  expect(row).toMatchObject({ state: 'withdrawn', reason: expect.stringContaining('session') });
  expect(other.questions).toEqual([]);
});
