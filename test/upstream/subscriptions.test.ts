// subscriptions/listen kept open towards a modern upstream: what it brings, how it ends, and how it is opened again.
import { expect, test } from 'vitest';
import type { SubscriptionFilter } from '../../src/upstream/types.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { event, httpDouble, json, result, sse } from './http-double.ts';
import { configOf, httpServer, type Opened, type OpenOptions, open, textOf } from './open.ts';

type Transport = 'stdio' | 'http';
const TRANSPORTS: Transport[] = ['stdio', 'http'];
const NONE: SubscriptionFilter = { tools: false, prompts: false, resources: false, uris: [] };

interface Subject extends Opened {
  readonly upstream: FixtureUpstream;
  subscribe(filter: Partial<SubscriptionFilter>, signal?: AbortSignal): void;
  /** The filters that are open at the server, once there are `count`. */
  filters(count: number): Promise<unknown[]>;
}

async function subject(
  transport: Transport,
  options: OpenOptions & { readonly flags?: readonly string[] } = {},
): Promise<Subject> {
  const { flags = [] } = options;
  const upstream = await fixtureUpstream(testScope(), { transport, revision: '2026-07-28', flags });
  const opened = await open(configOf(upstream, 'modern'), options);
  return {
    upstream,
    ...opened,
    subscribe: (filter, signal = new AbortController().signal) =>
      opened.connection.subscribe?.({ ...NONE, ...filter }, signal),
    filters: (count) =>
      until(`${count} subscriptions`, async () => {
        const found = JSON.parse(textOf(await opened.call('subscriptions'))) as unknown[];
        return found.length === count && found;
      }),
  };
}

const listens = ({ upstream }: Subject): number =>
  upstream.messages().filter(({ method }) => method === 'subscriptions/listen').length;

test.each(TRANSPORTS)(
  '%s: only what is asked for is in the filter, and notices come without its id',
  async (transport) => {
    const { subscribe, filters, call, notices, notice } = await subject(transport);
    subscribe({ tools: true, uris: ['fixture://text/1', 'fixture://text/2'] });
    expect(await filters(1)).toEqual([
      { toolsListChanged: true, resourceSubscriptions: ['fixture://text/1', 'fixture://text/2'] },
    ]);
    await call('add-tool', { name: 'new' });
    await call('touch', { uri: 'fixture://text/2' });
    await call('touch', { uri: 'fixture://text/3' });
    await notice(({ method }) => method === 'notifications/resources/updated');
    expect(notices).toEqual([
      { method: 'notifications/tools/list_changed', params: '{}', origin: undefined },
      { method: 'notifications/resources/updated', params: '{"uri":"fixture://text/2"}', origin: undefined },
    ]);
  },
);

test.each(TRANSPORTS)(
  '%s: several at once, each with its own; one that is no longer wanted ends alone',
  async (transport) => {
    const { subscribe, filters, call, notices } = await subject(transport);
    const stop = new AbortController();
    subscribe({ uris: ['a:1'] }, stop.signal);
    subscribe({ uris: ['a:2'] });
    await filters(2);
    stop.abort();
    expect(await filters(1)).toEqual([{ resourceSubscriptions: ['a:2'] }]);
    await call('touch', { uri: 'a:1' });
    await call('touch', { uri: 'a:2' });
    await until('the notice', () => notices.length > 0);
    expect(notices.map(({ params }) => params)).toEqual(['{"uri":"a:2"}']);
  },
);

test.each(TRANSPORTS)('%s: nothing asked for is nothing sent', async (transport) => {
  const it = await subject(transport);
  it.subscribe({});
  await it.call('whoami');
  expect(listens(it)).toBe(0);
});

test.each(
  TRANSPORTS.flatMap((transport) => [
    { transport, how: 'with a result', cut: false },
    { transport, how: 'without one', cut: true },
  ]),
)(
  '$transport: one that the server ends $how is opened again, after ever longer waits',
  async ({ transport, cut }) => {
    const clock = fakeClock();
    const it = await subject(transport, { clock });
    it.subscribe({ tools: true });
    await it.filters(1);
    for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = listens(it);
      const timers = clock.timers;
      await it.call('end-subscriptions', { cut });
      await until('the wait', () => clock.timers > timers);
      clock.advance(wait - 1);
      await it.call('whoami');
      expect(listens(it)).toBe(before);
      clock.advance(1);
      await it.filters(1);
      expect(listens(it)).toBe(before + 1);
    }
    // One that has lasted is worth a quick try again.
    clock.advance(30_000);
    const timers = clock.timers;
    await it.call('end-subscriptions', { cut });
    await until('the wait', () => clock.timers > timers);
    clock.advance(1000);
    await it.filters(1);
  },
);

test('stdio: what the server ended is not cancelled at the server', async () => {
  const it = await subject('stdio', { clock: fakeClock() });
  it.subscribe({ tools: true });
  await it.filters(1);
  await it.call('end-subscriptions', { cut: true });
  await until('the note', () =>
    it.log.lines.some(({ message }) => message.startsWith('lost a subscription')),
  );
  await it.call('whoami');
  expect(it.upstream.messages().filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
});

test.each(TRANSPORTS)('%s: a server that knows no subscriptions is asked once', async (transport) => {
  const clock = fakeClock();
  const it = await subject(transport, { clock, flags: ['--no-listen'] });
  it.subscribe({ tools: true });
  await until('the refusal', () => it.log.lines.some(({ message }) => message === 'refused a subscription'));
  clock.advance(60_000);
  await it.call('whoami');
  expect(listens(it)).toBe(1);
});

test.each(TRANSPORTS)('%s: it ends with the connection', async (transport) => {
  const clock = fakeClock();
  const it = await subject(transport, { clock });
  it.subscribe({ tools: true });
  await it.filters(1);
  await it.connection.close('enough');
  clock.advance(60_000);
  expect(listens(it)).toBe(1);
  expect(it.log.lines.filter(({ message }) => message.includes('subscription'))).toEqual([]);
});

test('a server that agrees to less than was asked is taken note of', async () => {
  const { url } = await httpDouble(({ message: { id, method } }, res) => {
    if (method === 'server/discover')
      return json(
        res,
        result(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }),
      );
    const params = {
      _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      notifications: { toolsListChanged: true },
    };
    sse(res).write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }));
    // Some servers print the number they were given as a string.
    const meta = { 'io.modelcontextprotocol/subscriptionId': String(id), other: 1 };
    res.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: meta } }));
    const strange = { 'io.modelcontextprotocol/subscriptionId': 'another' };
    return res.write(
      event({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed', params: { _meta: strange } }),
    );
  });
  const { connection, log, notices } = await open({ ...httpServer(url), era: 'modern' });
  connection.subscribe?.(
    { tools: true, prompts: true, resources: false, uris: ['a:b'] },
    new AbortController().signal,
  );
  await until('the note', () => log.lines.some(({ message }) => message.startsWith('dropped a notice')));
  expect(log.lines.map(({ fields }) => fields['refused'])).toContain(
    'promptsListChanged, resourceSubscriptions',
  );
  expect(notices).toEqual([
    { method: 'notifications/tools/list_changed', params: '{"_meta":{"other":1}}', origin: undefined },
  ]);
});

test('a server that cannot take another one now is asked again later', async () => {
  const clock = fakeClock();
  let refusals = 2;
  const { url, sent } = await httpDouble(({ message: { id, method } }, res) => {
    if (method === 'server/discover')
      return json(
        res,
        result(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }),
      );
    refusals -= 1;
    if (refusals < 0) return sse(res).write(': open\n\n');
    const error = { code: -32603, message: 'Subscription limit reached' };
    return json(res, { jsonrpc: '2.0', id, error });
  });
  const { connection, log } = await open({ ...httpServer(url), era: 'modern' }, { clock });
  connection.subscribe?.({ ...NONE, tools: true }, new AbortController().signal);
  const refused = (): number =>
    log.lines.filter(({ message }) => message === 'refused a subscription').length;
  for (const [turn, wait] of [1000, 2000].entries()) {
    await until('the refusal', () => refused() === turn + 1);
    clock.advance(wait);
  }
  await sent('subscriptions/listen', 2);
});

test('after the tools have changed they are listed again before a call', async () => {
  const it = await subject('http');
  it.subscribe({ tools: true });
  await it.filters(1);
  const lists = (): number => it.upstream.messages().filter(({ method }) => method === 'tools/list').length;
  expect(lists()).toBe(1);
  await it.call('add-tool', { name: 'new' });
  await it.notice(({ method }) => method === 'notifications/tools/list_changed');
  await it.call('whoami');
  expect(lists()).toBe(2);
});

test('a legacy connection has no subscriptions', async () => {
  const upstream = await fixtureUpstream(testScope(), { transport: 'stdio' });
  const { connection } = await open(configOf(upstream));
  expect(connection.subscribe).toBeUndefined();
});
