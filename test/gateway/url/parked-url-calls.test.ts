// Calls that go on without their host, and come back to the same request: kept, limited, ended.
import { expect, test } from 'vitest';
import { Call } from '../../../src/gateway/call.ts';
import { HostState } from '../../../src/gateway/host-state.ts';
import { ParkedUrlCalls } from '../../../src/gateway/url/parked-url-calls.ts';
import type { Exchange, HostSession } from '../../../src/host/types.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const TTL = 60_000;
const RESULT: Reply = { result: '{"content":[]}' };

function start(most = 10) {
  const clock = fakeClock();
  const calls = new ParkedUrlCalls({ clock, most, ttl: TTL });
  return { clock, calls };
}

function hostNamed(
  id: string,
  capabilities: unknown = { elicitation: { url: {} } },
  ended = new AbortController().signal,
): HostState {
  const facts = {
    revision: '2025-11-25',
    capabilities,
    clientName: id,
    principal: 'local',
    transport: 'http',
  };
  return new HostState({ id, facts, ended } as unknown as HostSession, false);
}

function request(params = '{"name":"t","arguments":{"a":1,"b":2}}') {
  const cancel = new AbortController();
  const exchange: Exchange = {
    method: 'tools/call',
    params,
    signal: cancel.signal,
    streams: false,
    notify: () => {},
  };
  return { exchange, cancel };
}

/** A call that its upstream ends when told to. */
function running(clock: ReturnType<typeof fakeClock>, host: HostState, exchange: Exchange) {
  const call = new Call({
    host,
    server: 'one',
    method: 'tools/call',
    target: 't',
    exchange,
    clock,
    timeout: 10_000_000,
    ceiling: 10_000_000,
    progress: undefined,
  });
  let end: (reply: Reply) => void = () => {};
  const outcome = new Promise<Reply>((resolve, reject) => {
    end = resolve;
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true });
  });
  return { call, outcome, end };
}

async function parkedCall(most?: number, ended?: AbortSignal) {
  const { clock, calls } = start(most);
  const host = hostNamed('h', undefined, ended);
  const { exchange } = request();
  const run = running(clock, host, exchange);
  const first = calls.serve(run.call, exchange, run.outcome);
  const unblock = run.call.blocked.add('elc-1', { params: '{"elicitationId":"elc-1"}', told: () => {} });
  await clock.pass(20, 10);
  expect(JSON.stringify(await first)).toContain('-32042');
  return { clock, calls, host, unblock, ...run };
}

test('a call that nothing blocks is served as ever', async () => {
  const { clock, calls } = start();
  const { exchange } = request();
  const { call, outcome, end } = running(clock, hostNamed('h'), exchange);
  const reply = calls.serve(call, exchange, outcome);
  end(RESULT);
  expect(await reply).toBe(RESULT);
  expect(calls.takeUp(call.host, request().exchange)).toBeUndefined();
});

test('the same request takes it up, whatever its spelling and _meta; another request does not', async () => {
  const { calls, host, call, end } = await parkedCall();
  expect(call.awaited).toBe(false);
  expect(calls.takeUp(host, request('{"name":"t","arguments":{"a":1,"b":3}}').exchange)).toBeUndefined();
  expect(calls.takeUp(hostNamed('other'), request().exchange)).toBeUndefined();
  const again = calls.takeUp(
    host,
    request('{"_meta":{"x":1}, "arguments":{"b":2,"a":1}, "name":"t"}').exchange,
  );
  expect(call.awaited).toBe(true);
  end(RESULT);
  expect(await again).toBe(RESULT);
  expect(calls.takeUp(host, request().exchange)).toBeUndefined();
});

test('an outcome that came meanwhile is given, once', async () => {
  const { calls, host, end } = await parkedCall();
  end(RESULT);
  expect(await calls.takeUp(host, request().exchange)).toBe(RESULT);
  expect(calls.takeUp(host, request().exchange)).toBeUndefined();
});

test('two that wait both get the outcome; cancelling one leaves the call to the other', async () => {
  const { calls, host, call, end } = await parkedCall();
  const [one, two, three] = [request(), request(), request()];
  const waits = [one, two, three].map(({ exchange }) => calls.takeUp(host, exchange));
  waits[2]?.catch(() => {});
  three.cancel.abort(new Error('cancelled'));
  expect(call.over.aborted).toBe(false);
  end(RESULT);
  expect(await Promise.all([waits[0], waits[1]])).toEqual([RESULT, RESULT]);
});

test('cancelling the only one that waits ends the call', async () => {
  const { calls, host, call } = await parkedCall();
  const { exchange, cancel } = request();
  const waits = calls.takeUp(host, exchange);
  waits?.catch(() => {});
  cancel.abort(new Error('cancelled'));
  expect(call.signal.reason).toMatchObject({ message: 'cancelled' });
  await expect(waits).rejects.toBeDefined();
});

test('nobody comes back within the ttl: the call is given up, and its place is free', async () => {
  const { clock, calls, host, call } = await parkedCall(1);
  clock.advance(TTL - 1);
  expect(call.over.aborted).toBe(false);
  clock.advance(1);
  expect(call.signal.reason).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('elicit.ttl'),
  });
  expect(calls.takeUp(host, request().exchange)).toBeUndefined();
});

test('beyond the limit the new one is refused by name, and the old one stays (C40)', async () => {
  const { clock, calls, host, call, end } = await parkedCall(1);
  const { exchange } = request('{"name":"other"}');
  const second = running(clock, host, exchange);
  const refused = calls.serve(second.call, exchange, second.outcome);
  const said = expect(refused).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringContaining('limits.parkedCalls'),
    hint: expect.stringContaining('mcpx.json'),
  });
  second.call.blocked.add('elc-2', { params: '{}', told: () => {} });
  await clock.pass(20, 10);
  await said;
  expect(second.call.over.aborted).toBe(true);
  expect(call.over.aborted).toBe(false);
  end(RESULT);
  expect(await calls.takeUp(host, request().exchange)).toBe(RESULT);
});

test('what was kept for a session that is over makes room', async () => {
  const over = new AbortController();
  const { clock, calls, end } = await parkedCall(1, over.signal);
  end(RESULT);
  over.abort('The host ended the session.');
  const { exchange } = request();
  const next = running(clock, hostNamed('next'), exchange);
  const reply = calls.serve(next.call, exchange, next.outcome);
  next.call.blocked.add('elc-2', { params: '{}', told: () => {} });
  await clock.pass(20, 10);
  expect(JSON.stringify(await reply)).toContain('-32042');
});

test('a host that knows no -32042 is never told by it', async () => {
  const { clock, calls } = start();
  const { exchange } = request();
  const { call, outcome, end } = running(clock, hostNamed('h', { elicitation: {} }), exchange);
  const reply = calls.serve(call, exchange, outcome);
  call.blocked.add('elc-1', { params: '{}', told: () => {} });
  await clock.pass(50, 10);
  end(RESULT);
  expect(await reply).toBe(RESULT);
});
