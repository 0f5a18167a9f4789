// C27: a web page of another site, or one that rebinds its name to 127.0.0.1, drives neither the endpoint nor the answers.
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import type { HttpGateway } from '../support/gateway.ts';
import { restOf } from '../support/rest.ts';
import { type Scene, scene } from '../support/scene.ts';

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** fetch would choose Host and Origin by itself. */
function sender(base: string): (what: Sent) => Promise<number> {
  return ({ method = 'POST', path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${base}${path}`, { method, headers, agent: false });
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      outgoing.end(body);
    });
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
});

async function asked(): Promise<{
  readonly at: Scene;
  readonly id: string;
  readonly port: string;
  readonly send: ReturnType<typeof sender>;
  readonly requests: readonly Sent[];
}> {
  const at = await scene();
  const rest = restOf(at.gateway as HttpGateway & typeof at.gateway);
  at.host.startCall('ask');
  const { id } = await at.row();
  const json = { 'content-type': 'application/json' };
  const requests: Sent[] = [
    { path: '/mcp', headers: { ...json, accept: 'application/json, text/event-stream' }, body: INITIALIZE },
    {
      path: `/v1/elicit/${id}/accept`,
      headers: { ...json, authorization: `Bearer ${rest.token}` },
      body: '{"content":{"repo":"evil"}}',
    },
  ];
  return { at, id, port: new URL(rest.base).port, send: sender(rest.base), requests };
}

test('foreign origins and names are refused on both, and loopback names without an origin are not', async () => {
  const { at, port, send, requests } = await asked();
  for (const one of requests) {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    ])
      expect([one.path, headers, await send({ ...one, headers: { ...one.headers, ...headers } })]).toEqual([
        one.path,
        headers,
        403,
      ]);
  }
  await at.pending(1);
  for (const host of [`localhost:${port}`, `[::1]:${port}`]) {
    const [endpoint, answer] = requests;
    if (endpoint === undefined || answer === undefined) throw new Error('there are two');
    expect(await send({ ...endpoint, headers: { ...endpoint.headers, host } })).toBe(200);
    // The first of the two answers; the second finds it answered.
    expect([200, 409]).toContain(await send({ ...answer, headers: { ...answer.headers, host } }));
  }
});

test('an answer needs a token and JSON, and GET answers nothing', async () => {
  const { at, id, send, requests } = await asked();
  const [endpoint, answer] = requests;
  if (endpoint === undefined || answer === undefined) throw new Error('there are two');
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    for (const one of [endpoint, answer])
      expect(await send({ ...one, headers: { ...one.headers, 'content-type': type } })).toBe(415);
  }
  const { authorization = '', ...without } = answer.headers ?? {};
  expect(await send({ ...answer, headers: without })).toBe(401);
  expect(await send({ ...answer, headers: { ...without, authorization: `${authorization}x` } })).toBe(401);
  for (const action of ['accept', 'decline', 'cancel'])
    expect(
      await send({ method: 'GET', path: `/v1/elicit/${id}/${action}`, headers: { authorization } }),
    ).toBe(405);
  await at.pending(1);
});

test('by default nobody but this machine can connect', async () => {
  const { port } = await asked();
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  for (const { address } of outside)
    await expect(
      sender(`http://${address}:${port}`)({ method: 'GET', path: '/openapi.json' }),
    ).rejects.toThrow();
});
