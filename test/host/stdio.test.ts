// A host on pipes: framing, concurrency, bad input, batches, the end.
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHandler } from '../support/host-handler.ts';
import { within } from '../support/until.ts';
import { eventually, initialize, openPipes, rpc } from './support.ts';

async function opened(revision?: string, options: Parameters<typeof openPipes>[0] = {}) {
  const pipes = openPipes(options);
  pipes.write(initialize(revision), rpc({ method: 'notifications/initialized' }));
  await pipes.next();
  return pipes;
}

test('initialize is answered, in the words of the revision', async () => {
  const pipes = openPipes();
  pipes.write(initialize('2024-11-05', 'first'));
  expect(await pipes.next()).toEqual({
    jsonrpc: '2.0',
    id: 'first',
    result: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'mcpx', version: '1.2.3' },
    },
  });
  expect(pipes.handler.sessions[0]?.facts).toEqual({
    revision: '2024-11-05',
    capabilities: { elicitation: {} },
    clientName: 'test-host',
    principal: 'local',
    transport: 'stdio',
  });
});

test('before initialize only ping is answered', async () => {
  const { write, next, handler } = openPipes();
  write(rpc({ id: 1, method: 'ping' }));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  write(
    rpc({ method: 'notifications/initialized' }),
    rpc({ id: 9, result: {} }),
    rpc({ id: 2, method: 'tools/list' }),
  );
  expect(await next()).toMatchObject({
    id: 2,
    error: { code: -32600, message: expect.stringContaining('initialize first') },
  });
  write(rpc({ id: 3, method: 'initialize', params: {} }));
  expect(await next()).toMatchObject({ id: 3, error: { code: -32602 } });
  write(initialize());
  expect(await next()).toMatchObject({ id: 0, result: {} });
  write(initialize('2025-11-25', 4));
  expect(await next()).toMatchObject({ id: 4, error: { code: -32600 } });
  expect(handler.sessions).toHaveLength(1);
});

test('requests written right behind initialize wait for it', async () => {
  const { write, next } = openPipes();
  write(initialize(), rpc({ method: 'notifications/initialized' }), rpc({ id: 1, method: 'tools/list' }));
  expect(await next()).toMatchObject({ id: 0 });
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
});

test('after a welcome that failed the host may try again', async () => {
  let fail = true;
  const { write, next } = openPipes({
    handler: createHandler({}, () => {
      if (fail) throw new McpxError('store_busy', 'The store is locked.', 'Try again.');
      return { capabilities: '{}', instructions: undefined };
    }),
  });
  write(initialize());
  expect(await next()).toMatchObject({
    id: 0,
    error: { code: -32603, message: 'The store is locked. Try again.' },
  });
  fail = false;
  write(initialize('2025-11-25', 1));
  expect(await next()).toMatchObject({ id: 1, result: {} });
});

test.each<[string, string, object]>([
  ['a log line', 'Server ready', { error: { code: -32700 } }],
  ['half a message', '{"jsonrpc":"2.0","id":1', { error: { code: -32700 } }],
  ['a number', '123', { error: { code: -32600 } }],
  ['an object that is no message', '{"level":"info"}', { error: { code: -32600 } }],
  ['no jsonrpc', '{"id":1,"method":"ping"}', { id: 1, error: { code: -32600 } }],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', { id: 1, error: { code: -32600 } }],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', { error: { code: -32600 } }],
  ['an id twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', { error: { code: -32600 } }],
  [
    'params that are a list',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    { id: 1, error: { code: -32600 } },
  ],
  ['an empty batch', '[]', { error: { code: -32600 } }],
  [
    'a batch',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    { error: { code: -32600, message: expect.stringContaining('2025-03-26') } },
  ],
])('%s is answered with an error, and the session lives on', async (_name, line, reply) => {
  const { write, next } = await opened();
  write(line);
  const given = await next();
  expect(given).toMatchObject({ jsonrpc: '2.0', ...reply });
  write(rpc({ id: 'after', method: 'echo', params: { x: 1 } }));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 'after', result: { x: 1 } });
});

test('a line over the limit is refused by name, and the session lives on', async () => {
  const { write, next, handler } = await opened();
  write(rpc({ id: 1, method: 'echo', params: { x: 'x'.repeat(100_000) } }), rpc({ id: 2, method: 'echo' }));
  expect(await next()).toMatchObject({
    error: { code: -32600, message: expect.stringContaining('limits.frameBytes (100000') },
  });
  expect(await next()).toMatchObject({ id: 2, result: {} });
  expect(handler.exchanges).toHaveLength(1);
});

test('text split at every byte arrives whole, CRLF included (C17)', async () => {
  const { input, next } = await opened();
  const params = { text: 'Prüfe — 確認 🙂' };
  const bytes = Buffer.from(`${rpc({ id: 1, method: 'echo', params })}\r\n`);
  for (const byte of bytes) input.write(Buffer.of(byte));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: params });
  for (let cut = 1; cut < bytes.length; cut += 1) {
    input.write(bytes.subarray(0, cut));
    input.write(bytes.subarray(cut));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: params });
  }
});

test('a result with line breaks between its tokens goes out as one line', async () => {
  const { write, next } = await opened('2025-11-25', {
    handler: createHandler({ pretty: () => ({ result: '{\n  "a":\r\n 1\n}' }) }),
  });
  write(rpc({ id: 1, method: 'pretty' }));
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 1 } });
});

test('fifty requests run at once, and each gets its own result', async () => {
  const waiting: (() => void)[] = [];
  const handler = createHandler({
    slow: ({ params }) => new Promise((resolve) => waiting.push(() => resolve({ result: params ?? '{}' }))),
  });
  const { write, next } = await opened('2025-11-25', { handler });
  write(...Array.from({ length: 50 }, (_, n) => rpc({ id: n, method: 'slow', params: { n } })));
  await eventually(() => waiting.length).toBe(50);
  for (const finish of waiting.reverse()) finish();
  for (let n = 49; n >= 0; n -= 1) expect(await next()).toEqual({ jsonrpc: '2.0', id: n, result: { n } });
});

test('a question is answered while its call is open, by a host that sends ids of its own', async () => {
  const { write, next } = await opened();
  write(rpc({ id: 'mcpx-1', method: 'ask', params: { message: 'hi' } }));
  const question = await next();
  expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'hi' } });
  write(rpc({ id: question['id'], result: { action: 'decline' } }));
  expect(await next()).toMatchObject({ id: 'mcpx-1', result: { result: '{"action":"decline"}' } });
});

test('an answer that is no response gets no response, and the call goes on', async () => {
  const { write, next } = await opened();
  write(rpc({ id: 1, method: 'ask', params: {} }));
  const question = await next();
  write(rpc({ id: question['id'], answer: 'yes' }));
  expect(await next()).toMatchObject({ id: 1, result: { error: expect.stringContaining('-32600') } });
});

test('a cancelled request is never answered', async () => {
  const { write, next, handler } = await opened();
  write(rpc({ id: 1, method: 'hang' }), rpc({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  write(rpc({ id: 2, method: 'echo' }));
  expect(await next()).toMatchObject({ id: 2 });
  expect(handler.exchanges[0]?.signal.aborted).toBe(true);
});

test('a batch is served at 2025-03-26: responses in one array, nothing for what needs none', async () => {
  const { write, next, handler } = await opened('2025-03-26');
  write(
    JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'echo', params: { n: 1 } },
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { id: 2, method: 'echo' },
      { jsonrpc: '2.0', id: 3, method: 'ask', params: {} },
      { jsonrpc: '2.0', id: 4, method: 'initialize', params: { protocolVersion: '2025-03-26' } },
    ]),
  );
  const question = await next();
  expect(question).toMatchObject({ method: 'elicitation/create' });
  write(JSON.stringify([{ jsonrpc: '2.0', id: question['id'], result: { action: 'accept' } }]));
  expect(await next()).toEqual([
    { jsonrpc: '2.0', id: 1, result: { n: 1 } },
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: expect.any(String) } },
    { jsonrpc: '2.0', id: 3, result: { result: '{"action":"accept"}' } },
    { jsonrpc: '2.0', id: 4, error: { code: -32600, message: expect.any(String) } },
  ]);
  expect(handler.notifications).toHaveLength(1);
  write(rpc({ id: 5, method: 'echo' }));
  expect(await next()).toMatchObject({ id: 5 });
});

test('the end of input ends the session and aborts what is open', async () => {
  const pipes = await opened();
  pipes.write(rpc({ id: 1, method: 'hang' }));
  await eventually(() => pipes.handler.exchanges.length).toBe(1);
  pipes.input.end();
  await within('the end', pipes.served.done);
  expect(pipes.handler.exchanges[0]?.signal.aborted).toBe(true);
  expect(pipes.handler.endings).toEqual(['The host closed the connection.']);
  expect(pipes.left).toBe(0);
});

test('close ends the session with its reason; nothing is written any more', async () => {
  const pipes = await opened();
  pipes.write(rpc({ id: 1, method: 'hang' }));
  await eventually(() => pipes.handler.exchanges.length).toBe(1);
  await within('the end', pipes.served.close('mcpx is shutting down.'));
  expect(pipes.handler.endings).toEqual(['mcpx is shutting down.']);
  pipes.handler.sessions[0]?.notify('notifications/tools/list_changed', undefined);
  expect(pipes.left).toBe(0);
});

test('an output that breaks ends the session quietly (EPIPE)', async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const { input, served, handler } = openPipes({ output });
  input.write(`${initialize()}\n`);
  await within('the end', served.done);
  expect(handler.endings).toEqual(['The host closed the connection.']);
});

test('a host that does not read is not read from, and cannot hold up the end', async () => {
  const stuck = new Writable({ highWaterMark: 1, write: () => {} });
  const clock = fakeClock();
  const { input, served } = openPipes({ output: stuck, clock, limits: { frameBytes: 1000 } });
  const big = rpc({ id: 1, method: 'ping' });
  input.write(`${initialize()}\n`);
  for (let sent = 0; sent < 4000; sent += big.length) input.write(`${big}\n`);
  await once(input, 'pause');
  expect(stuck.writableLength).toBeLessThan(4000);
  const closing = served.close('mcpx is shutting down.');
  clock.advance(1_000);
  await within('the end', closing);
});

test('a host that reads again is read from again', async () => {
  let blocked: (() => void) | undefined;
  let reading = false;
  let taken = 0;
  const slow = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      taken += 1;
      if (reading) done();
      else blocked = done;
    },
  });
  const { input } = openPipes({ output: slow, limits: { frameBytes: 1000 } });
  const paused = once(input, 'pause');
  for (let n = 0; n < 100; n += 1) input.write(`${rpc({ id: n, method: 'ping' })}\n`);
  await paused;
  expect(taken).toBe(1);
  reading = true;
  blocked?.();
  await eventually(() => taken).toBe(100);
});
