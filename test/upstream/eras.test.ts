// Which era is spoken to an upstream: what the configuration says, what the host prefers, what the server answers, what is known.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EraVerdict, EraVerdicts } from '../../src/broker/types.ts';
import type { ServerConfig } from '../../src/config/types.ts';
import type { Era } from '../../src/upstream/types.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { type Answer, httpDouble, json, result } from './http-double.ts';
import {
  configOf,
  connect,
  double,
  httpServer,
  type Opened,
  type OpenOptions,
  open as openWith,
  textOf,
} from './open.ts';

type Transport = 'stdio' | 'http';
const TRANSPORTS: Transport[] = ['stdio', 'http'];
const MODERN = '2026-07-28';

/** However long a busy machine takes to start a process, it is not taken for silent. */
const open = (config: ServerConfig, options: OpenOptions = {}): Promise<Opened> =>
  openWith(config, { clock: fakeClock(), ...options });

/** Verdicts in memory, and every one that was kept. */
function verdicts(known?: EraVerdict): EraVerdicts & { readonly kept: (EraVerdict | undefined)[] } {
  const kept: (EraVerdict | undefined)[] = [];
  let now = known;
  return {
    kept,
    get: async () => now,
    async set(_key, verdict) {
      now = verdict;
      kept.push(verdict);
    },
  };
}

/** A legacy fixture, a modern one, or one of both eras. */
function upstreamOf(
  speaks: 'legacy' | 'modern' | 'both',
  transport: Transport,
  ...flags: string[]
): Promise<FixtureUpstream> {
  const more = speaks === 'both' ? ['--dual'] : [];
  return fixtureUpstream(testScope(), {
    transport,
    revision: speaks === 'legacy' ? '2025-11-25' : MODERN,
    flags: [...more, ...flags],
  });
}

const methodsOf = (upstream: FixtureUpstream): unknown[] => upstream.messages().map(({ method }) => method);

test.each(
  TRANSPORTS.flatMap((transport) =>
    (
      [
        ['legacy', 'legacy', undefined, '2025-11-25', ['initialize'], undefined],
        ['legacy', 'modern', undefined, '2025-11-25', ['server/discover', 'initialize'], 'legacy'],
        ['legacy', 'modern', 'legacy', '2025-11-25', ['initialize'], 'legacy'],
        ['legacy', 'modern', 'modern', '2025-11-25', ['server/discover', 'initialize'], 'legacy'],
        ['legacy', 'legacy', 'modern-only', '2025-11-25', ['server/discover', 'initialize'], 'legacy'],
        ['modern', 'modern', undefined, MODERN, ['server/discover'], 'modern'],
        ['modern', 'legacy', undefined, MODERN, ['initialize', 'server/discover'], 'modern-only'],
        ['modern', 'legacy', 'modern-only', MODERN, ['server/discover'], 'modern-only'],
        ['modern', 'modern', 'modern-only', MODERN, ['server/discover'], 'modern-only'],
        ['modern', 'modern', 'legacy', MODERN, ['initialize', 'server/discover'], 'modern-only'],
        ['both', 'legacy', undefined, '2025-11-25', ['initialize'], undefined],
        ['both', 'legacy', 'modern', '2025-11-25', ['initialize'], 'modern'],
        ['both', 'modern', undefined, MODERN, ['server/discover'], 'modern'],
        ['both', 'modern', 'modern', MODERN, ['server/discover'], 'modern'],
      ] as const
    ).map(([speaks, prefer, known, revision, asked, then]) => ({
      transport,
      speaks,
      prefer,
      known,
      revision,
      asked,
      then,
    })),
  ),
)(
  '$transport: speaks $speaks, $prefer preferred, known as $known',
  async ({ transport, speaks, prefer, known, revision, asked, then }) => {
    const upstream = await upstreamOf(speaks, transport);
    const store = verdicts(known);
    const { connection, call } = await open(configOf(upstream), { prefer, verdicts: store });
    expect(connection.info.revision).toBe(revision);
    expect(textOf(await call('slow'))).toBe('done');
    const first = methodsOf(upstream).filter(
      (method) => method === 'initialize' || method === 'server/discover',
    );
    expect(first).toEqual(asked);
    expect(await store.get('')).toBe(then);
    // What was known already is not written again, so that it is not taken for newer than it is.
    expect(store.kept).toEqual(then === known ? [] : [then]);
  },
);

test.each(TRANSPORTS)(
  '%s: a configured era is the only one, whatever is preferred or known',
  async (transport) => {
    const both = await upstreamOf('both', transport);
    const cells: [ServerConfig['era'], Era, EraVerdict, string][] = [
      ['legacy', 'modern', 'modern-only', '2025-11-25'],
      ['modern', 'legacy', 'legacy', MODERN],
    ];
    for (const [era, prefer, known, revision] of cells) {
      const store = verdicts(known);
      const { connection } = await open(configOf(both, era), { prefer, verdicts: store });
      expect(connection.info.revision).toBe(revision);
      expect(store.kept).toEqual([]);
    }
  },
);

test.each(TRANSPORTS)(
  '%s: a server without the configured era is an error that says so',
  async (transport) => {
    const name = transport === 'http' ? 'linear' : 'github';
    const legacy = await upstreamOf('legacy', transport);
    await expect(open(configOf(legacy, 'modern'))).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining(`${name}: does not speak 2026-07-28: `),
      hint: expect.stringContaining(`mcpServers.${name}`),
    });
    expect(methodsOf(legacy)).not.toContain('initialize');
    const modern = await upstreamOf('modern', transport);
    await expect(open(configOf(modern, 'legacy'))).rejects.toThrow(`${name}: refused initialize: `);
    expect(methodsOf(modern)).toEqual(['initialize']);
  },
);

test('stdio: after 2 s of silence initialize goes out on the same pipe, and what was silent is not kept', async () => {
  const clock = fakeClock();
  const store = verdicts();
  const upstream = await upstreamOf('both', 'stdio', '--discover', 'silent');
  const opening = open(configOf(upstream), { prefer: 'modern', clock, verdicts: store });
  await upstream.message('the probe', ({ method }) => method === 'server/discover');
  clock.advance(1999);
  expect(methodsOf(upstream)).toEqual(['server/discover']);
  clock.advance(1);
  const { connection, call } = await opening;
  expect(connection.info.revision).toBe('2025-11-25');
  const { pid } = JSON.parse(textOf(await call('whoami'))) as { pid: number };
  expect(pid).toBeGreaterThan(0);
  expect(methodsOf(upstream)).toEqual([
    'server/discover',
    'initialize',
    'notifications/initialized',
    'tools/call',
  ]);
  expect(store.kept).toEqual([]);
});

test('stdio: a modern server that is slow is heard out, and not restarted', async () => {
  const clock = fakeClock();
  const store = verdicts();
  const upstream = await upstreamOf('modern', 'stdio', '--discover', 'late');
  const opening = open(configOf(upstream), { prefer: 'modern', clock, verdicts: store });
  await upstream.message('the probe', ({ method }) => method === 'server/discover');
  clock.advance(2000);
  const { connection } = await opening;
  expect(connection.info.revision).toBe(MODERN);
  expect(methodsOf(upstream)).toEqual(['server/discover', 'initialize']);
  expect(store.kept).toEqual(['modern-only']);
});

test('stdio: a slow server that then takes initialize too is spoken to as it took it, and known to be modern', async () => {
  const clock = fakeClock();
  const store = verdicts();
  const file = join(testScope().dir(), 'received');
  const opening = open(double('slow-both', file), { prefer: 'modern', clock, verdicts: store });
  await until('the probe', () => received(file).length === 1);
  clock.advance(2000);
  const { connection } = await opening;
  expect(connection.info.revision).toBe('2025-11-25');
  expect(store.kept).toEqual(['modern']);
});

test('stdio: a server known to be modern is waited for, and one that then says nothing is probed anew', async () => {
  const clock = fakeClock();
  const store = verdicts('modern');
  const upstream = await upstreamOf('modern', 'stdio', '--discover', 'silent');
  const opening = open(configOf(upstream), { prefer: 'modern', clock, verdicts: store });
  const failed = expect(opening).rejects.toThrow('github: no answer to server/discover');
  await upstream.message('the probe', ({ method }) => method === 'server/discover');
  clock.advance(29_999);
  expect(methodsOf(upstream)).toEqual(['server/discover']);
  clock.advance(1);
  await failed;
  expect(store.kept).toEqual([undefined]);
});

test('stdio: a server that ends at the probe is started once more, with initialize', async () => {
  const store = verdicts();
  const upstream = await upstreamOf('both', 'stdio', '--discover', 'exit');
  const { connection, closed } = await open(configOf(upstream), { prefer: 'modern', verdicts: store });
  expect(connection.info.revision).toBe('2025-11-25');
  expect(methodsOf(upstream).slice(0, 2)).toEqual(['server/discover', 'initialize']);
  expect(store.kept).toEqual(['legacy']);
  expect(closed).toEqual([]);
});

test('stdio: a server that always ends says why, and is not started a third time', async () => {
  const file = join(testScope().dir(), 'starts');
  await expect(open(double('count-and-exit', file), { prefer: 'modern' })).rejects.toThrow(
    'exited with code 9',
  );
  expect(received(file)).toHaveLength(2);
  await expect(open(double('count-and-exit', file), { prefer: 'legacy' })).rejects.toThrow(
    'exited with code 9',
  );
  expect(received(file)).toHaveLength(3);
});

test.each(TRANSPORTS)('%s: one probe at a time, whose outcome all go by', async (transport) => {
  const upstream = await upstreamOf('legacy', transport);
  const connector = connect(configOf(upstream), { clock: fakeClock() });
  const channels = await Promise.all(
    Array.from({ length: 5 }, () => open(configOf(upstream), { prefer: 'modern', connector })),
  );
  expect(channels.map(({ connection }) => connection.info.revision)).toEqual(Array(5).fill('2025-11-25'));
  const methods = methodsOf(upstream);
  expect(methods.filter((method) => method === 'server/discover')).toHaveLength(1);
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(5);
});

test('a probe that fails fails all that wait for it; one whose caller gives up is made by the next', async () => {
  const clock = fakeClock();
  const { url, hits } = await httpDouble((hit, res) => {
    if (hit.message.method === 'server/discover') return true;
    return json(res, { error: 'no' }, 401);
  });
  const connector = connect(httpServer(url), { clock });
  const giveUp = new AbortController();
  const first = expect(
    open(httpServer(url), { prefer: 'modern', connector, clock, signal: giveUp.signal }),
  ).rejects.toBe('gone');
  await until('the probe', () => hits.length === 1);
  const second = expect(open(httpServer(url), { prefer: 'modern', connector, clock })).rejects.toThrow(
    'HTTP 401',
  );
  const third = expect(open(httpServer(url), { prefer: 'modern', connector, clock })).rejects.toThrow(
    'HTTP 401',
  );
  giveUp.abort('gone');
  await first;
  await until('the next probe', () => hits.length === 2);
  await until('its timers', () => clock.timers >= 2);
  clock.advance(10_000);
  await Promise.all([second, third]);
  expect(hits.map(({ message }) => message.method)).toEqual([
    'server/discover',
    'server/discover',
    'initialize',
  ]);
});

const rpc = (code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id: 'ours',
  error: { code, message, data },
});

test.each<[string, number, unknown, 'legacy' | string]>([
  ['a page', 404, 'no such page', 'legacy'],
  ['an empty body', 400, '', 'legacy'],
  ['an older server that wants a session', 400, rpc(-32000, 'Bad Request: Server not initialized'), 'legacy'],
  ['an older server without the method', 200, rpc(-32601, 'Method not found'), 'legacy'],
  ['an older server that fails', 500, 'oops', 'legacy'],
  ['a result that is none', 200, { jsonrpc: '2.0', id: 'ours', result: {} }, 'legacy'],
  ['only older versions', 400, rpc(-32022, 'no', { supported: ['2025-11-25'], requested: MODERN }), 'legacy'],
  [
    'only older versions, found',
    200,
    { jsonrpc: '2.0', id: 'ours', result: { supportedVersions: ['2025-06-18'] } },
    'legacy',
  ],
  [
    'versions of another time',
    400,
    rpc(-32022, 'no', { supported: ['2031-01-01'], requested: MODERN }),
    'linear: supports no revision that mcpx speaks; it says ["2031-01-01"]',
  ],
  [
    'a header it does not like',
    400,
    rpc(-32020, 'Header mismatch'),
    'linear: refused server/discover: Header mismatch',
  ],
  [
    'a capability it wants',
    400,
    rpc(-32021, 'needs sampling'),
    'linear: refused server/discover: needs sampling',
  ],
  ['no access', 401, '', 'linear: answered HTTP 401'],
  ['no access for this one', 403, '', 'linear: answered HTTP 403'],
])('HTTP: %s in answer to the probe', async (_, status, body, outcome) => {
  const answer: Answer = ({ message, method }, res) => {
    if (method !== 'POST' || message.method !== 'server/discover') return false;
    const text = typeof body === 'string' ? body : JSON.stringify(body).replace('"ours"', String(message.id));
    return res
      .writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' })
      .end(text);
  };
  const { url, hits } = await httpDouble(answer);
  const store = verdicts();
  const opening = open(httpServer(url), { prefer: 'modern', verdicts: store });
  if (outcome === 'legacy') {
    expect((await opening).connection.info.revision).toBe('2025-11-25');
    expect(store.kept).toEqual(['legacy']);
  } else {
    await expect(opening).rejects.toThrow(outcome);
    expect(hits).toHaveLength(1);
    expect(store.kept).toEqual([]);
  }
});

test.each([
  ['once, is asked again', 1, MODERN],
  ['twice, has refused', 2, 'linear: refused server/discover: no'],
])('HTTP: a server that refuses the version it names %s', async (_, refusals, outcome) => {
  const { url, hits } = await httpDouble(({ message }, res) => {
    if (message.method !== 'server/discover') return false;
    return hits.length <= refusals
      ? json(res, { ...rpc(-32022, 'no', { supported: [MODERN], requested: MODERN }), id: message.id }, 400)
      : json(res, result(message.id, { supportedVersions: [MODERN], capabilities: {} }));
  });
  const opening = open(httpServer(url), { prefer: 'modern' });
  if (refusals === 1) expect((await opening).connection.info.revision).toBe(outcome);
  else await expect(opening).rejects.toThrow(outcome);
  expect(hits).toHaveLength(2);
});

test('HTTP: a probe that is not answered within 10 s is followed by initialize, and not kept', async () => {
  const clock = fakeClock();
  const store = verdicts();
  const { url, hit } = await httpDouble(({ message }) => message.method === 'server/discover');
  const opening = open(httpServer(url), { prefer: 'modern', clock, verdicts: store });
  const probe = await hit('the probe', ({ message }) => message.method === 'server/discover');
  clock.advance(10_000);
  expect((await opening).connection.info.revision).toBe('2025-11-25');
  await until('the end of the probe', () => probe.gone);
  expect(store.kept).toEqual([]);
});

test('HTTP: a modern server that names its era in the refusal is not asked for HTTP+SSE', async () => {
  const { url, hits } = await httpDouble(({ message }, res) => {
    if (message.method === 'initialize')
      return json(
        res,
        JSON.stringify(rpc(-32022, 'no', { supported: [MODERN], requested: '2025-11-25' })).replace(
          '"ours"',
          String(message.id),
        ),
        400,
      );
    return json(
      res,
      result(message.id, { resultType: 'complete', supportedVersions: [MODERN], capabilities: {} }),
    );
  });
  const { connection } = await open(httpServer(url));
  expect(connection.info.revision).toBe(MODERN);
  expect(hits.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('a server that cannot be reached is probed anew, one that its caller gave up on is not', async () => {
  const { url } = await httpDouble(() => true);
  const gone = `http://127.0.0.2:${new URL(url).port}/mcp`;
  const failed = verdicts('modern');
  await expect(open(httpServer(gone), { prefer: 'modern', verdicts: failed })).rejects.toMatchObject({
    code: 'unreachable',
  });
  expect(failed.kept).toEqual([undefined]);
  const left = verdicts('modern');
  const giveUp = new AbortController();
  const opening = open(httpServer(url), { prefer: 'modern', verdicts: left, signal: giveUp.signal });
  giveUp.abort('gone');
  await expect(opening).rejects.toBe('gone');
  expect(left.kept).toEqual([]);
});

test('a store that fails costs a probe, and nothing more', async () => {
  const broken: EraVerdicts = {
    get: () => Promise.reject(new Error('locked')),
    set: () => Promise.reject(new Error('locked')),
  };
  const upstream = await upstreamOf('modern', 'stdio');
  const { connection, log } = await open(configOf(upstream), { prefer: 'modern', verdicts: broken });
  expect(connection.info.revision).toBe(MODERN);
  expect(log.lines.filter(({ fields }) => fields['error'] === 'locked')).toHaveLength(2);
});

function received(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}
