// Live calls of legacy upstreams on behalf of stateless hosts: attached to by retries, run once, ended when nobody is left.
import { expect, test } from 'vitest';
import { toolText } from '../support/host.ts';
import { askedBy, type Input, interimOf, responsesOf } from '../support/modern-host.ts';
import {
  accept,
  answersIn,
  errorOf,
  LEGACY_UPSTREAM,
  type ModernScene,
  type ModernSceneOptions,
  modernScene,
} from '../support/modern-scene.ts';
import { until, within } from '../support/until.ts';

const legacy = (more: ModernSceneOptions = {}): Promise<ModernScene> =>
  modernScene({ ...more, upstream: { revision: LEGACY_UPSTREAM, ...more.upstream } });

const keys = (requests: readonly Input[]): string[] => requests.map(({ key }) => key);
const all = (requests: readonly Input[], answer: (input: Input) => string): string =>
  responsesOf(requests.map((input) => [input.key, answer(input)]));

test.each(['http', 'stdio'] as const)(
  'a retry twice, one after the other and at once: one outcome, and the tool has run once (upstream over %s)',
  async (transport) => {
    const it = await legacy({ upstream: { transport } });
    const first = askedBy(await it.host.call('ask').reply);
    const retry = { state: first.state, responses: all(first.requests, () => accept('me/x')) };
    const atOnce = await Promise.all([0, 1].map(() => it.host.call('ask', {}, retry).reply));
    for (const reply of atOnce) expect(answersIn(reply)).toEqual([accept('me/x')]);
    const other = { ...retry, responses: all(first.requests, () => accept('changed')) };
    expect(answersIn(await it.host.call('ask', {}, other).reply)).toEqual([accept('me/x')]);
    expect(it.calls('ask')).toBe(1);
    expect((await it.gateway.rows(['--all'])).map(({ state }) => state)).toEqual(['accepted']);
  },
);

test('half the answers: the rest is asked again; what is answered twice keeps its first answer', async () => {
  const it = await legacy();
  const args = { count: 3 };
  const first = askedBy(await it.host.call('ask', args).reply);
  expect(first.requests).toHaveLength(3);
  const [one, two, three] = keys(first.requests) as [string, string, string];
  const half = responsesOf([
    [two, accept('two')],
    ['unknown', accept('nobody')],
  ]);
  const second = askedBy(await it.host.call('ask', args, { state: first.state, responses: half }).reply);
  expect(keys(second.requests)).toEqual([one, three]);
  // The older state names the same call.
  const rest = responsesOf([
    [one, accept('one')],
    [two, accept('changed')],
    [three, '{"action":"decline"}'],
  ]);
  const last = await it.host.call('ask', args, { state: first.state, responses: rest }).reply;
  expect(answersIn(last)).toEqual([accept('one'), accept('two'), '{"action":"decline"}']);
  expect(it.calls('ask')).toBe(1);
});

test('an answer that is none is -32602: nothing of the retry is taken', async () => {
  const it = await legacy();
  const first = askedBy(await it.host.call('ask', { count: 2 }).reply);
  const [one, two] = keys(first.requests) as [string, string];
  const bad = responsesOf([
    [one, accept('one')],
    [two, '"accept"'],
  ]);
  const error = errorOf(
    await it.host.call('ask', { count: 2 }, { state: first.state, responses: bad }).reply,
  );
  expect(error.code).toBe(-32602);
  expect(error.message).toContain(JSON.stringify(two));
  expect(await it.gateway.rows()).toHaveLength(2);
  const good = all(first.requests, ({ key }) => accept(key === one ? 'uno' : 'due'));
  const last = await it.host.call('ask', { count: 2 }, { state: first.state, responses: good }).reply;
  expect(answersIn(last)).toEqual([accept('uno'), accept('due')]);
});

test('questions that follow one another go through one call, each with its own retry', async () => {
  const it = await legacy();
  const seen: string[] = [];
  const reply = await it.host.through('ask', { count: 3, together: false }, ({ key }) => {
    seen.push(key);
    return accept(`answer ${seen.length}`);
  });
  expect(answersIn(reply)).toEqual([accept('answer 1'), accept('answer 2'), accept('answer 3')]);
  expect(new Set(seen).size).toBe(3);
  expect(it.calls('ask')).toBe(1);
});

test('closing the only open request cancels the call upstream', async () => {
  const it = await legacy();
  const first = askedBy(await it.host.call('ask', { after: { gate: 'never' } }).reply);
  const retry = { state: first.state, responses: all(first.requests, () => accept('x')) };
  const sent = it.host.call('ask', { after: { gate: 'never' } }, retry);
  await it.rowIn('accepted');
  sent.close();
  const cancelled = await it.upstream.message(
    'the cancellation',
    ({ method }) => method === 'notifications/cancelled',
  );
  expect(cancelled['params']).toHaveProperty('requestId');
});

test('closing one of two open requests changes nothing', async () => {
  const it = await legacy();
  const args = { after: { gate: 'g' } };
  const first = askedBy(await it.host.call('ask', args).reply);
  const retry = { state: first.state, responses: all(first.requests, () => accept('x')) };
  const [one, other] = [it.host.call('ask', args, retry), it.host.call('ask', args, retry)];
  await it.rowIn('accepted');
  one.close();
  expect(toolText(await it.host.call('release', { gate: 'g' }).reply)).toBe('opened g');
  expect(answersIn(await other.reply)).toEqual([accept('x')]);
});

test('a host that never retries: at the ttl the upstream gets cancel, and the channel is free for others', async () => {
  const it = await legacy({
    upstream: { transport: 'stdio' },
    config: { elicit: { ttl: '500ms' }, limits: { channels: 1 } },
  });
  askedBy(await it.host.call('ask').reply);
  const held = errorOf(await it.host.call('release', { gate: 'g' }).reply);
  expect(held.message).toContain('limits.channels');
  await it.rowIn('expired');
  await it.upstream.message(
    'cancel',
    ({ result }) => (result as { action?: string } | undefined)?.action === 'cancel',
  );
  const reply = await until('a free channel', async () => {
    const one = await it.host.call('release', { gate: 'g' }).reply;
    return 'result' in one && one;
  });
  expect(toolText(reply)).toBe('opened g');
  expect(it.calls('ask')).toBe(1);
});

test('a row of a parked call is answered on the command line: the call goes on at once, and the retry gets its result', async () => {
  const it = await legacy();
  const first = askedBy(await it.host.call('ask').reply);
  const row = await it.rowIn('pending');
  expect(await it.gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=cli/repo'])).toMatchObject({
    code: 0,
  });
  await it.upstream.message('the answer', ({ result }) => JSON.stringify(result ?? '').includes('cli/repo'));
  const late = { state: first.state, responses: all(first.requests, () => accept('host/repo')) };
  expect(answersIn(await it.host.call('ask', {}, late).reply)).toEqual([accept('cli/repo')]);
  expect(await it.rowIn('accepted')).toMatchObject({
    answer: { by: 'cli' },
    deliveredAt: expect.any(String),
  });
  expect(it.calls('ask')).toBe(1);
});

test('kill -9 of mcpx: its rows are lost, the retry is told that nobody knows the call, and a new call works', async () => {
  const it = await modernScene({ spawn: true, upstream: { revision: LEGACY_UPSTREAM } });
  const first = askedBy(await it.host.call('ask').reply);
  await it.gateway.process.stop('SIGKILL');
  const { host, gateway } = await it.another();
  const retry = { state: first.state, responses: all(first.requests, () => accept('x')) };
  expect(errorOf(await host.call('ask', {}, retry).reply).data).toEqual({ reason: 'unknown' });
  await until('the row to be lost', async () => (await gateway.rows(['--all']))[0]?.state === 'lost');
  expect(answersIn(await host.through('ask', {}, () => accept('new')))).toEqual([accept('new')]);
});

test('200 stateless hosts at once on one legacy upstream: every answer reaches its own call', async () => {
  const HOSTS = 200;
  const it = await legacy({ config: { limits: { channels: HOSTS } } });
  const one = async (index: number): Promise<void> => {
    // Half of them ask twice, so that retries and first requests are mixed.
    const args = { nonce: `n${index}`, count: 1 + (index % 2), together: index % 4 === 1 };
    const reply = await within(
      `the result of host ${index}`,
      it.host.through('ask', args, ({ params }) => {
        const own = /\[(n\d+)\]/.exec(String(params['message']))?.[1];
        return accept(`for ${own}`);
      }),
      60_000,
    );
    const text = JSON.parse(toolText(reply)) as { nonce: string; answers: string[] };
    const answers = Array.from({ length: args.count }, () => accept(`for n${index}`));
    expect(text).toEqual({ nonce: `n${index}`, answers });
  };
  await Promise.all(Array.from({ length: HOSTS }, (_, index) => one(index)));
  expect(it.calls('ask')).toBe(HOSTS);
  const rows = await it.gateway.rows(['--all']);
  expect(rows.filter(({ state }) => state !== 'accepted')).toEqual([]);
  expect(rows).toHaveLength(HOSTS * 1.5);
}, 90_000);

test('a question that the host cannot take waits in the broker, on the open request', async () => {
  const it = await legacy({ capabilities: '{}' });
  const sent = it.host.call('ask', {}, { meta: '"progressToken":"p"' });
  const row = await it.rowIn('pending');
  expect(row.host).toMatchObject({ inline: false });
  expect(await it.gateway.mcpx(['elicit', 'decline', row.id])).toMatchObject({ code: 0 });
  const reply = await sent.reply;
  expect(interimOf(reply)).toBeUndefined();
  expect(answersIn(reply)).toEqual(['{"action":"decline"}']);
});

test('an upstream that dies while its question is with the host: the row is lost, the retry is told, the next call works', async () => {
  const it = await legacy({ upstream: { transport: 'stdio' } });
  const first = askedBy(await it.host.call('ask', { nonce: 1 }).reply);
  const asking = it.upstream.wire().find(({ text }) => text.includes('"nonce":1'));
  if (!asking) throw new Error('the call has not reached the upstream');
  process.kill(asking.pid, 'SIGKILL');
  expect((await it.rowIn('lost')).reason).toEqual(expect.any(String));
  const retry = { state: first.state, responses: all(first.requests, () => accept('x')) };
  expect(errorOf(await it.host.call('ask', { nonce: 1 }, retry).reply).message).toContain('fixture');
  expect(it.calls('ask')).toBe(1);
  expect(answersIn(await it.host.through('ask', {}, () => accept('new')))).toEqual([accept('new')]);
});
