// C54: an Mcp-Param-* header is held against the arguments by a process that has sent no list, too; the list is read first.
import { describe, expect, test } from 'vitest';
import { serveHttp, startGateway } from '../support/gateway.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { errorOf, modernScene } from '../support/modern-scene.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const ARGS = { region: 'west', count: 3, where: { zone: 'z' } };
const RIGHT = { 'mcp-param-region': 'west', 'mcp-param-count': '3', 'mcp-param-zone': 'z' };
const { 'mcp-param-zone': _, ...MISSING } = RIGHT;

const LIES: [string, Record<string, string>][] = [
  ['wrong', { ...RIGHT, 'mcp-param-region': 'east' }],
  ['missing', MISSING],
  ['for an argument that is not there', { ...RIGHT, 'mcp-param-flag': 'true' }],
  ['malformed', { ...RIGHT, 'mcp-param-region': '=?base64?%?=' }],
  ['of another type', { ...RIGHT, 'mcp-param-count': 'three' }],
];

describe.each(['http', 'stdio'] as const)('before a server over %s', (transport) => {
  test('a header that lies is refused by a process that has sent no list, and nothing runs', async () => {
    const { host, calls, upstream, another } = await modernScene({ upstream: { transport } });
    const lists = (): number => upstream.messages().filter(({ method }) => method === 'tools/list').length;
    for (const [what, headers] of LIES)
      expect([what, errorOf(await host.call('headers', ARGS, { headers }).reply).code]).toEqual([
        what,
        -32020,
      ]);
    expect(calls('headers')).toBe(0);
    const more = await another();
    for (const [, headers] of LIES)
      expect(errorOf(await more.host.call('headers', ARGS, { headers }).reply).code).toBe(-32020);
    expect(calls('headers')).toBe(0);
    const before = lists();
    for (const one of [host, more.host])
      expect(await one.call('headers', ARGS, { headers: RIGHT }).reply).toHaveProperty('result');
    expect(calls('headers')).toBe(2);
    expect(lists()).toBe(before);
  });

  test('after a restart, and page by page', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, {
      transport,
      revision: '2026-07-28',
      flags: ['--page-size', '5'],
    });
    const first = await startGateway(scope, { servers: { fixture: upstream.entry } });
    const host = modernHttpHost(first.url);
    await host.send('tools/list').reply;
    await first.process.stop();
    const again = modernHttpHost((await serveHttp(scope, first)).url);
    expect(errorOf(await again.call('headers', ARGS, { headers: MISSING }).reply).code).toBe(-32020);
    expect(await again.call('headers', ARGS, { headers: RIGHT }).reply).toHaveProperty('result');
  });
});

test('first calls that come together ask for one list, and a tool that no list has goes on', async () => {
  const { host, upstream } = await modernScene({ upstream: { transport: 'stdio' } });
  const replies = await Promise.all([
    ...Array.from({ length: 8 }, () => host.call('headers', ARGS, { headers: RIGHT }).reply),
    host.call('no-such-tool').reply,
  ]);
  expect(replies.slice(0, 8).every((reply) => 'result' in reply)).toBe(true);
  expect(replies[8]).toMatchObject({ error: expect.stringContaining('Unknown tool') });
  expect(upstream.messages().filter(({ method }) => method === 'tools/list')).toHaveLength(1);
});

test('a tool that has changed is looked up again before a call is refused', async () => {
  const { host, calls } = await modernScene();
  await host.send('tools/list').reply;
  await host.call('re-annotate', { from: 'Region', to: 'Area' }).reply;
  const { 'mcp-param-region': region, ...rest } = RIGHT;
  const headers = { ...rest, 'mcp-param-area': region };
  expect(await host.call('headers', ARGS, { headers }).reply).toHaveProperty('result');
  expect(errorOf(await host.call('headers', ARGS, { headers: RIGHT }).reply).code).toBe(-32020);
  expect(calls('headers')).toBe(1);
});

describe.each(['prefix', 'plain'])('several servers with naming %s', (naming) => {
  test('each tool is held to the list of its own server; one that lists nothing is named', async () => {
    const scope = testScope();
    const make = (flags: string[]) =>
      fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28', flags });
    const one = await make(['--tools', 'headers,echo']);
    const two = await make(['--tools', 'slow', '--list-asks']);
    const gateway = await startGateway(scope, {
      servers: { one: one.entry, two: two.entry },
      config: { serve: { naming } },
    });
    const host = modernHttpHost(gateway.url);
    scope.defer(() => host.close());
    const name = (server: string, tool: string): string =>
      naming === 'prefix' ? `${server}__${tool}` : tool;
    const tool = name('one', 'headers');
    expect(errorOf(await host.call(tool, ARGS, { headers: MISSING }).reply).code).toBe(-32020);
    expect(await host.call(tool, ARGS, { headers: RIGHT }).reply).toHaveProperty('result');
    const unknown = errorOf(await host.call(name('two', 'slow'), {}).reply);
    expect(unknown.message).toContain('two did not list its tools');
    expect(unknown.code).toBe(-32603);
    expect(two.messages().filter(({ method }) => method === 'tools/call')).toEqual([]);
  });
});
