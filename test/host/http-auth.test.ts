// Whose requests the MCP endpoint takes, and that nobody reaches the session of another principal.
import { expect, test } from 'vitest';
import { tokenDigest } from '../../src/broker/principals.ts';
import { bindsLoopback } from '../../src/host/http-auth.ts';
import { type Log, type LogFields, silent } from '../../src/log.ts';
import { createHandler } from '../support/host-handler.ts';
import { initialize, type Json, openEndpoint, rpc } from './support.ts';

const TOKENS = [
  { name: 'local', sha256: tokenDigest('operator') },
  { name: 'ada', sha256: tokenDigest('a-token') },
  { name: 'ada', sha256: tokenDigest('her-next-token') },
  { name: 'ben', sha256: tokenDigest('b-token') },
];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const json = async (response: Response) => (await response.json()) as Json;

test.each([
  ['no header', undefined, 'Bearer realm="mcpx"', 'needs a token'],
  ['an empty one', '', 'Bearer realm="mcpx", error="invalid_token"', 'unknown token'],
  ['another scheme', 'Basic YTpi', 'Bearer realm="mcpx", error="invalid_token"', 'unknown token'],
  ['an unknown token', 'Bearer nope', 'Bearer realm="mcpx", error="invalid_token"', 'unknown token'],
  [
    'the digest itself',
    `Bearer ${tokenDigest('a-token')}`,
    'Bearer realm="mcpx", error="invalid_token"',
    'unknown token',
  ],
])('%s is a 401 that says how, for every method', async (_what, authorization, challenge, why) => {
  const { fetch, handler } = await openEndpoint({ tokens: TOKENS });
  const given = authorization === undefined ? {} : { authorization };
  const requests: (RequestInit & { headers: Record<string, string> })[] = [
    { method: 'POST', body: initialize(), headers: { 'content-type': 'application/json', ...given } },
    { method: 'GET', headers: { accept: 'text/event-stream', ...given } },
    { method: 'DELETE', headers: { 'mcp-session-id': 'x', ...given } },
  ];
  for (const request of requests) {
    const response = await fetch(request);
    expect([request.method, response.status]).toEqual([request.method, 401]);
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(await json(response)).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringContaining(why) },
    });
  }
  expect(handler.sessions).toEqual([]);
});

test('a token names the principal of its sessions; without tokens everybody is the local operator', async () => {
  const guarded = await openEndpoint({ tokens: TOKENS });
  for (const token of ['a-token', 'her-next-token', 'b-token', 'operator'])
    expect((await guarded.post(initialize(), bearer(token))).status).toBe(200);
  expect(guarded.handler.sessions.map(({ facts }) => facts.principal)).toEqual([
    'ada',
    'ada',
    'ben',
    'local',
  ]);
  const open = await openEndpoint();
  await open.post(initialize(), bearer('whatever'));
  expect(open.handler.sessions[0]?.facts.principal).toBe('local');
});

test('C20: the session of another is as unknown as one that never was, and the attempt is logged', async () => {
  const lines: LogFields[] = [];
  const log: Log = { ...silent, warn: (fields) => lines.push(fields) };
  const handler = createHandler();
  const { fetch, post } = await openEndpoint({ tokens: TOKENS, handler, log });
  const opened = await post(initialize(), bearer('a-token'));
  const id = opened.headers.get('mcp-session-id') ?? '';
  const version = { 'mcp-protocol-version': '2025-11-25' };
  const ping = rpc({ id: 7, method: 'ping' });
  const answer = rpc({ id: 'mcpx-1', result: { action: 'accept', content: {} } });

  const attempts = async (session: string): Promise<unknown[]> => {
    const own = { ...bearer('b-token'), 'mcp-session-id': session, ...version };
    const stream = { accept: 'text/event-stream', ...own };
    const responses = [
      await post(ping, own),
      await post(answer, own),
      await fetch({ headers: stream }),
      await fetch({ headers: { ...stream, 'last-event-id': '1-1' } }),
      await fetch({ method: 'DELETE', headers: own }),
    ];
    return Promise.all(
      responses.map(async (response) => [
        response.status,
        [...response.headers].filter(([name]) => name !== 'date'),
        await response.text(),
      ]),
    );
  };
  const foreign = await attempts(id);
  expect(foreign).toEqual(await attempts('never-was'));
  expect(foreign.map((one) => (one as [number])[0])).toEqual([404, 404, 404, 404, 404]);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatchObject({ principal: 'ben', owner: 'ada' });
  expect(JSON.stringify(lines)).not.toContain(id);

  // The session is as it was: its owner goes on with it, also with the next token of the same principal.
  const hers = { ...bearer('her-next-token'), 'mcp-session-id': id, ...version };
  expect(await json(await post(ping, hers))).toMatchObject({ id: 7, result: {} });
  expect(handler.endings).toEqual([]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['::1', true],
  ['[::1]', true],
  ['0:0:0:0:0:0:0:1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
  ['::ffff:1', false],
  ['example.com', false],
  ['127.0.0.1.example.com', false],
])('binding %s is for this machine alone: %s', (host, expected) => {
  expect(bindsLoopback(host)).toBe(expected);
});
