// C57: a gateway starts with the servers it has; a bad key, an unknown session, a foreign row are each said as what they are.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, serveHttp, startGateway } from '../support/gateway.ts';
import { errorOf } from '../support/modern-scene.ts';
import { restOf } from '../support/rest.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';

test('one command is missing: the others are served, and logs, servers and calls say what is wrong', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const servers = { good: upstream.entry, gone: { command: '/nowhere/tool' } };
  const gateway = await startGateway(scope, { servers });
  expect(gateway.process.stderr()).toMatch(/"server":"gone".*\/nowhere\/tool, which does not exist/);
  const { servers: states } = (await restOf(gateway).ask('/v1/servers')).json;
  expect(states).toMatchObject([
    { name: 'good' },
    { name: 'gone', state: 'failed', error: { code: 'config' } },
  ]);
  const host = await gateway.connect();
  expect(await host.call('good__echo', { text: 'hi' })).toContain('hi');
  expect(errorOf(await host.startCall('gone__x').reply).message).toContain('cannot start "/nowhere/tool"');
  const listed = await gateway.mcpx(['servers']);
  expect(listed).toMatchObject({ code: 5, stdout: expect.stringMatching(/good +ready[\s\S]*gone +failed/) });
});

test.each([
  ['the only one', { gone: { command: '/nowhere/tool' } }],
  [
    'every one',
    {
      gone: { command: '/nowhere/tool' },
      more: { command: './nor-this' },
      off: { command: 'x', disabled: true },
    },
  ],
])('%s is missing: nothing is started', async (_what, servers) => {
  const scope = testScope();
  const { code, stderr } = await install(scope, { servers }).mcpx(['serve', '--port', '0']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('/nowhere/tool, which does not exist'),
  });
});

test('a state.key that is no key is named by its path', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const installation = install(scope, { servers: { one: upstream.entry } });
  mkdirSync(installation.stateDir, { recursive: true, mode: 0o700 });
  const path = join(installation.stateDir, 'state.key');
  writeFileSync(path, 'not a key\n', { mode: 0o600 });
  const { code, stderr } = await installation.mcpx(['serve', '--port', '0']);
  expect(code).toBe(2);
  expect(stderr).toContain(`${path} must hold 64 hexadecimal digits`);
  expect(stderr).toContain('Delete it');
});

test('an initialize under a session that does not exist says to leave the header out, under its own id', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await serveHttp(scope, install(scope, { servers: { one: upstream.entry } }));
  const ask = async (method: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': 'never-was',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'mine',
        method,
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'h', version: '1' } },
      }),
    });
    return { status: response.status, text: await response.text() };
  };
  const refused = await ask('initialize');
  expect(refused.status).toBe(404);
  expect(JSON.parse(refused.text)).toMatchObject({
    id: 'mine',
    error: { message: expect.stringContaining('without the Mcp-Session-Id header') },
  });
  expect((await ask('tools/list')).status).toBe(404);
});
