// C27: web pages cannot drive the gateway: neither by a name that they rebound, nor by posting across sites.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

test('Host, Origin, Content-Type and method are checked on /mcp and on the way to answer', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  (await gateway.connect()).startCall('ask');
  const { id } = await until('the question', async () => (await gateway.rows())[0]);
  const { port } = new URL(gateway.url);
  const token = await import('node:fs').then(({ readFileSync }) =>
    readFileSync(`${gateway.stateDir}/token`, 'utf8').trim(),
  );
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const routes = [
    { path: '/mcp', body: ping },
    { path: `/v1/elicit/${id}/accept`, body: '{"content":{"repo":"stolen"}}' },
  ];
  const send = (path: string, body: string, headers: Record<string, string>, method = 'POST') =>
    new Promise<number>((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          setHost: headers['host'] === undefined,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${token}`,
            ...headers,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(method === 'GET' ? undefined : body);
    });

  for (const { path, body } of routes) {
    const refused = {
      'a page of another site': await send(path, body, { origin: 'https://evil.example' }),
      'a sandboxed page': await send(path, body, { origin: 'null' }),
      'a name that was rebound': await send(path, body, { host: 'evil.example' }),
      'the same with our port': await send(path, body, { host: `evil.example:${port}` }),
      'a loopback name inside another': await send(path, body, { host: `127.0.0.1.evil.example:${port}` }),
    };
    expect([path, refused]).toEqual([
      path,
      Object.fromEntries(Object.keys(refused).map((what) => [what, 403])),
    ]);
    expect([path, await send(path, body, { 'content-type': 'text/plain' })]).toEqual([path, 415]);
    expect([path, await send(path, body, {}, 'GET')]).toEqual([path, path === '/mcp' ? 400 : 405]);
  }
  expect((await gateway.row(id)).state).toBe('pending');
  // The answer needs its token; a page cannot know it.
  expect(await send(routes[1]?.path ?? '', routes[1]?.body ?? '', { authorization: 'Bearer guess' })).toBe(
    401,
  );

  // No page at all, and the names of this machine.
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost'])
    expect([host, await send('/mcp', ping, { host })]).toEqual([host, 400]);
  expect(
    await send(routes[1]?.path ?? '', '{"content":{"repo":"mine"}}', { host: `localhost:${port}` }),
  ).toBe(200);
  expect((await gateway.row(id)).answer?.content).toEqual({ repo: 'mine' });
});
