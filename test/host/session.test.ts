// The session engine without a transport: what is answered, what is given up, what is asked and taken back.
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import type { HostStream } from '../../src/host/host-stream.ts';
import { LegacySession } from '../../src/host/legacy-session.ts';
import { silent } from '../../src/log.ts';
import { parseMessage } from '../../src/protocol/message.ts';
import type { Message } from '../../src/protocol/types.ts';
import { createHandler, type HandlerDouble } from '../support/host-handler.ts';

class LaneDouble implements HostStream {
  whenRoom(): void {}
  open = true;
  done = false;
  readonly sent: string[] = [];
  send(text: string): boolean {
    if (this.done) return false;
    this.sent.push(text);
    return true;
  }
}

function message<K extends Message['kind']>(kind: K, value: unknown): Extract<Message, { kind: K }> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const parsed = parseMessage(text);
  if (!parsed.ok || parsed.message.kind !== kind) throw new Error(`no ${kind}: ${text}`);
  return parsed.message as Extract<Message, { kind: K }>;
}

const request = (id: unknown, method: string, params?: unknown) =>
  message('request', { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
const notification = (method: string, params: unknown) =>
  message('notification', { jsonrpc: '2.0', method, params });

function start(handler: HandlerDouble = createHandler(), standing = new LaneDouble()) {
  const facts = {
    revision: '2025-11-25',
    capabilities: {},
    clientName: 'h',
    principal: 'local',
    transport: 'http',
  } as const;
  const stream = (via: HostStream | undefined): HostStream | undefined =>
    via?.open ? via : standing.open ? standing : undefined;
  const session = new LegacySession({
    flow: { full: false, onChange: () => {} },
    id: 'ses-1',
    facts,
    handler,
    log: silent,
    streamFor: stream,
    standing: () => standing,
    keep: () => {},
  });
  const own = new LaneDouble();
  return {
    session,
    handler,
    standing,
    own,
    serve: (...args: Parameters<typeof request>) => session.serve(request(...args), own, true),
  };
}

/** Resolves once `look` holds; the engine needs only a few turns of the promise queue. */
async function soon(look: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !look(); turn += 1) await Promise.resolve();
  if (!look()) throw new Error('did not come to be');
}

const parsed = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text));

test('a result goes out as the text it was', async () => {
  const { serve } = start(
    createHandler({ big: () => ({ result: '{"n":12345678901234567890,"f":1.0,"a":1,"a":2}' }) }),
  );
  expect(await serve('x', 'big')).toBe(
    '{"jsonrpc":"2.0","id":"x","result":{"n":12345678901234567890,"f":1.0,"a":1,"a":2}}',
  );
});

test('ping is answered, initialize refused, unknown methods left to the relay', async () => {
  const { serve, handler } = start();
  expect(parsed(await serve(1, 'ping'))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect(parsed(await serve(2, 'initialize', { protocolVersion: '2025-11-25' }))).toMatchObject({
    id: 2,
    error: { code: -32600 },
  });
  expect(handler.exchanges).toEqual([]);
  expect(parsed(await serve(3, 'no/such'))).toMatchObject({ id: 3, error: { code: -32601 } });
});

test('an id that is in use is refused and the first request lives; 7 and "7" are two ids', async () => {
  const open: (() => void)[] = [];
  const { serve } = start(
    createHandler({ wait: () => new Promise((resolve) => open.push(() => resolve({ result: '{}' }))) }),
  );
  const first = serve(7, 'wait');
  const other = serve('7', 'wait');
  await soon(() => open.length === 2);
  expect(parsed(await serve(7, 'wait'))).toMatchObject({ id: 7, error: { code: -32600 } });
  for (const finish of open) finish();
  expect(await Promise.all([first, other])).toEqual([
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":"7","result":{}}',
  ]);
  expect(parsed(await serve(7, 'echo'))).toMatchObject({ id: 7, result: {} });
});

test('a cancelled request aborts, has no response, and frees its id; another id is left alone', async () => {
  const { session, serve, handler } = start();
  const cancelled = serve(7, 'hang');
  const other = serve('7', 'hang');
  await soon(() => handler.exchanges.length === 2);
  session.take(notification('notifications/cancelled', { requestId: 7, reason: 'changed my mind' }));
  expect(await cancelled).toBeUndefined();
  expect(handler.exchanges.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(handler.notifications).toEqual([]);
  expect(parsed(await serve(7, 'echo'))).toMatchObject({ result: {} });
  session.end('over');
  expect(await other).toBeUndefined();
});

test.each([[{}], [{ requestId: 'unknown' }], [{ requestId: null }], [{ requestId: {} }]])(
  'a cancellation with params %j is ignored',
  async (params) => {
    const { session, serve, handler } = start();
    const pending = serve(1, 'hang');
    await soon(() => handler.exchanges.length === 1);
    session.take(notification('notifications/cancelled', params));
    session.take(message('notification', '{"jsonrpc":"2.0","method":"notifications/cancelled"}'));
    expect(handler.exchanges[0]?.signal.aborted).toBe(false);
    session.end('over');
    expect(await pending).toBeUndefined();
  },
);

test('a question goes out on the stream of its call, and the reply comes back as text', async () => {
  const { session, serve, own } = start();
  const call = serve(1, 'ask', { message: 'Which?' });
  await soon(() => own.sent.length === 1);
  const { id, ...question } = JSON.parse(own.sent[0] ?? '');
  expect(question).toEqual({ jsonrpc: '2.0', method: 'elicitation/create', params: { message: 'Which?' } });
  session.take(
    message(
      'result',
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"action":"accept","content":{"n":1.0}}}`,
    ),
  );
  expect(parsed(await call).result).toEqual({ result: '{"action":"accept","content":{"n":1.0}}' });
});

test('an error reply of the host comes back as an error', async () => {
  const { session, serve, own } = start();
  const call = serve(1, 'ask', {});
  await soon(() => own.sent.length === 1);
  const { id } = JSON.parse(own.sent[0] ?? '');
  session.take(message('error', { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
  expect(parsed(await call).result).toEqual({ error: '{"code":-32601,"message":"no"}' });
});

test('replies that nobody waits for are ignored: unknown, repeated, of another type', async () => {
  const { session, serve, own } = start();
  session.take(message('result', { jsonrpc: '2.0', id: 1, result: {} }));
  const call = serve(1, 'ask', {});
  await soon(() => own.sent.length === 1);
  const { id } = JSON.parse(own.sent[0] ?? '');
  session.take(message('error', { jsonrpc: '2.0', error: { code: 1, message: 'no id' } }));
  session.take(message('result', { jsonrpc: '2.0', id: 1, result: { wrong: true } }));
  session.take(message('result', { jsonrpc: '2.0', id, result: { right: true } }));
  session.take(message('result', { jsonrpc: '2.0', id, result: { late: true } }));
  expect(parsed(await call).result).toEqual({ result: '{"right":true}' });
});

test('an answer that is no response ends the wait with an error', async () => {
  const { session, serve, own } = start();
  const call = serve(1, 'ask', {});
  await soon(() => own.sent.length === 1);
  const { id } = JSON.parse(own.sent[0] ?? '');
  const fault = parseMessage(JSON.stringify({ jsonrpc: '2.0', id, answer: 'yes' }));
  if (fault.ok) throw new Error('is a message');
  expect(session.takeFault({ ...fault, id: '1' })).toBe(false);
  expect(session.takeFault(fault)).toBe(true);
  expect(JSON.parse(parsed(await call).result.error)).toMatchObject({ code: -32600 });
});

test('ids of questions are never used twice', async () => {
  const { session, standing } = start();
  const stop = new AbortController();
  const asked = [1, 2, 3].map(() => session.request('roots/list', undefined, { signal: stop.signal }));
  stop.abort(new Error('enough'));
  const results = await Promise.allSettled(asked);
  expect(results.map((one) => one.status)).toEqual(['rejected', 'rejected', 'rejected']);
  void session.request('roots/list', undefined, { signal: new AbortController().signal }).catch(() => {});
  const ids = standing.sent.map((text) => JSON.parse(text)).filter(({ id }) => id !== undefined);
  expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
});

test('a withdrawn question is taken back on its own stream, before what follows', async () => {
  const stop = new AbortController();
  const withdrawing = createHandler({
    call: async (exchange, session) => {
      const asked = session.request('elicitation/create', '{}', { signal: stop.signal, via: exchange });
      queueMicrotask(() => stop.abort(new Error('answered elsewhere')));
      await asked.catch(() => {});
      exchange.notify('notifications/message', '{"level":"info","data":1}');
      return { result: '{}' };
    },
  });
  const { serve, own, standing } = start(withdrawing);
  await serve(1, 'call');
  const [question, notice, next] = own.sent.map((text) => JSON.parse(text));
  expect(notice).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: question.id },
  });
  expect(next.method).toBe('notifications/message');
  expect(standing.sent).toEqual([]);
});

test('a question whose stream is done is taken back on another', async () => {
  const stop = new AbortController();
  let exchange: Parameters<HandlerDouble['request']>[1] | undefined;
  const { session, serve, own, standing } = start(
    createHandler({
      call: (given) => {
        exchange = given;
        return new Promise(() => {});
      },
    }),
  );
  void serve(1, 'call');
  await soon(() => exchange !== undefined);
  if (exchange === undefined) throw new Error('no exchange');
  const asked = session.request('elicitation/create', '{}', { signal: stop.signal, via: exchange });
  own.done = true;
  own.open = false;
  stop.abort(new Error('expired'));
  await expect(asked).rejects.toThrow('expired');
  expect(JSON.parse(standing.sent[0] ?? '').method).toBe('notifications/cancelled');
});

test('when the host cancels the call itself, it is told nothing more (C23)', async () => {
  const { session, serve, own, handler } = start();
  const call = serve(1, 'ask', {});
  await soon(() => own.sent.length === 1);
  session.take(notification('notifications/cancelled', { requestId: 1 }));
  expect(await call).toBeUndefined();
  handler.exchanges[0]?.notify('notifications/message', '{}');
  expect(own.sent).toHaveLength(1);
});

test('without a stream a question is unreachable, and so it is after the end', async () => {
  const { session, standing, handler } = start();
  const { signal } = new AbortController();
  standing.open = false;
  expect(session.reachable()).toBe(false);
  await expect(session.request('roots/list', undefined, { signal })).rejects.toMatchObject({
    code: 'unreachable',
  });
  standing.open = true;
  expect(session.reachable()).toBe(true);
  const open = session.request('roots/list', undefined, { signal });
  session.end('The host ended the session.');
  session.end('twice');
  await expect(open).rejects.toMatchObject({ code: 'unreachable', message: 'The host ended the session.' });
  expect(session.reachable()).toBe(false);
  expect(session.ended.reason).toBe('The host ended the session.');
  await expect(session.request('roots/list', undefined, { signal })).rejects.toMatchObject({
    code: 'unreachable',
  });
  session.notify('notifications/tools/list_changed', undefined);
  expect(standing.sent).toHaveLength(1);
  expect(handler.endings).toEqual(['The host ended the session.']);
});

test('a question whose signal is aborted already is not sent', async () => {
  const { session, standing } = start();
  await expect(
    session.request('roots/list', undefined, { signal: AbortSignal.abort(new Error('too late')) }),
  ).rejects.toThrow('too late');
  expect(standing.sent).toEqual([]);
});

test('requests and notices that come before the welcome is over wait for it', async () => {
  let open = (): void => {};
  const handler = createHandler(
    {},
    () =>
      new Promise((resolve) => {
        open = () => resolve({ capabilities: '{}', instructions: undefined });
      }),
  );
  const { session, serve } = start(handler);
  const order: string[] = [];
  const greeting = session.greet(() => order.push('welcome'));
  const early = serve(1, 'echo').then(() => order.push('echo'));
  session.take(notification('notifications/roots/list_changed', {}));
  await soon(() => handler.sessions.length === 1);
  expect([handler.exchanges, handler.notifications]).toEqual([[], []]);
  open();
  await Promise.all([greeting, early]);
  expect(order).toEqual(['welcome', 'echo']);
  expect(handler.notifications).toEqual([{ method: 'notifications/roots/list_changed', params: '{}' }]);
});

test('a handler that throws is an internal error, without its words', async () => {
  const fails = (): never => {
    throw new Error('secret /home/me');
  };
  const handler = { ...createHandler({ bad: fails }), notification: fails, ended: fails };
  const { session, serve } = start(handler);
  expect(parsed(await serve(1, 'bad'))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32603, message: 'Something went wrong inside mcpx.' },
  });
  session.take(notification('notifications/x', {}));
  session.end('over');
  expect(session.ended.aborted).toBe(true);
});

test('a welcome that fails ends the session and says why', async () => {
  for (const [thrown, told] of [
    [
      new McpxError('store_busy', 'The store is locked.'),
      { code: 'store_busy', message: 'The store is locked.' },
    ],
    [new Error('secret /home/me'), { code: 'bug', message: 'Something went wrong inside mcpx.' }],
  ] as const) {
    const { session } = start(createHandler({}, () => Promise.reject(thrown)));
    const answers: unknown[] = [];
    await session.greet((answer) => answers.push(answer));
    expect(answers).toMatchObject([told]);
    expect(session.ended.aborted).toBe(true);
  }
});
