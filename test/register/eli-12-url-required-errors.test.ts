// ELI-12: -32042, both ways: an upstream's is asked, waited for and retried once; a host is told of what it cannot be asked.
import { describe, expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS, type RowView, startGateway } from '../support/gateway.ts';
import type { HttpHost, HttpHostOptions } from '../support/host-http.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream, type UpstreamOptions } from '../support/upstream.ts';
import {
  calls,
  completions,
  errorOf,
  FORM_AND_URL,
  NEEDS_TWO,
  paramsOf,
  sayComplete,
  seesCompletions,
  urlParams,
} from '../support/url.ts';
import { checkWire } from '../support/wire.ts';

const ACCEPT = { result: '{"action":"accept"}' };
const DECLINE = { result: '{"action":"decline"}' };
const JSON_ONLY: HttpHostOptions = { capabilities: FORM_AND_URL, accept: 'application/json' };

interface UrlError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly elicitations: readonly Record<string, unknown>[] };
}
const parsed = (error: string): UrlError => JSON.parse(error) as UrlError;

describe('from an upstream', () => {
  for (const transport of HOST_TRANSPORTS) {
    test(`over ${transport}: two URLs are asked inline, completed by notice, and the call is sent once more`, async () => {
      const scope = testScope();
      const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
      const { host, rows } = await gatewayWithHost(
        scope,
        transport,
        { servers: { one: upstream.entry }, config: { serve: { callTimeout: '2s' } } },
        { capabilities: FORM_AND_URL },
      );
      const call = host.startCall('fail', { error: NEEDS_TWO, times: 1 });
      const asked = [await host.question(0), await host.question(1)];
      expect(asked.map(paramsOf).map(({ url, message }) => [url, message])).toEqual([
        ['https://mcp.example.com/c?e=1', 'one (via mcpx) asks: Link A'],
        ['https://mcp.example.com/c?e=2', 'one (via mcpx) asks: Link B'],
      ]);
      for (const question of asked) await host.reply(question, ACCEPT);
      await until('both accepted', async () => (await rows(['--state', 'accepted'])).length === 2);
      // Accepted is not finished: nothing has been sent again, nor marked as sent.
      expect((await rows(['--all'])).filter(({ deliveredAt }) => deliveredAt !== undefined)).toEqual([]);
      expect(calls(upstream)).toBe(1);
      await sayComplete(host, 'e-1');
      await sayComplete(host, 'e-2');
      expect(await call.reply).toHaveProperty('result', expect.stringContaining('succeeded at call 2'));
      expect(calls(upstream)).toBe(2);
      const all = await rows(['--all']);
      expect(all).toHaveLength(2);
      for (const row of all)
        expect(row).toMatchObject({
          state: 'accepted',
          completedAt: expect.any(String),
          deliveredAt: expect.any(String),
        });
      if ('openStream' in host) await (host as HttpHost).openStream();
      await seesCompletions(
        host,
        all.map(({ id }) => id),
      );
      await checkWire(host.wire, { revision: '2025-11-25' });
      await checkWire(upstream.wire(), { revision: '2025-11-25' });
    });
  }

  test('"mcpx elicit done" finishes them too, and the timers stand still meanwhile', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'http' });
    const gateway = await startGateway(scope, {
      servers: { one: upstream.entry },
      config: { serve: { callTimeout: '1s' } },
    });
    const host = await gateway.connect({ capabilities: '{}' });
    const call = host.startCall('fail', { error: NEEDS_TWO, times: 1 });
    const waiting = await until('two rows', async () => {
      const rows = await gateway.rows();
      return rows.length === 2 && rows;
    });
    const accepted = waiting.map(({ id }) => gateway.mcpx(['elicit', 'accept', id, '--yes', '-q']));
    for (const accept of accepted) expect(await accept).toMatchObject({ code: 0 });
    // Each accept waits for the server to be told, which it is only once all is finished: longer than callTimeout.
    for (const { id } of waiting)
      expect(await gateway.mcpx(['elicit', 'done', id])).toMatchObject({ code: 0 });
    expect(await call.reply).toHaveProperty('result', expect.stringContaining('succeeded at call 2'));
    expect(calls(upstream)).toBe(2);
  });

  test('after elicit.urlWait the call is sent again all the same', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry }, config: { elicit: { urlWait: '400ms' } } },
      { capabilities: FORM_AND_URL, answer: () => ACCEPT },
    );
    const started = performance.now();
    expect(await host.call('fail', { error: NEEDS_TWO, times: 1 })).toBe('succeeded at call 2');
    expect(performance.now() - started).toBeGreaterThan(390);
  });

  test.each(['decline', 'cancel'])(
    'a %s surfaces the error byte for byte, and takes the other question back',
    async (action) => {
      const scope = testScope();
      const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
      const { host, rows } = await gatewayWithHost(
        scope,
        'stdio',
        { servers: { one: upstream.entry } },
        { capabilities: FORM_AND_URL },
      );
      const call = host.startCall('fail', { error: NEEDS_TWO });
      const [first, second] = [await host.question(0), await host.question(1)];
      await host.reply(first, { result: `{"action":"${action}"}` });
      expect(errorOf(await call.reply)).toBe(NEEDS_TWO);
      expect(calls(upstream)).toBe(1);
      const withdrawal = await host.received(
        'the withdrawal',
        ({ method }) => method === 'notifications/cancelled',
      );
      expect(withdrawal['params']).toEqual({ requestId: JSON.parse(second.id) });
      const states = (await rows(['--all'])).map(({ state, reason }) => [state, reason]);
      expect(states).toContainEqual([action === 'decline' ? 'declined' : 'cancelled', undefined]);
      expect(states).toContainEqual(['withdrawn', 'another URL that the same call needs was not accepted']);
      // It was passed on as it came, so the host knows the upstream's ids, and a late completion carries them.
      await sayComplete(host, 'e-1');
      await sayComplete(host, 'e-2');
      await seesCompletions(host, ['e-1', 'e-2']);
    },
  );

  test('expiry surfaces the error', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry }, config: { elicit: { ttl: '500ms' } } },
      { capabilities: FORM_AND_URL },
    );
    expect(errorOf(await host.startCall('fail', { error: NEEDS_TWO }).reply)).toBe(NEEDS_TWO);
    expect(calls(upstream)).toBe(1);
    expect((await rows(['--all'])).map(({ state }) => state)).toContain('expired');
  });

  test.each<[string, object]>([
    ['2025-11-25', { capabilities: '{"elicitation":{}}' }],
    ['2025-11-25', { capabilities: '{}' }],
    ['2025-06-18', { capabilities: '{"elicitation":{}}', revision: '2025-06-18' }],
    ['2025-03-26', { capabilities: '{}', revision: '2025-03-26' }],
    ['2024-11-05', { capabilities: '{}', revision: '2024-11-05' }],
  ])('a host at %s with %j gets a plain error that names what is missing', async (revision, options) => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows, mcpx } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry } },
      options,
    );
    const call = host.startCall('fail', { error: NEEDS_TWO });
    const row = await until('a row', async () => (await rows())[0]);
    await mcpx(['elicit', 'decline', row.id]);
    const error = parsed(errorOf(await call.reply));
    expect(error.code).toBe(-32603);
    for (const part of ['one', 'Link A', 'https://mcp.example.com/c?e=1', 'Link B'])
      expect(error.message).toContain(part);
    expect(error.data).toBeUndefined();
    await checkWire(host.wire, { revision });
  });

  test.each([
    ['no elicitations', '{"code":-32042,"message":"m","data":{"elicitations":[]}}'],
    ['no data', '{"code":-32042,"message":"m"}'],
    [
      'a form among them',
      '{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"form","message":"f","requestedSchema":{"type":"object","properties":{}}}]}}',
    ],
    [
      'no id',
      '{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","url":"https://e.example/","message":"f"}]}}',
    ],
    [
      'a URL that is none',
      '{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"not a url","message":"f"}]}}',
    ],
    [
      'a URL that is not opened',
      '{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","elicitationId":"e","url":"javascript:alert(1)","message":"f"}]}}',
    ],
    ['one good and one bad', NEEDS_TWO.replace('"elicitationId":"e-2"', '"elicitationId":7')],
    [
      'a key that appears twice',
      NEEDS_TWO.replace('"elicitationId":"e-1"', '"elicitationId":"e-1","url":"https://evil.example/"'),
    ],
  ])('with %s it passes untouched, and nothing is asked', async (_what, error) => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry } },
      { capabilities: FORM_AND_URL },
    );
    expect(errorOf(await host.startCall('fail', { error }).reply)).toBe(error);
    expect(await rows(['--all'])).toEqual([]);
    expect(calls(upstream)).toBe(1);
  });

  test('at another revision, and for another method, it means nothing', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio', revision: '2025-06-18' });
    const { host, rows } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry } },
      { capabilities: FORM_AND_URL },
    );
    expect(errorOf(await host.startCall('fail', { error: NEEDS_TWO }).reply)).toBe(NEEDS_TWO);
    expect(await rows(['--all'])).toEqual([]);
  });

  test('an upstream that dies while its URLs are open loses them, and the host is told at once', async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const { host, rows } = await gatewayWithHost(
      scope,
      'stdio',
      { servers: { one: upstream.entry } },
      { capabilities: FORM_AND_URL },
    );
    const call = host.startCall('fail', { error: NEEDS_TWO });
    await host.reply(await host.question(0), ACCEPT);
    await host.question(1);
    await until('one accepted', async () => (await rows(['--state', 'accepted'])).length === 1);
    host.startCall('exit');
    expect(parsed(errorOf(await call.reply)).message).toContain('one');
    expect((await rows(['--all'])).map(({ state }) => state).sort()).toEqual(['accepted', 'lost']);
  });
});

describe('to a host', () => {
  async function open(
    hostOptions: HttpHostOptions,
    config: object = {},
    more: Partial<UpstreamOptions> = {},
  ) {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio', ...more });
    const gateway = await startGateway(scope, { servers: { one: upstream.entry }, config: { ...config } });
    const host = await gateway.connect(hostOptions);
    return { upstream, gateway, host };
  }
  const rowOf = (rows: RowView[]): RowView => {
    const [row] = rows;
    if (rows.length !== 1 || row === undefined) throw new Error(`${rows.length} rows`);
    return row;
  };

  test('that takes no stream: it lists the question, and the same request takes the call up again', async () => {
    const { upstream, gateway, host } = await open(JSON_ONLY);
    const args = { params: urlParams(), nonce: { b: 1, a: [2, 3] } };
    const error = parsed(errorOf(await host.startCall('ask', args, { meta: '{"progressToken":1}' }).reply));
    const row = rowOf(await gateway.rows());
    expect(error).toMatchObject({
      code: -32042,
      data: {
        elicitations: [
          {
            mode: 'url',
            elicitationId: row.id,
            url: 'https://mcp.example.com/connect?x=1&y=2',
            message: 'one (via mcpx) asks: Link account',
          },
        ],
      },
    });
    expect(row).toMatchObject({ state: 'pending', audience: 'human' });
    // Another progress token, and the same arguments in another order: the same request.
    const again = host.start(
      'tools/call',
      `{"_meta":{"progressToken":2},"arguments":{"nonce":{"a":[2,3],"b":1},"params":${JSON.stringify(urlParams())}},"name":"ask"}`,
    );
    expect(await gateway.mcpx(['elicit', 'accept', row.id, '--yes'])).toMatchObject({ code: 0 });
    expect(await again.reply).toHaveProperty('result', expect.stringContaining('accept'));
    expect(calls(upstream, 'tools/call', 'ask')).toBe(1);
    // It was taken: the next one is a call of its own.
    expect(parsed(errorOf(await host.startCall('ask', args).reply)).code).toBe(-32042);
    expect(calls(upstream, 'tools/call', 'ask')).toBe(2);
    await checkWire(host.wire, { revision: '2025-11-25' });
  });

  test('an outcome that comes before its host does is kept for it', async () => {
    const { upstream, gateway, host } = await open(JSON_ONLY);
    const args = { params: urlParams() };
    await host.startCall('ask', args).reply;
    const row = rowOf(await gateway.rows());
    expect(await gateway.mcpx(['elicit', 'decline', row.id])).toMatchObject({ code: 0 });
    expect((await host.ask(args)).answers).toEqual(['{"action":"decline"}']);
    expect(calls(upstream, 'tools/call', 'ask')).toBe(1);
  });

  test('that answers the question with an error', async () => {
    const { gateway, host } = await open({
      capabilities: FORM_AND_URL,
      answer: () => ({ error: '{"code":-32601,"message":"no browser here"}' }),
    });
    const { reply } = host.startCall('ask', { params: urlParams() });
    const error = parsed(errorOf(await reply));
    const row = rowOf(await gateway.rows());
    expect(error.code).toBe(-32042);
    expect(error.data?.elicitations.map(({ elicitationId }) => elicitationId)).toEqual([row.id]);
    expect(row.reason).toContain('error');
  });

  test('an upstream that required two URLs: both are listed, under ids of mcpx and completed under them', async () => {
    const { upstream, gateway, host } = await open(JSON_ONLY);
    const args = { error: NEEDS_TWO, times: 1 };
    const error = parsed(errorOf(await host.startCall('fail', args).reply));
    const rows = await gateway.rows();
    expect(error.data?.elicitations.map(({ elicitationId }) => elicitationId).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    );
    await Promise.all(rows.map(({ id }) => gateway.mcpx(['elicit', 'accept', id, '--yes', '-q'])));
    await sayComplete(host, 'e-1');
    await sayComplete(host, 'e-2');
    expect(await host.call('fail', args)).toBe('succeeded at call 2');
    expect(calls(upstream)).toBe(2);
    expect(await host.openStream()).toBe(200);
    await seesCompletions(
      host,
      rows.map(({ id }) => id),
    );
  });

  test('that came back: a question it knows of is waited for, a new one is told of', async () => {
    const { gateway, host } = await open(JSON_ONLY);
    const args = {
      params: [urlParams(), urlParams({ elicitationId: 'u-2', message: 'Second' })],
      together: false,
    };
    await host.startCall('ask', args).reply;
    const again = host.startCall('ask', args);
    await gateway.mcpx(['elicit', 'accept', rowOf(await gateway.rows()).id, '--yes']);
    const error = parsed(errorOf(await again.reply));
    const second = rowOf(await gateway.rows());
    expect(error.data?.elicitations).toHaveLength(1);
    expect(error.data?.elicitations[0]).toMatchObject({
      elicitationId: second.id,
      message: 'one (via mcpx) asks: Second',
    });
    await gateway.mcpx(['elicit', 'accept', second.id, '--yes']);
    expect((await host.ask(args)).answers).toEqual(['{"action":"accept"}', '{"action":"accept"}']);
  });

  test.each<[string, HttpHostOptions, string]>([
    ['a form', JSON_ONLY, '{"message":"m","requestedSchema":{"type":"object","properties":{}}}'],
    ['a URL that cannot be opened', JSON_ONLY, urlParams({ url: 'javascript:alert(1)' })],
    ['a host without url', { ...JSON_ONLY, capabilities: '{"elicitation":{}}' }, urlParams()],
    ['a host of 2025-06-18', { ...JSON_ONLY, revision: '2025-06-18' }, urlParams()],
    [
      'an answer that is none',
      { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"yes"}' }) },
      urlParams(),
    ],
    ['a host that takes it inline', { capabilities: FORM_AND_URL }, urlParams()],
  ])('never for %s: the call waits for the broker', async (_what, hostOptions, params) => {
    const { gateway, host } = await open(hostOptions);
    const call = host.startCall('ask', { params });
    const row = await until('the row', async () => (await gateway.rows())[0]);
    await gateway.mcpx(['elicit', 'decline', row.id]);
    expect(await call.reply).toHaveProperty('result', expect.stringContaining('decline'));
  });

  test('a question that its GET stream can carry goes there', async () => {
    const { host } = await open({ ...JSON_ONLY, answer: () => DECLINE });
    expect(await host.openStream()).toBe(200);
    expect((await host.ask({ params: urlParams() })).answers).toEqual(['{"action":"decline"}']);
  });

  test('another session cannot take the call up', async () => {
    const { upstream, gateway, host } = await open(
      JSON_ONLY,
      {},
      {
        transport: 'http',
        entry: { isolation: 'shared' },
      },
    );
    const args = { params: urlParams() };
    await host.startCall('ask', args).reply;
    const stranger = await gateway.connect(JSON_ONLY);
    expect(parsed(errorOf(await stranger.startCall('ask', args).reply)).code).toBe(-32042);
    expect(calls(upstream, 'tools/call', 'ask')).toBe(2);
  });

  test('C40: beyond limits.parkedCalls the new one is refused, naming the limit; the old one stays', async () => {
    const { upstream, gateway, host } = await open(
      JSON_ONLY,
      { limits: { parkedCalls: 1 } },
      { transport: 'http' },
    );
    await host.startCall('ask', { params: urlParams(), nonce: 1 }).reply;
    const first = rowOf(await gateway.rows());
    const refused = parsed(errorOf(await host.startCall('ask', { params: urlParams(), nonce: 2 }).reply));
    expect(refused.code).toBe(-32603);
    expect(refused.message).toContain('limits.parkedCalls');
    expect(rowOf(await gateway.rows()).id).toBe(first.id);
    await upstream.message('the cancellation', ({ method }) => method === 'notifications/cancelled');
    await gateway.mcpx(['elicit', 'accept', first.id, '--yes']);
    expect((await host.ask({ params: urlParams(), nonce: 1 })).answers).toEqual(['{"action":"accept"}']);
  });

  test('a parked call that nobody comes back for ends with its ttl', async () => {
    const { upstream, gateway, host } = await open(JSON_ONLY, { elicit: { ttl: '700ms' } });
    await host.startCall('fail', { error: NEEDS_TWO }).reply;
    await until('the rows to end', async () => (await gateway.rows()).length === 0);
    expect(calls(upstream)).toBe(1);
    await until('the place to be free', async () => {
      const error = parsed(errorOf(await host.startCall('fail', { error: NEEDS_TWO }).reply));
      return error.message !== 'More info needed';
    });
    expect(completions(host)).toEqual([]);
  });
});
