// C59: a message that is too long fails the one call it belongs to, and nothing else.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveLong } from '../../fixtures/long-http.mjs';
import { overlong } from '../../src/protocol/overlong.ts';
import { createScope } from '../support/create-scope.ts';
import { gatewayWithHost, startGateway } from '../support/gateway.ts';
import { type Host, toolText } from '../support/host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { ROOT } from '../support/processes.ts';
import { CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const LIMIT = 20_000;
const config = { limits: { frameBytes: LIMIT } };
const odd = { command: process.execPath, args: [join(ROOT, 'fixtures', 'odd-replies.mjs')] };
const LONG = 3 * LIMIT;
let gateway: Awaited<ReturnType<typeof startGateway>>;
let host: Host;

const file = createScope();
afterAll(() => file.close());
beforeAll(async () => {
  gateway = await startGateway(file, { servers: { odd }, config });
  host = await gateway.connect({ capabilities: CAN_ASK });
});

describe('a stdio upstream', () => {
  test.each(['first', 'last'])('a reply with its id %s fails that call; another goes on', async (order) => {
    const other = host.startCall('wait');
    await expect(host.call('long', { bytes: LONG, order })).rejects.toThrow(
      `odd: its reply is longer than limits.frameBytes (${LIMIT} bytes)`,
    );
    await host.call('release');
    expect(toolText(await other.reply)).toBe('waited');
  });

  test('a reply whose id does not show fails the only call there is', async () => {
    await expect(host.call('long', { bytes: LONG / 2, order: 'nowhere' })).rejects.toThrow(
      'limits.frameBytes',
    );
  });

  test('a notification is dropped, and its call goes on', async () => {
    expect(await host.call('notice', { bytes: LONG })).toBe('after a long notice');
  });

  test('a question is refused by its id, and its call goes on', async () => {
    expect(await host.call('ask-long', { bytes: LONG })).toContain('limits.frameBytes');
  });

  test('a line over four times the limit ends the process, which is said', async () => {
    await expect(host.call('endless', { bytes: 5 * LIMIT })).rejects.toThrow('4 times limits.frameBytes');
    expect(await host.call('params')).toContain('params');
  });
});

test.each(['sse', 'json'])(
  'an upstream over HTTP: a reply over the limit (%s) fails its call alone',
  async (kind) => {
    const scope = testScope();
    const flags = kind === 'sse' ? ['--always-sse'] : [];
    const upstream = await fixtureUpstream(scope, { transport: 'http', flags });
    const it = await startGateway(scope, { servers: { far: upstream.entry }, config });
    const client = await it.connect({ capabilities: CAN_ASK });
    const other = client.startCall('slow', { gate: 'g' });
    await expect(client.call('big', { bytes: LONG })).rejects.toThrow('limits.frameBytes');
    await client.call('release', { gate: 'g' });
    expect(toolText(await other.reply)).toBe('done');
  },
);

describe.each(['streamable', 'older', 'modern'] as const)(
  'on a stream of an upstream over HTTP (%s)',
  (kind) => {
    /** A host of either era and what it can say; a modern server is called by both. */
    async function behind() {
      const scope = testScope();
      const far = await serveLong(kind);
      scope.defer(() => far.close());
      const it = await startGateway(scope, { servers: { far: { url: far.url } }, config });
      const legacy = await it.connect({ capabilities: CAN_ASK });
      return { legacy, modern: modernHttpHost(it.url) };
    }

    test('a notification is dropped, and its call goes on', async () => {
      const { legacy, modern } = await behind();
      expect(await legacy.call('notice', { bytes: LONG })).toBe('after a long notice');
      expect(toolText(await modern.call('notice', { bytes: LONG }).reply)).toBe('after a long notice');
    });

    test.each(['first', 'last'])('a reply with its id %s fails that call, another goes on', async (order) => {
      const { legacy, modern } = await behind();
      const other = legacy.startCall('wait');
      await expect(legacy.call(order, { bytes: LONG })).rejects.toThrow(
        `far: its reply is longer than limits.frameBytes (${LIMIT} bytes)`,
      );
      expect(await modern.call(order, { bytes: LONG }).reply).toHaveProperty('error');
      await legacy.call('release');
      expect(toolText(await other.reply)).toBe('waited');
    });

    // A modern server sends no questions.
    if (kind !== 'modern')
      test('a question is refused by its id, and its call goes on', async () => {
        const { legacy, modern } = await behind();
        expect(await legacy.call('ask', { bytes: LONG })).toContain('limits.frameBytes');
        expect(toolText(await modern.call('ask', { bytes: LONG }).reply)).toContain('limits.frameBytes');
      });

    test('what is over four times the limit fails its call, and the next one is served', async () => {
      const { legacy } = await behind();
      await expect(legacy.call('notice', { bytes: 5 * LIMIT })).rejects.toThrow('limits.frameBytes');
      expect(await legacy.call('notice', { bytes: 5 })).toBe('after a long notice');
    });
  },
);

describe('a host over stdio', () => {
  test.each([
    [
      'first',
      (id: string, pad: string) =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"a":"${pad}"}}`,
    ],
    [
      'last',
      (id: string, pad: string) =>
        `{"method":"tools/call","params":{"a":"${pad}"},"jsonrpc":"2.0","id":${id}}`,
    ],
  ])('a request with its id %s is answered under it, and the next one served', async (_, text) => {
    const it = await gatewayWithHost(
      testScope(),
      'stdio',
      { servers: { odd }, config },
      { capabilities: CAN_ASK },
    );
    await it.host.raw(text('"q-1"', 'x'.repeat(LONG)));
    const refused = await it.host.received('the refusal', ({ id }) => id === 'q-1');
    expect(refused).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('limits.frameBytes') },
    });
    await it.host.request('ping');
  });

  test('an answer that is too long leaves the question to others, at once', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const it = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { fixture: upstream.entry }, config },
      { capabilities: CAN_ASK },
    );
    it.host.startCall('ask');
    const { id } = await it.host.question();
    await it.host.raw(
      `{"jsonrpc":"2.0","id":${id},"result":{"action":"accept","content":{"repo":"${'x'.repeat(LONG)}"}}}`,
    );
    const row = await until('the question to be left to others', async () =>
      (await it.rows()).find(({ reason }) => reason !== undefined),
    );
    expect(row).toMatchObject({ state: 'pending', host: { inline: false } });
  });
});

test.each([
  ['first', `{"jsonrpc":"2.0","id":7.0,"method":"ping","params":{"a":"${'x'.repeat(LONG)}"}}`],
  ['last', `{"method":"ping","params":{"a":"${'x'.repeat(LONG)}"},"jsonrpc":"2.0","id":7.0}`],
])('a POST body that is too long is a 413 with its id %s', async (_, body) => {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body,
  });
  expect(response.status).toBe(413);
  const text = await response.text();
  expect(text).toContain('"id":7.0,');
  expect(text).toContain('limits.frameBytes');
});

test('whose a long text is', () => {
  const pad = 'x'.repeat(50);
  const cases: [head: string, tail: string, kind: string, id: string | undefined][] = [
    [`{"jsonrpc":"2.0","id":1,"result":{"a":"${pad}`, `${pad}"}}`, 'reply', '1'],
    [`{"result":{"a":"${pad}`, `${pad}"} , "id" : "a\\"b" } `, 'reply', '"a\\"b"'],
    [`{"error":{"a":"${pad}`, `${pad}"},"id":12,"jsonrpc":"2.0"}`, 'reply', '12'],
    // What stands inside a value is not the id of the message.
    [`{"result":{"a":"${pad}`, `${pad}","id":5}}`, 'reply', undefined],
    [`{"result":{"id":5,"a":"${pad}`, `${pad}"}}`, 'reply', undefined],
    [`{"result":"${pad}`, `${pad},\\"id\\":5}"}`, 'reply', undefined],
    // Two readers must not see two ids.
    [`{"id":1,"result":{"a":"${pad}`, `${pad}"},"id":2}`, 'reply', undefined],
    [`{"jsonrpc":"2.0","method":"m","params":{"a":"${pad}`, `${pad}"}}`, 'notification', undefined],
    [`{"method":"m","params":{"a":"${pad}`, `${pad}"},"id":null}`, 'request', undefined],
    [`{"a":"${pad}`, `${pad}"}`, 'unknown', undefined],
    ['{"jsonrpc":"2.0","id":12', '3,"result":1}', 'reply', undefined],
    [`[{"id":1,"result":"${pad}`, `${pad}"}]`, 'unknown', undefined],
    [pad, pad, 'noise', undefined],
    ['{"id":', ',"id":1}', 'unknown', '1'],
  ];
  for (const [head, tail, kind, id] of cases) expect(overlong(head, tail), head + tail).toEqual({ kind, id });
});
