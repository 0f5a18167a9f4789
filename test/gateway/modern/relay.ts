// The relay in this process on a fake clock, with a modern upstream whose replies the test writes one by one.

import type { Broker } from '../../../src/broker/types.ts';
import { openChecks } from '../../../src/checks/open.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Settings } from '../../../src/config/types.ts';
import { createGateway, type Gateway } from '../../../src/gateway/gateway.ts';
import { readKeys, Sealer } from '../../../src/gateway/input-required/state-seal.ts';
import { silent } from '../../../src/log.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import type {
  Connection,
  ConnectionHandlers,
  RequestOptions,
  UpstreamConnector,
} from '../../../src/upstream/types.ts';
import { bench } from '../../broker/support.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { until } from '../../support/until.ts';

const MINUTE = 60_000;

/** A request that reached the upstream, and the way to answer it. */
export interface Reached {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: RequestOptions;
  answer(result: object): void;
  fail(error: Error): void;
  /** Sends progress under the request's own token. */
  progress(value: number): void;
}

export interface Relay {
  readonly gateway: Gateway;
  readonly broker: Broker;
  readonly clock: FakeClock;
  readonly reached: Reached[];
  /** The request with this index, waited for. */
  request(index: number): Promise<Reached>;
}

const settings = (stateDir: string): Settings => ({
  servers: [
    {
      name: 'one',
      era: 'follow',
      isolation: undefined,
      callTimeout: 2 * MINUTE,
      disabled: false,
      transport: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: {},
    },
  ],
  elicit: {
    ttl: 10 * MINUTE,
    urlWait: 5 * MINUTE,
    unattended: 'wait',
    audience: 'all',
    sensitive: 'seal',
    keep: 30 * 24 * 60 * MINUTE,
    rules: [],
  },
  serve: {
    port: 0,
    host: '127.0.0.1',
    naming: 'auto',
    callTimeout: 2 * MINUTE,
    callCeiling: 60 * MINUTE,
    allowedHosts: [],
    allowedOrigins: [],
    auth: { tokens: [] },
  },
  limits: {
    messageBytes: 65_536,
    schemaBytes: 262_144,
    properties: 500,
    options: 2_000,
    answerBytes: 262_144,
    frameBytes: 16_777_216,
    openPerServer: 200,
    newPerMinute: 600,
    questionsPerRound: 64,
    parkedCalls: 1_000,
    channels: 32,
    sessions: 1_000,
  },
  stateDir,
});

export async function relay(): Promise<Relay> {
  const { open, scope, stateDir } = bench();
  // The store keeps the machine's time: what is tested here is what the relay does with its own.
  const broker = await open('gateway', { clock: systemClock });
  const clock = fakeClock(Date.now());
  const reached: Reached[] = [];
  const connector: UpstreamConnector = {
    server: 'one',
    transport: 'http',
    open: ({ handlers }) => Promise.resolve(connection(handlers)),
  };

  function connection(handlers: ConnectionHandlers): Connection {
    return {
      server: 'one',
      info: {
        revision: '2026-07-28',
        capabilities: { tools: {} },
        serverInfo: '{}',
        instructions: undefined,
      },
      closed: false,
      request: (method, text, options) =>
        new Promise<Reply>((resolve, reject) => {
          const params = JSON.parse(text ?? '{}') as Record<string, unknown>;
          options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
          const { progressToken } = (params['_meta'] ?? {}) as { progressToken?: unknown };
          reached.push({
            method,
            params,
            options,
            answer: (result) => resolve({ result: JSON.stringify(result) }),
            fail: reject,
            progress: (value) =>
              handlers.onNotification({
                method: 'notifications/progress',
                params: JSON.stringify({ progressToken, progress: value }),
                origin: options.ticket,
              }),
          });
        }),
      notify: () => Promise.resolve(),
      stderrTail: () => '',
      close: () => Promise.resolve(),
    };
  }

  const gateway = createGateway({
    settings: settings(stateDir),
    broker,
    checks: openChecks(),
    connectors: new Map([['one', connector]]),
    clock,
    log: silent,
    sealer: new Sealer(readKeys('ab'.repeat(32)), clock),
  });
  scope.defer(() => gateway.close('the test is over'));
  return {
    gateway,
    broker,
    clock,
    reached,
    request: (index) => until(`request ${index} upstream`, () => reached[index]),
  };
}
