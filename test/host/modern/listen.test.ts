// subscriptions/listen over both transports: acknowledged first, stamped with its id, filtered, ended in good order.
import { describe, expect, test } from 'vitest';
import type { StatelessRequest } from '../../../src/host/types.ts';
import { type Json, openEndpoint, openPipes, rpc } from '../support.ts';
import { type DoubleOptions, MODERN, made, SERVED_BY, statelessDouble } from './support.ts';

interface Peer {
  readonly handler: ReturnType<typeof statelessDouble>;
  /** Sends `subscriptions/listen`; what it gives are the messages of that subscription. */
  listen(notifications: unknown, id?: number | string): Promise<{ next(): Promise<Json>; cancel(): void }>;
  close(): Promise<void>;
}

const LISTEN = 'subscriptions/listen';
const ID = 'io.modelcontextprotocol/subscriptionId';
const note = (what: string): string => `notifications/${what}`;

async function http(options: DoubleOptions): Promise<Peer> {
  const handler = statelessDouble(options);
  const { stream, served } = await openEndpoint({ handler });
  return {
    handler,
    async listen(notifications, id = 1) {
      const { body, headers } = made(LISTEN, { notifications }, id);
      const events = await stream(body, headers);
      return { next: async () => (await events.next()).data ?? {}, cancel: () => events.cut() };
    },
    close: () => served.close('mcpx is stopping.'),
  };
}

async function stdio(options: DoubleOptions): Promise<Peer> {
  const handler = statelessDouble(options);
  const { write, next, served } = openPipes({ handler });
  return {
    handler,
    async listen(notifications, id = 1) {
      write(made(LISTEN, { notifications }, id).body);
      return {
        next,
        cancel: () => write(rpc({ method: note('cancelled'), params: { requestId: id } })),
      };
    },
    close: () => served.close('mcpx is stopping.'),
  };
}

describe.each([
  ['HTTP', http],
  ['stdio', stdio],
])('over %s', (_transport, connect) => {
  const all = {
    toolsListChanged: true,
    resourcesListChanged: false,
    resourceSubscriptions: ['file:///a', 'u'],
  };

  test('what is honoured is acknowledged before anything else', async () => {
    const { listen, handler } = await connect({
      listen(request, filter) {
        request.notify(note('tools/list_changed'), undefined);
        return { ...filter, uris: filter.uris.slice(0, 1) };
      },
    });
    const subscription = await listen(all, 's-1');
    expect(await subscription.next()).toEqual({
      jsonrpc: '2.0',
      method: note('subscriptions/acknowledged'),
      params: {
        _meta: { [ID]: 's-1' },
        notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a'] },
      },
    });
    expect(await subscription.next()).toEqual({
      jsonrpc: '2.0',
      method: note('tools/list_changed'),
      params: { _meta: { [ID]: 's-1' } },
    });
    expect(handler.listens[0]?.filter).toEqual({
      tools: true,
      prompts: false,
      resources: false,
      uris: ['file:///a', 'u'],
    });
  });

  test('only what was acknowledged is sent, with the id of the subscription', async () => {
    const { listen, handler } = await connect({
      listen: (_request, filter) => ({ ...filter, tools: false }),
    });
    const subscription = await listen({ ...all, promptsListChanged: true }, 7);
    await subscription.next();
    const { request } = handler.listens[0] as { request: StatelessRequest };
    request.notify(note('tools/list_changed'), '{}');
    request.notify(note('resources/list_changed'), '{}');
    request.notify(note('resources/updated'), '{"uri":"file:///b"}');
    request.notify(note('message'), '{"level":"emergency","data":1}');
    request.notify(note('progress'), '{"progressToken":1,"progress":1}');
    request.notify(note('resources/updated'), `{"uri":"u","_meta":{"a":1,"${ID}":99}}`);
    request.notify(note('prompts/list_changed'), undefined);
    expect((await subscription.next())['params']).toEqual({ uri: 'u', _meta: { a: 1, [ID]: 7 } });
    expect(await subscription.next()).toEqual({
      jsonrpc: '2.0',
      method: note('prompts/list_changed'),
      params: { _meta: { [ID]: 7 } },
    });
  });

  test('two subscriptions are told apart', async () => {
    const { listen, handler } = await connect({});
    const first = await listen({ toolsListChanged: true }, 1);
    expect((await first.next())['params']).toMatchObject({ _meta: { [ID]: 1 } });
    const second = await listen({ toolsListChanged: true }, '1');
    expect((await second.next())['params']).toMatchObject({ _meta: { [ID]: '1' } });
    handler.listens[1]?.request.notify(note('tools/list_changed'), undefined);
    expect((await second.next())['params']).toEqual({ _meta: { [ID]: '1' } });
  });

  test('the host ends one', async () => {
    const { listen, handler } = await connect({});
    const subscription = await listen({ toolsListChanged: true });
    await subscription.next();
    subscription.cancel();
    await expect.poll(() => handler.listens[0]?.request.signal.aborted).toBe(true);
  });

  test('a shut-down ends one with a result', async () => {
    const { listen, handler, close } = await connect({});
    const subscription = await listen({ toolsListChanged: true }, 'end');
    await subscription.next();
    const closing = close();
    expect(await subscription.next()).toEqual({
      jsonrpc: '2.0',
      id: 'end',
      result: { resultType: 'complete', _meta: { [ID]: 'end', ...SERVED_BY } },
    });
    await closing;
    expect(handler.listens[0]?.request.signal.aborted).toBe(true);
  });
});

describe('a subscription that is refused', () => {
  const ask = async (params: Json, more: Record<string, string> = {}, options = {}) => {
    const { post } = await openEndpoint({ handler: statelessDouble(), ...options });
    const { body, headers } = made(LISTEN, params);
    const response = await post(body, { ...headers, ...more });
    const { error } = (await response.json()) as { error: { code: number } };
    return [response.status, error.code];
  };

  test.each([
    ['no filter', {}],
    ['a filter that is none', { notifications: [] }],
    ['a flag that is none', { notifications: { toolsListChanged: 1 } }],
    ['resources that are none', { notifications: { resourceSubscriptions: 'u' } }],
    ['a resource that is none', { notifications: { resourceSubscriptions: ['u', 1] } }],
  ])('%s', async (_what, params) => {
    expect(await ask(params)).toEqual([400, -32602]);
  });

  test('by a host that takes no streams', async () => {
    expect(await ask({ notifications: {} }, { accept: 'application/json' })).toEqual([406, -32600]);
  });

  test('beyond the limit, and not once one has ended', async () => {
    const handler = statelessDouble();
    const { stream, post } = await openEndpoint({ handler, limits: { frameBytes: 1000, sessions: 1 } });
    const { body, headers } = made(LISTEN, { notifications: {} });
    const first = await stream(body, headers);
    await first.next();
    const refused = await post(body, headers);
    expect([refused.status, ((await refused.json()) as { error: Json }).error['code']]).toEqual([
      503, -32603,
    ]);
    first.cut();
    await expect.poll(() => handler.listens[0]?.request.signal.aborted).toBe(true);
    const next = await stream(body, headers);
    expect((await next.next()).data?.['method']).toBe(note('subscriptions/acknowledged'));
  });
});

test('a stream that nothing happens on is kept alive', async () => {
  const { stream, clock } = await openEndpoint({ handler: statelessDouble() });
  const { body, headers } = made(LISTEN, { notifications: {} });
  const events = await stream(body, headers);
  await events.next();
  for (let beat = 0; beat < 3; beat += 1) {
    clock.advance(15_000);
    expect(await events.comment()).toBe('');
  }
  expect(events.response.headers.get('x-accel-buffering')).toBe('no');
  expect(MODERN).toBe(headers['mcp-protocol-version']);
});

test('a host that does not read is told once of each change, when it reads again', async () => {
  const handler = statelessDouble();
  const { url } = await openEndpoint({ handler, limits: { frameBytes: 10_000, sessions: 5 } });
  const { body, headers } = made(LISTEN, { notifications: { resourceSubscriptions: ['u'] } });
  const controller = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    body,
    signal: controller.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  const { request } = handler.listens[0] as { request: StatelessRequest };
  const filler = 'x'.repeat(9_000);
  for (let n = 0; n < 1000; n += 1) request.notify(note('resources/updated'), `{"uri":"u","x":"${filler}"}`);
  request.notify(note('resources/updated'), `{"uri":"u","last":true}`);
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes('"last":true')) {
    const part = await reader?.read();
    expect(part?.done).toBe(false);
    text += Buffer.from(part?.value ?? []).toString();
  }
  expect(text.split('event: message').length).toBeLessThan(1000);
  expect(request.signal.aborted).toBe(false);
  controller.abort();
});
