// Calls that go on without their host, and come back to the same request: kept, limited, ended.
import { expect, test } from 'vitest';
import { BlockableCalls } from '../../../src/gateway/calls/blockable-calls.ts';
import type { RequestContext } from '../../../src/gateway/calls/call.ts';
import { ParkedCalls } from '../../../src/gateway/calls/parked-calls.ts';
import { type Requester, SessionRequester } from '../../../src/gateway/requesters.ts';
import type { Exchange, HostSession } from '../../../src/host/types.ts';
import type { Reply } from '../../../src/protocol/types.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { turn } from '../modern/support.ts';

const TTL = 60_000;
const RESULT: Reply = { result: '{"content":[]}' };

/** A call that runs until the test ends it. */
interface Running {
  readonly context: RequestContext;
  readonly end: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
}

function start(most = 10) {
  const clock = fakeClock();
  const parked = new ParkedCalls(most, clock);
  const running: Running[] = [];
  const calls = new BlockableCalls({
    parked,
    clock,
    ttl: TTL,
    serve: (context) =>
      new Promise((end, fail) => {
        running.push({ context, end, fail });
        const { signal } = context.exchange;
        signal.addEventListener('abort', () => fail(signal.reason), { once: true });
      }),
    spell: (_host, failure) => ({ error: JSON.stringify({ code: -1, message: String(failure) }) }),
  });
  /** The call that began last. */
  const last = (): Running => {
    const one = running.at(-1);
    if (one === undefined) throw new Error('nothing runs');
    return one;
  };
  return { clock, parked, calls, running, last };
}

function hostNamed(id: string): Requester {
  const facts = {
    revision: '2025-11-25',
    capabilities: { elicitation: { url: {} } },
    clientName: id,
    principal: 'local',
    transport: 'http',
  };
  return new SessionRequester({ id, facts, ended: new AbortController().signal } as unknown as HostSession);
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

const blocked = (id: string) => ({ server: 'one', params: `{"elicitationId":"${id}"}`, told: () => {} });

async function parkedCall(most?: number) {
  const it = start(most);
  const host = hostNamed('h');
  const first = it.calls.serve(host, request().exchange);
  const unblock = it.last().context.blocked?.add('elc-1', blocked('elc-1'));
  await it.clock.pass(20, 10);
  expect(JSON.stringify(await first)).toMatch(/-32042.*one needs you to open a URL first/);
  return { ...it, host, unblock, ...it.last() };
}

test('a call that nothing blocks is served as ever', async () => {
  const { calls, last, running } = start();
  const host = hostNamed('h');
  const reply = calls.serve(host, request().exchange);
  last().end(RESULT);
  expect(await reply).toBe(RESULT);
  void calls.serve(host, request().exchange);
  expect(running).toHaveLength(2);
});

test('the same request takes it up, whatever its spelling and _meta; another request does not', async () => {
  const { calls, host, running, end, context } = await parkedCall();
  expect(context.open()).toBeUndefined();
  void calls.serve(host, request('{"name":"t","arguments":{"a":1,"b":3}}').exchange);
  void calls.serve(hostNamed('other'), request().exchange);
  expect(running).toHaveLength(3);
  const { exchange } = request('{"_meta":{"x":1}, "arguments":{"b":2,"a":1}, "name":"t"}');
  const again = calls.serve(host, exchange);
  expect(context.open()).toBe(exchange);
  end(RESULT);
  expect(await again).toBe(RESULT);
  expect(running).toHaveLength(3);
  void calls.serve(host, request().exchange);
  expect(running).toHaveLength(4);
});

test('an outcome that came meanwhile is given, once', async () => {
  const { calls, host, running, end } = await parkedCall();
  end(RESULT);
  await turn();
  expect(await calls.serve(host, request().exchange)).toBe(RESULT);
  void calls.serve(host, request().exchange);
  expect(running).toHaveLength(2);
});

test('a call that failed while it was parked is made anew', async () => {
  const { calls, host, running, fail } = await parkedCall();
  fail(new Error('the server is gone'));
  await turn();
  void calls.serve(host, request().exchange);
  expect(running).toHaveLength(2);
});

test('two that wait both get the outcome; cancelling one leaves the call to the other', async () => {
  const { calls, host, context, end } = await parkedCall();
  const [one, two, three] = [request(), request(), request()];
  const waits = [one, two, three].map(({ exchange }) => calls.serve(host, exchange));
  waits[2]?.catch(() => {});
  three.cancel.abort(new Error('cancelled'));
  expect(context.exchange.signal.aborted).toBe(false);
  end(RESULT);
  expect(await Promise.all([waits[0], waits[1]])).toEqual([RESULT, RESULT]);
});

test('cancelling the only one that waits ends the call', async () => {
  const { calls, host, context } = await parkedCall();
  const { exchange, cancel } = request();
  const waits = calls.serve(host, exchange);
  waits.catch(() => {});
  cancel.abort(new Error('cancelled'));
  expect(context.exchange.signal.reason).toMatchObject({ message: 'cancelled' });
  await expect(waits).rejects.toThrow('cancelled');
});

test('nobody comes back within the ttl: the call is given up, and its place is free', async () => {
  const { clock, parked, context } = await parkedCall(1);
  expect(parked.whyFull()?.message).toContain('limits.parkedCalls');
  clock.advance(TTL - 1);
  expect(context.exchange.signal.aborted).toBe(false);
  clock.advance(1);
  expect(context.exchange.signal.reason).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('elicit.ttl'),
  });
  await turn();
  expect(parked.whyFull()).toBeUndefined();
});

test('beyond the limit the new one is refused by name, and the old one stays (C40)', async () => {
  const { clock, calls, host, context, end, last } = await parkedCall(1);
  const second = calls.serve(host, request('{"name":"other"}').exchange);
  last().context.blocked?.add('elc-2', blocked('elc-2'));
  await clock.pass(20, 10);
  expect(JSON.stringify(await second)).toContain('limits.parkedCalls');
  expect(last().context.exchange.signal.reason).toMatchObject({
    code: 'limit',
    hint: expect.stringContaining('mcpx.json'),
  });
  expect(context.exchange.signal.aborted).toBe(false);
  end(RESULT);
  expect(await calls.serve(host, request().exchange)).toBe(RESULT);
});
