// Limits on what waits for people and on answers: the error names the limit, and nobody else is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const refusal = (text: string | undefined) => JSON.parse(text ?? '') as { code: number; message: string };

describe('questions that wait for people', () => {
  test('are refused over limits.openPerServer to that server alone, and not where the host answers', async () => {
    const scope = testScope();
    const [loud, quiet] = [
      await fixtureUpstream(scope, { transport: 'stdio' }),
      await fixtureUpstream(scope, { transport: 'stdio' }),
    ];
    const gateway = await startGateway(scope, {
      servers: { loud: loud.entry, quiet: quiet.entry },
      config: { limits: { openPerServer: 2 } },
    });
    const host = await gateway.connect();
    host.startCall('loud__ask', { count: 2 });
    await until('two questions', async () => (await gateway.rows()).length === 2);
    const [refused] = await answersOf(host.startCall('loud__ask').reply);
    expect(refusal(refused)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/loud .*limits\.openPerServer/),
    });
    host.startCall('quiet__ask');
    const rows = await until('the third', async () => {
      const open = await gateway.rows();
      return open.length === 3 && open;
    });
    expect(rows.map(({ server }) => server).sort()).toEqual(['loud', 'loud', 'quiet']);

    const capable = await gateway.connect({
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"decline"}' }),
    });
    expect(await answersOf(capable.startCall('loud__ask', { count: 3 }).reply)).toEqual(
      Array(3).fill('{"action":"decline"}'),
    );
    // A place that is given back is free.
    await gateway.mcpx(['elicit', 'cancel', rows.find(({ server }) => server === 'loud')?.id ?? '']);
    host.startCall('loud__ask');
    await until('three again', async () => (await gateway.rows()).length === 3);
  });

  test('are refused over limits.newPerMinute, also when the host turns out not to answer', async () => {
    const it = await scene({ host: { capabilities: CAN_ASK }, config: { limits: { newPerMinute: 2 } } });
    it.host.answerWith(() => ({ error: '{"code":-32603,"message":"no dialog"}' }));
    const call = it.host.startCall('ask', { count: 3 });
    const rows = await it.pending(2);
    for (const { id } of rows) expect((await it.gateway.mcpx(['elicit', 'decline', id])).code).toBe(0);
    const answers = await answersOf(call.reply);
    expect(answers.filter((one) => one === '{"action":"decline"}')).toHaveLength(2);
    const refused = answers.find((one) => one.includes('-32602'));
    expect(refusal(refused).message).toContain('limits.newPerMinute');
    expect(await it.rowIn('cancelled')).toMatchObject({
      answer: { by: 'mcpx' },
      reason: expect.stringContaining('limits.newPerMinute'),
    });
  });
});

test('an answer over limits.answerBytes is not taken from the host, the command line or over HTTP', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, {
    servers: { fixture: upstream.entry },
    config: { limits: { answerBytes: 100 } },
  });
  const host = await gateway.connect({ capabilities: CAN_ASK });
  const long = 'x'.repeat(200);
  host.answerWith(() => ({ result: `{"action":"accept","content":{"repo":"${long}"}}` }));
  const call = host.startCall('ask');
  const row = await until('the host to be refused', async () =>
    (await gateway.rows()).find(({ reason }) => reason !== undefined),
  );
  expect(row).toMatchObject({ state: 'pending', audience: 'human', host: { inline: false } });
  expect(row.reason).toContain('the limit is 100');

  const cli = await gateway.mcpx(['elicit', 'accept', row.id, '-F', `repo=${long}`]);
  expect(cli.code).toBe(1);
  expect(cli.stderr).toContain('limits.answerBytes');
  expect(cli.stderr).not.toContain(long);
  const http = await fetch(gateway.url.replace('/mcp', `/v1/elicit/${row.id}/accept`), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readFileSync(join(gateway.stateDir, 'token'), 'utf8').trim()}`,
      'content-type': 'application/json',
    },
    body: `{"content":{"repo":"${long}"}}`,
  });
  expect(http.status).toBe(413);
  expect(await http.text()).toContain('limits.answerBytes');
  expect((await gateway.row(row.id)).state).toBe('pending');

  expect((await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=short'])).code).toBe(0);
  expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"short"}}']);
});

test.each([
  ['messageBytes', 64, `{"message":"${'m'.repeat(65)}","requestedSchema":{"type":"object","properties":{}}}`],
  [
    'schemaBytes',
    64,
    `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","title":"${'t'.repeat(40)}"}}}}`,
  ],
  [
    'properties',
    1,
    '{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}}',
  ],
  [
    'options',
    2,
    '{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","enum":["1","2","3"]}}}}',
  ],
])('a question over limits.%s is -32602 naming it, and no row', async (name, limit, params) => {
  const it = await scene({ config: { limits: { [name]: limit } }, exempt: ['content', 'params'] });
  const [answer] = (await it.host.ask({ params })).answers;
  expect(refusal(answer)).toMatchObject({ code: -32602, message: expect.stringContaining(`limits.${name}`) });
  expect(await it.gateway.rows(['--all'])).toEqual([]);
});
