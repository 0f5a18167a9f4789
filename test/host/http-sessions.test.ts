// How many sessions there may be, how long an idle one lives, and how all of them end.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import { serveHttp } from '../../src/host/http.ts';
import { silent } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHandler } from '../support/host-handler.ts';
import { within } from '../support/until.ts';
import { eventually, initialize, type Json, openEndpoint, rpc, SERVER_INFO } from './support.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const json = async (response: Response) => (await response.json()) as Json;
const ping = rpc({ id: 1, method: 'ping' });

test('an idle session ends after an hour; every sign of life counts', async () => {
  const { open, clock, handler } = await openEndpoint();
  const [idle, used] = [await open(), await open()];
  clock.advance(HOUR - MINUTE);
  expect((await used.post(ping)).status).toBe(200);
  clock.advance(2 * MINUTE);
  expect((await idle.post(ping)).status).toBe(404);
  expect((await used.post(ping)).status).toBe(200);
  expect(handler.endings).toEqual(['The session was idle for an hour.']);
});

test('a session with an open stream or an open call is not idle', async () => {
  const { open, clock, handler } = await openEndpoint();
  const [listening, calling] = [await open(), await open()];
  const get = await listening.listen();
  const call = calling.post(rpc({ id: 1, method: 'hang' }));
  await eventually(() => handler.exchanges.length).toBe(1);
  clock.advance(2 * HOUR);
  expect(handler.endings).toEqual([]);
  get.cut();
  await calling.post(rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  await (await call).text();
  await eventually(() => {
    clock.advance(HOUR + MINUTE);
    return handler.endings.length;
  }).toBe(2);
});

test('one session over the limit is a 503 that names it; an idle one makes room', async () => {
  const { open, post, clock } = await openEndpoint({ limits: { frameBytes: 1000, sessions: 3 } });
  const [first, second] = [await open(), await open()];
  await open();
  const refused = await post(initialize());
  expect(refused.status).toBe(503);
  expect(refused.headers.get('mcp-session-id')).toBeNull();
  expect(await json(refused)).toMatchObject({
    id: 0,
    error: { message: expect.stringContaining('limits.sessions') },
  });
  clock.advance(4 * MINUTE);
  await first.post(ping);
  clock.advance(2 * MINUTE);
  expect((await post(initialize())).status).toBe(200);
  expect((await first.post(ping)).status).toBe(200);
  // Of the two that were idle, the one idle for longest went; only one had to.
  expect((await second.post(ping)).status).toBe(404);
  expect((await post(initialize())).status).toBe(200);
  expect((await post(initialize())).status).toBe(503);
  await first.delete();
  expect((await post(initialize())).status).toBe(200);
});

test('a session whose welcome fails takes no place', async () => {
  const failing = createHandler({}, () =>
    Promise.reject(new McpxError('store_busy', 'The store is locked.')),
  );
  const { post, handler } = await openEndpoint({
    handler: failing,
    limits: { frameBytes: 1000, sessions: 1 },
  });
  for (let n = 0; n < 3; n += 1) {
    const response = await post(initialize());
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await json(response)).toMatchObject({
      id: 0,
      error: { code: -32603, message: 'The store is locked.' },
    });
  }
  expect(handler.endings).toHaveLength(3);
});

test('a host that goes away while its session is opened leaves none behind', async () => {
  let open = (): void => {};
  const handler = createHandler(
    {},
    () =>
      new Promise((resolve) => {
        open = () => resolve({ capabilities: '{}', instructions: undefined });
      }),
  );
  const { port } = await openEndpoint({ handler, limits: { frameBytes: 1000, sessions: 1 } });
  const body = initialize();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(() => handler.sessions.length).toBe(1);
  socket.destroy();
  await eventually(() => handler.endings.length).toBe(1);
  open();
});

test('close aborts what is open with its reason, ends streams, refuses the rest, and stops listening', async () => {
  const { open, served, handler, post, clock } = await openEndpoint();
  const session = await open();
  const get = await session.listen();
  const stream = await session.stream(rpc({ id: 1, method: 'ask', params: {} }));
  const plain = session.post(rpc({ id: 2, method: 'hang' }), { accept: 'application/json' });
  await eventually(() => handler.exchanges.length).toBe(2);
  const closing = served.close('mcpx is shutting down.');
  expect(handler.exchanges.map(({ signal }) => (signal.reason as Error).message)).toEqual([
    'mcpx is shutting down.',
    'mcpx is shutting down.',
  ]);
  expect(await get.ended).toBe(true);
  expect(await stream.ended).toBe(true);
  const response = await plain;
  expect(response.status).toBe(503);
  expect(await json(response)).toMatchObject({ error: { message: 'mcpx is shutting down.' } });
  await within('the end', closing);
  expect(handler.endings).toEqual(['mcpx is shutting down.']);
  expect(clock.timers).toBe(0);
  await expect(post(initialize())).rejects.toThrow();
});

test('a host that does not read cannot hold up the end', async () => {
  const { open, served, handler, port, clock } = await openEndpoint({
    limits: { frameBytes: 50_000_000, sessions: 5 },
  });
  const session = await open();
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(
    `GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: ${session.id}\r\n\r\n`,
  );
  const host = handler.sessions[0];
  await eventually(() => host?.reachable()).toBe(true);
  const big = JSON.stringify({ level: 'info', data: 'x'.repeat(1_000_000) });
  for (let n = 0; n < 20; n += 1) host?.notify('notifications/message', big);
  const closing = served.close('mcpx is shutting down.');
  clock.advance(1_000);
  await within('the end', closing);
  socket.destroy();
});

test('a reader that is too far behind is cut off, not buffered for', async () => {
  const { open, handler, port } = await openEndpoint({ limits: { frameBytes: 1_000_000, sessions: 5 } });
  const session = await open();
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(
    `GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: ${session.id}\r\n\r\n`,
  );
  const host = handler.sessions[0];
  await eventually(() => host?.reachable()).toBe(true);
  const big = JSON.stringify({ level: 'info', data: 'x'.repeat(900_000) });
  await eventually(() => {
    host?.notify('notifications/message', big, { holdFor: 1 });
    return host?.reachable();
  }).toBe(false);
  socket.destroy();
});

test('a port that is taken is one sentence and what to do', async () => {
  const { port } = await openEndpoint();
  const clock = fakeClock();
  const second = serveHttp({
    host: '127.0.0.1',
    port,
    handler: createHandler(),
    serverInfo: SERVER_INFO,
    log: silent,
    clock,
    limits: { frameBytes: 1000, sessions: 1 },
    allowedHosts: [],
    allowedOrigins: [],
  });
  await expect(second).rejects.toMatchObject({ code: 'failure', hint: expect.stringContaining('--port') });
  expect(clock.timers).toBe(0);
});

test('other routes hang on the same server, behind the same checks', async () => {
  const { port } = await openEndpoint({
    extend: (app) => void app.post('/v1/x', async (request) => ({ got: request.body })),
  });
  const send = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/v1/x`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect(await (await send({})).json()).toEqual({ got: { a: 1 } });
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403);
});
