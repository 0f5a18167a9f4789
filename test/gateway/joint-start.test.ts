// Requests that concern every server, with one server that hangs: the others are not taken down with it.

import { describe, expect, test } from 'vitest';
import type { Broker } from '../../src/broker/types.ts';
import { openChecks } from '../../src/checks/open.ts';
import { DEFAULTS } from '../../src/config/layers.ts';
import type { Settings } from '../../src/config/types.ts';
import { McpxError } from '../../src/errors.ts';
import { createGateway, type Gateway } from '../../src/gateway/gateway.ts';
import type { Sealer } from '../../src/gateway/input-required/state-seal.ts';
import type { HostFacts, HostSession } from '../../src/host/types.ts';
import type { Reply } from '../../src/protocol/types.ts';
import type { Connection, UpstreamConnector } from '../../src/upstream/types.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';

const LEGACY: HostFacts = {
  revision: '2025-11-25',
  capabilities: {},
  clientName: 'host',
  principal: 'local',
  transport: 'stdio',
};

/** An upstream whose start is in the test's hands, with one resource and one tool. */
function upstream(server: string, knows: string): UpstreamConnector & { start(): void; fail(): void } {
  let start: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const started = new Promise<void>((resolve, reject) => {
    start = resolve;
    fail = reject;
  });
  started.catch(() => undefined);
  const request = async (method: string, params: string | undefined): Promise<Reply> => {
    if (method === 'tools/list') return { result: `{"tools":[{"name":"do","inputSchema":{}}]}` };
    if (method !== 'resources/read') return { result: '{"resources":[],"resourceTemplates":[]}' };
    return params?.includes(knows)
      ? { result: `{"contents":[{"uri":"${knows}","text":"of ${server}"}]}` }
      : { error: '{"code":-32002,"message":"no such resource"}' };
  };
  const connection = {
    server,
    info: {
      revision: '2025-11-25',
      capabilities: { tools: {}, resources: {}, logging: {} },
      serverInfo: '{}',
      instructions: undefined,
    },
    closed: false,
    request,
    notify: async () => undefined,
    close: async () => undefined,
  } as unknown as Connection;
  return {
    server,
    transport: 'stdio',
    start: () => start(),
    fail: () => fail(new McpxError('upstream', `${server} ended`)),
    async open() {
      await started;
      return connection;
    },
  };
}

function scene() {
  const clock = fakeClock();
  const good = upstream('good', 'test://good');
  const hung = upstream('hung', 'test://hung');
  const connectors = new Map([hung, good].map((one) => [one.server, one]));
  const server = (name: string) => ({ name, isolation: 'session', callTimeout: 60_000 });
  const gateway = createGateway({
    settings: {
      servers: [server('hung'), server('good')],
      elicit: { ...DEFAULTS.elicit, ttl: 600_000 },
      serve: { ...DEFAULTS.serve, callTimeout: 60_000, callCeiling: 600_000 },
      limits: DEFAULTS.limits,
    } as unknown as Settings,
    broker: {} as Broker,
    checks: openChecks(),
    connectors,
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    sealer: {} as Sealer,
  });
  return { clock, good, hung, gateway };
}

/** A host with what it was told; its requests take no longer than the test lets time pass. */
function host(gateway: Gateway, clock: FakeClock) {
  const told: string[] = [];
  const session: HostSession = {
    id: 'h',
    facts: LEGACY,
    ended: new AbortController().signal,
    request: async () => ({ result: '{}' }),
    reachable: () => false,
    notify: (method) => void told.push(method),
  };
  /** Milliseconds until the promise settles, and what it gave. */
  async function timed<T>(work: Promise<T>): Promise<{ ms: number; value: T }> {
    const begun = clock.now();
    let over = false;
    const watched = work.finally(() => {
      over = true;
    });
    while (!over && clock.now() - begun < 60_000) await clock.pass(1_000);
    return { ms: clock.now() - begun, value: await watched };
  }
  return {
    told,
    initialize: () => timed(gateway.handler.welcome(session)),
    ask: (method: string, params?: string) =>
      timed(
        gateway.handler.request(session, {
          method,
          params,
          signal: new AbortController().signal,
          streams: false,
          notify: () => {},
        }),
      ),
  };
}

const namesIn = (reply: Reply): unknown => ('result' in reply ? JSON.parse(reply.result).tools : reply);

describe('with one server that hangs', () => {
  test('lists come without it soon, and the host is told once it is there', async () => {
    const { clock, good, hung, gateway } = scene();
    good.start();
    const one = host(gateway, clock);
    await one.initialize();
    const list = await one.ask('tools/list');
    expect(namesIn(list.value)).toMatchObject([{ name: 'good__do' }]);
    expect(list.ms).toBeLessThanOrEqual(5_000);
    expect((await one.ask('logging/setLevel', '{"level":"info"}')).ms).toBeLessThanOrEqual(5_000);

    hung.start();
    await until('the host to be told', () => one.told.includes('notifications/tools/list_changed'));
    expect(namesIn((await one.ask('tools/list')).value)).toHaveLength(2);
  });

  test('the next host is not kept waiting for it, and is told all the same', async () => {
    const { clock, good, hung, gateway } = scene();
    good.start();
    expect((await host(gateway, clock).initialize()).ms).toBeGreaterThanOrEqual(9_000);
    const next = host(gateway, clock);
    expect((await next.initialize()).ms).toBeLessThanOrEqual(1_000);
    await next.ask('tools/list');
    hung.start();
    await until('the host to be told', () => next.told.includes('notifications/tools/list_changed'));
  });

  test('where no server is there yet, the list waits for one', async () => {
    const { clock, good, gateway } = scene();
    const one = host(gateway, clock);
    await one.initialize();
    const list = one.ask('tools/list');
    await clock.pass(8_000);
    good.start();
    expect(namesIn((await list).value)).toMatchObject([{ name: 'good__do' }]);
  });
});

test('a resource that no server lists is read from the one that knows it, though another is down', async () => {
  const { clock, good, hung, gateway } = scene();
  good.start();
  hung.fail();
  const one = host(gateway, clock);
  await one.initialize();
  expect((await one.ask('resources/read', '{"uri":"test://good"}')).value).toMatchObject({
    result: expect.stringContaining('of good'),
  });
});
