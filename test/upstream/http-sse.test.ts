// HTTP+SSE of 2024-11-05: the last thing that is tried, and how it ends.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { type Answer, event, httpDouble, question, result, sse } from './http-double.ts';
import { httpServer, open, watcher } from './open.ts';

/** A server of 2024-11-05: GET opens the stream, `/messages` takes the POSTs, everything else is refused. */
function older(
  endpoint = '/messages?session=1',
  more: (res: ServerResponse, name: string) => void = () => {},
): Answer {
  let stream: ServerResponse | undefined;
  return ({ method, path, message }, res) => {
    if (method === 'GET') {
      stream = sse(res);
      return stream.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    }
    if (method !== 'POST' || path !== '/messages?session=1') return res.writeHead(405).end();
    res.writeHead(202).end('Accepted');
    if (message.id === undefined) return true;
    const { protocolVersion, name } = (message.params ?? {}) as { protocolVersion?: string; name?: string };
    if (name !== undefined) more(stream as ServerResponse, name);
    const { id } = message;
    if (protocolVersion === undefined) return stream?.write(`event: message\n${event(result(id))}`);
    return stream?.write(event(result(id, { protocolVersion: '2024-11-05', capabilities: {} })));
  };
}

test('it is spoken where Streamable HTTP is refused; results come as they were written', async () => {
  const { url, hits } = await httpDouble(
    older(undefined, (stream) => void stream.write(event('{"jsonrpc":"2.0","id":2,"result":{"n":1.0}}'))),
  );
  const { connection, call } = await open(httpServer(url, { authorization: 'Bearer t' }));
  expect(connection.info.revision).toBe('2024-11-05');
  expect(await call('x')).toEqual({ result: '{"n":1.0}' });
  expect(hits.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /mcp',
    'GET /mcp',
    'POST /messages?session=1',
    'POST /messages?session=1',
    'POST /messages?session=1',
  ]);
  expect(new Set(hits.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer t']));
});

test('it is found also where the modern era is preferred', async () => {
  const { url, hits } = await httpDouble(older());
  const { connection, call } = await open(httpServer(url), { prefer: 'modern' });
  expect(connection.info.revision).toBe('2024-11-05');
  expect(await call('x')).toHaveProperty('result');
  const asked = hits.slice(0, 3).map(({ method, message }) => `${method} ${message.method ?? ''}`);
  expect(asked).toEqual(['POST server/discover', 'POST initialize', 'GET ']);
});

test('a question comes on the one stream, without an origin', async () => {
  const { url, hits } = await httpDouble(older(undefined, (stream) => void stream.write(event(question(7)))));
  const { call, question: asked } = await open(httpServer(url));
  await call('x', {}, 'ticket');
  const { id, origin, reply } = await asked();
  expect([id, origin]).toEqual(['7', undefined]);
  expect(await reply({ result: '{"action":"decline"}' })).toBe(true);
  expect(hits.at(-1)?.text).toBe('{"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}');
});

test('the end of the stream is the end of the connection', async () => {
  const { url } = await httpDouble(older(undefined, (stream) => stream.destroy()));
  const { call, closed, connection } = await open(httpServer(url));
  await expect(call('x')).rejects.toThrow('linear: it closed the event stream');
  expect(closed).toEqual(['it closed the event stream']);
  expect(connection.closed).toBe(true);
});

test('closing the connection closes the stream', async () => {
  const { url, hit } = await httpDouble(older());
  const { connection } = await open(httpServer(url));
  await connection.close('over');
  const stream = await hit('the stream', ({ method }) => method === 'GET');
  await until('its end', () => stream.gone);
});

test('an endpoint on another origin is not posted to', async () => {
  const { url, hits } = await httpDouble(older('http://127.0.0.2:1/messages'));
  await expect(open(httpServer(url, { authorization: 'Bearer t' }))).rejects.toThrow(
    /^linear: it names an endpoint outside http:\/\/127\.0\.0\.1:/,
  );
  expect(hits.filter(({ path }) => path !== '/mcp')).toEqual([]);
});

test('a server that speaks neither is reported with its first refusal', async () => {
  const { url, hits } = await httpDouble((_, res) => res.writeHead(404).end('no such page'));
  await expect(open(httpServer(url))).rejects.toMatchObject({
    message: 'linear: answered HTTP 404: no such page',
    hint: expect.stringContaining('"url"'),
  });
  expect(hits.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
});

test('a refusal that says nothing of transports is not followed by a guess', async () => {
  const { url, hits } = await httpDouble((_, res) => res.writeHead(401).end());
  const seen = watcher();
  await expect(open(httpServer(url), { seen })).rejects.toThrow('HTTP 401');
  expect(hits).toHaveLength(1);
  expect(seen.closed).toEqual([]);
});

test('an event stream that names no endpoint is not an HTTP+SSE', async () => {
  const clock = fakeClock();
  const { url, hit } = await httpDouble(({ method }, res) => {
    return method === 'GET' ? sse(res).write(': hello\n\n') : res.writeHead(400).end('bad request');
  });
  const failed = expect(open(httpServer(url), { clock })).rejects.toThrow(
    'linear: answered HTTP 400: bad request',
  );
  const stream = await hit('the GET', ({ method }) => method === 'GET');
  await until('the wait for the endpoint', () => clock.timers === 2);
  clock.advance(5_000);
  await failed;
  await until('the stream to be closed', () => stream.gone);
});
