// C58: where server/discover is answered and initialize gives no session, every host is served by the modern side.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EraVerdict, EraVerdicts } from '../../src/broker/types.ts';
import type { ServerReport } from '../../src/cli/servers-look.ts';
import { type HttpGateway, install, serveHttp, startGateway } from '../support/gateway.ts';
import { ROOT, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { httpDouble, json, result } from '../upstream/http-double.ts';
import { httpServer, open } from '../upstream/open.ts';

const CAN_ASK = '{"elicitation":{}}';
const ACCEPTED = '{"action":"accept","content":{"repo":"me/thing"}}';

/** An SDK v2 server over HTTP, as its documentation shows it. */
async function sdk(scope: ReturnType<typeof testScope>, entry = {}): Promise<Record<string, unknown>> {
  const server = startNode(scope, [join(ROOT, 'fixtures', 'sdk2-server.mjs'), '--http']);
  return { url: await server.line((line) => line.startsWith('http://')), ...entry };
}

test('a question of an SDK v2 server reaches a legacy host, inline or by the broker', async () => {
  const scope = testScope();
  const gateway = await startGateway(scope, { servers: { sdk: await sdk(scope) } });
  const able = await gateway.connect({ capabilities: CAN_ASK, answer: () => ({ result: ACCEPTED }) });
  expect(await able.call('ask')).toContain('me/thing');
  expect(JSON.parse(able.questions[0]?.params ?? '').message).toContain('Which repository?');
  const old = await gateway.connect({ revision: '2025-03-26' });
  const call = old.startCall('ask').reply;
  const [row] = await until('the row', async () => {
    const rows = await gateway.rows();
    return rows.length === 1 && rows;
  });
  await gateway.mcpx(['elicit', 'accept', row?.id ?? '', '-F', 'repo=you/thing']);
  expect(await call).toMatchObject({ result: expect.stringContaining('you/thing') });
});

test('`mcpx servers` says so, with the reason, to people and to programs', async () => {
  const scope = testScope();
  const both = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28', flags: ['--dual'] });
  const sessionless = await sdk(scope);
  const servers = { both: both.entry, sdk: sessionless, said: { ...sessionless, era: 'legacy' } };
  const { mcpx, json: asJson } = install(scope, { servers });
  const reports = await asJson<ServerReport[]>(['servers']);
  expect(reports.map(({ name, era, eraReason }) => [name, era, eraReason])).toEqual([
    ['both', 'modern', undefined],
    ['sdk', 'modern', expect.stringContaining('no session')],
    ['said', 'legacy', undefined],
  ]);
  const { stdout } = await mcpx(['servers']);
  expect(stdout).toContain('2026-07-28 for every host: server/discover is answered');
});

const seen = (upstream: FixtureUpstream, method: string): number =>
  upstream.messages().filter((message) => message['method'] === method).length;

async function callOnce(gateway: HttpGateway): Promise<void> {
  const host = await gateway.connect({ capabilities: CAN_ASK, answer: () => ({ result: ACCEPTED }) });
  expect(await host.call('ask')).toContain('me/thing');
  await host.close();
}

test('what was found is kept, so that neither a second host nor a restart looks again', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, {
    transport: 'http',
    revision: '2026-07-28',
    flags: ['--dual', '--stateless'],
  });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  await callOnce(gateway);
  await callOnce(gateway);
  await gateway.process.stop();
  await callOnce(await serveHttp(scope, gateway));
  expect(seen(upstream, 'initialize')).toBe(1);
  expect(seen(upstream, 'tools/call')).toBe(6);
});

test('`era: "legacy"` stays what the user said', async () => {
  const scope = testScope();
  const flags = ['--dual', '--stateless'];
  const entry = { era: 'legacy' };
  const upstream = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28', flags, entry });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  await (await gateway.connect()).call('echo');
  expect([seen(upstream, 'initialize'), seen(upstream, 'server/discover')]).toEqual([1, 0]);
});

/** A server whose two sides answer as they are told at the time. */
async function changing() {
  const is = { session: false, modern: true };
  const methods: string[] = [];
  const { url } = await httpDouble(({ method: verb, message, headers }, res) => {
    if (verb !== 'POST') return res.writeHead(405).end();
    const { id, method } = message;
    methods.push(String(method));
    if (method === 'server/discover') {
      if (!is.modern || headers['mcp-session-id'] !== undefined) return res.writeHead(404).end();
      return json(
        res,
        result(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }),
      );
    }
    if (method === 'initialize') {
      if (is.session) res.setHeader('mcp-session-id', 's');
      const info = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'x', version: '1' },
      };
      return json(res, result(id, info));
    }
    return res.writeHead(202).end();
  });
  return { is, methods, url };
}

function verdicts(): EraVerdicts & { now: EraVerdict | undefined } {
  return {
    now: undefined,
    get() {
      return Promise.resolve(this.now);
    },
    async set(_key, verdict) {
      this.now = verdict;
    },
  };
}

test('what changes later is found: the modern side goes, sessions come, the verdict runs out', async () => {
  const { is, methods, url } = await changing();
  const kept = verdicts();
  const era = async (): Promise<string> => {
    const { connection } = await open(httpServer(url), { prefer: 'legacy', verdicts: kept });
    await connection.close('seen');
    return connection.info.revision;
  };
  expect([await era(), kept.now]).toEqual(['2026-07-28', 'modern-first']);
  methods.length = 0;
  expect([await era(), methods]).toEqual(['2026-07-28', ['server/discover']]);
  is.modern = false;
  expect([await era(), kept.now]).toEqual(['2025-11-25', 'legacy']);
  methods.length = 0;
  expect([await era(), methods]).toEqual(['2025-11-25', ['initialize', 'notifications/initialized']]);
  is.modern = true;
  kept.now = undefined;
  expect([await era(), kept.now]).toEqual(['2026-07-28', 'modern-first']);
  is.session = true;
  kept.now = undefined;
  expect([await era(), kept.now]).toEqual(['2025-11-25', undefined]);
});
