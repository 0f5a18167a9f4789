// C20: whoever knows an id is not its owner: B can neither see nor answer A's question, by any way; A can.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import type { HttpHost } from '../support/host-http.ts';
import { answersOf } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('B gets the same as for an unknown id, nothing changes, the attempts are logged, and A answers', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const tokens = [
    { name: 'ada', sha256: sha256('a') },
    { name: 'ben', sha256: sha256('b') },
  ];
  const gateway = await startGateway(scope, {
    servers: { fixture: upstream.entry },
    config: { serve: { auth: { tokens } } },
  });
  const ada = await gateway.connect(as('a'));
  const ben = await gateway.connect({ ...as('b'), capabilities: '{"elicitation":{}}' });
  const call = ada.startCall('ask');
  const row = await until('the question', async () => (await gateway.rows())[0]);

  const base = gateway.url.replace(/\/mcp$/, '');
  const rest = async (token: string, method: string, path: string, body?: string) => {
    const response = await fetch(`${base}/v1/elicit${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: (await response.text()).replaceAll(/elc-[0-9a-f]+/g, 'ID') };
  };
  const everything = async (id: string) => [
    await rest('b', 'GET', `/${id}`),
    await rest('b', 'GET', `/${id.slice(0, 12)}`),
    await rest('b', 'POST', `/${id}/accept`, '{"content":{"repo":"stolen"}}'),
    await rest('b', 'POST', `/${id}/decline`, '{}'),
    await rest('b', 'POST', `/${id}/cancel`, '{}'),
    await rest('b', 'POST', `/${id}/done`, '{}'),
  ];
  const foreign = await everything(row.id);
  expect(foreign).toEqual(await everything('elc-0123456789abcdef'));
  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect(JSON.parse((await rest('b', 'GET', '?state=all')).text)).toEqual({ rows: [] });

  // By A's session: to answer in it, to listen to it, to end it.
  const inHers = (method: string, body?: string) =>
    fetch(gateway.url, {
      method,
      headers: {
        authorization: 'Bearer b',
        'mcp-session-id': (ada as HttpHost).sessionId ?? '',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      ...(body !== undefined && { body }),
    }).then(({ status }) => status);
  const answer = `{"jsonrpc":"2.0","id":"${row.id}","result":{"action":"accept","content":{"repo":"stolen"}}}`;
  expect([await inHers('POST', answer), await inHers('GET'), await inHers('DELETE')]).toEqual([
    404, 404, 404,
  ]);
  await ben.raw(answer);
  expect(ben.questions).toEqual([]);

  expect(await gateway.row(row.id)).toMatchObject({ state: 'pending', principal: 'ada' });
  const logged = gateway.process
    .stderr()
    .split('\n')
    .filter((line) => line.includes('another principal'));
  expect(logged.length).toBeGreaterThanOrEqual(8);
  expect(logged.some((line) => line.includes(row.id) && line.includes('"ben"'))).toBe(true);

  expect(await rest('a', 'POST', `/${row.id}/accept`, '{"content":{"repo":"mine"}}')).toMatchObject({
    status: 200,
  });
  expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"mine"}}']);
  // The local operator sees it, too.
  expect((await gateway.row(row.id)).answer).toMatchObject({ by: 'rest' });
});

test('without tokens nothing but this machine is served: exit 2 with the mend', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const { install } = await import('../support/gateway.ts');
  const installation = install(scope, { servers: { fixture: upstream.entry } });
  const refused = await installation.mcpx(['serve', '--port', '0', '--host', '0.0.0.0']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('serve.auth.tokens');
  expect(refused.stdout).toBe('');
});
