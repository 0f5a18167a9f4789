// Who gets in: a token for /v1, and Host and Origin on every route.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localToken } from '../../src/api/tokens.ts';
import { question } from '../broker/question.ts';
import { testScope } from '../support/scope.ts';
import { CI_TOKEN, serveApi, sha256, TOKEN } from './support.ts';

const ROUTES = [
  ['GET', '/v1/elicit'],
  ['GET', '/v1/elicit/elc-0000000000000000'],
  ['POST', '/v1/elicit/elc-0000000000000000/accept'],
  ['POST', '/v1/elicit/elc-0000000000000000/decline'],
  ['POST', '/v1/elicit/elc-0000000000000000/cancel'],
  ['POST', '/v1/elicit/elc-0000000000000000/done'],
  ['GET', '/v1/events'],
  ['GET', '/v1/health'],
  ['GET', '/v1/nothing-here'],
] as const;

test.each(ROUTES)('%s %s needs a token that is known', async (method, path) => {
  const { ask } = await serveApi();
  const authorizations = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${await sha256(TOKEN)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ];
  for (const authorization of authorizations) {
    const headers = authorization === undefined ? {} : { authorization };
    const got = await ask(path, { method, token: undefined, headers });
    expect([authorization, got.status, got.json.error?.code]).toEqual([authorization, 401, 'forbidden']);
    expect(got.headers['www-authenticate']).toBe('Bearer realm="mcpx"');
    expect(got.text).not.toContain(TOKEN);
  }
});

test('every known token opens, whatever the case of "Bearer"; the document needs none', async () => {
  const { ask } = await serveApi();
  for (const token of [TOKEN, CI_TOKEN]) expect((await ask('/v1/health', { token })).status).toBe(200);
  const headers = { authorization: `bearer  ${TOKEN}` };
  expect((await ask('/v1/health', { token: undefined, headers })).json).toEqual({
    status: 'ok',
    version: '1.2.3',
  });
  expect((await ask('/openapi.json', { token: undefined })).status).toBe(200);
});

test.each([...ROUTES, ['GET', '/openapi.json'] as const])(
  'C27: %s %s is not served to a page of another site, token or not',
  async (method, path) => {
    const { ask, port } = await serveApi();
    const refused: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1.evil.example:${port}` },
      { host: 'evil.example' },
      { host: `evil.example:${port}` },
    ];
    for (const headers of refused)
      expect([headers, (await ask(path, { method, headers })).status]).toEqual([headers, 403]);
    const names = [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`];
    for (const host of path === '/v1/events' ? [] : names)
      expect((await ask(path, { method, headers: { host } })).status).not.toBe(403);
  },
);

test('C27: a refusal has the shape and the code of any other', async () => {
  const { ask } = await serveApi();
  const { json } = await ask('/v1/elicit', { headers: { origin: 'https://evil.example' } });
  expect(json).toEqual({
    error: {
      code: 'forbidden',
      message: expect.any(String),
      hint: expect.stringContaining('allowedOrigins'),
    },
  });
});

test('C27: nothing but JSON is read, and a form that a page could post answers nothing', async () => {
  const { ask, broker } = await serveApi();
  const { id } = await broker.open(question());
  const body = '{"content":{"repo":"x"}}';
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    undefined,
  ]) {
    for (const action of ['accept', 'decline', 'cancel', 'done']) {
      const headers = type === undefined ? {} : { 'content-type': type };
      const got = await ask(`/v1/elicit/${id}/${action}`, { method: 'POST', body, headers });
      expect([type, got.status, got.json.error?.code]).toEqual([type, 415, 'usage']);
    }
  }
  expect((await broker.get(id)).state).toBe('pending');
  const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
  expect((await ask(`/v1/elicit/${id}/accept`, { method: 'POST', body, headers })).status).toBe(200);
});

test('C27: GET changes nothing, and neither does any method but POST', async () => {
  const { ask, broker } = await serveApi();
  const { id } = await broker.open(question());
  for (const action of ['accept', 'decline', 'cancel', 'done']) {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      const got = await ask(`/v1/elicit/${id}/${action}?content=%7B%7D&consent=true`, { method });
      expect([method, got.status, got.headers['allow']]).toEqual([method, 405, 'POST']);
    }
  }
  for (const path of ['/v1/elicit', `/v1/elicit/${id}`, '/v1/events', '/v1/health'])
    expect((await ask(path, { method: 'DELETE' })).headers['allow']).toBe('GET');
  expect((await broker.get(id)).state).toBe('pending');
});

test('what is not there is 404 in the same shape, also where the path is odd', async () => {
  const { ask } = await serveApi();
  for (const path of ['/v1', '/v1/', '/v1/elicit/a/b/c', `/v1/elicit/${'a'.repeat(90)}`]) {
    const got = await ask(path);
    expect([path, got.status, got.json.error?.code]).toEqual([path, 404, 'not_found']);
  }
  for (const [path, status] of [
    ['/v1/elicit/%zz', 400],
    [`/v1/elicit/${'a'.repeat(900)}`, 414],
  ] as const) {
    const got = await ask(path);
    expect([got.status, got.json.error?.code]).toEqual([status, 'usage']);
  }
});

test('the local token is made once, for its owner alone', () => {
  const dir = testScope().dir();
  const first = localToken(dir);
  expect(localToken(dir).sha256).toBe(first.sha256);
  expect(first).toMatchObject({ name: 'local', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(statSync(join(dir, 'token')).mode & 0o777).toBe(0o600);
});
