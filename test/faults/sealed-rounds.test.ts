// Rounds of a modern upstream survive mcpx: nothing of them is kept in a process, and nothing runs for a state that is not theirs.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { toolText } from '../support/host.ts';
import { askedBy, responsesOf } from '../support/modern-host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { accept, answersIn, errorOf, type ModernScene, modernScene } from '../support/modern-scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const TWO_ROUNDS = { count: 2, together: false };

test.each(['http', 'stdio'] as const)(
  'kill -9 of mcpx after each round: new processes on its state directory go on, with an upstream over %s',
  async (transport) => {
    const it = await modernScene({ spawn: true, upstream: { transport } });
    let { gateway, host } = it;
    let state: string | undefined;
    let responses: string | undefined;
    for (const round of [1, 2]) {
      const reply = await host.call('ask', TWO_ROUNDS, {
        state,
        ...(responses !== undefined && { responses }),
      }).reply;
      const interim = askedBy(reply);
      expect(interim.requests.map(({ key }) => key)).toEqual([`q${round}`]);
      state = interim.state;
      responses = responsesOf([[`q${round}`, accept(`r${round}`)]]);
      expect(await gateway.process.stop('SIGKILL')).toBe('SIGKILL');
      ({ gateway, host } = await it.another());
    }
    const last = await host.call('ask', TWO_ROUNDS, { state, responses: responses ?? '' }).reply;
    expect(answersIn(last)).toEqual([accept('r1'), accept('r2')]);
    expect(it.calls('ask')).toBe(3);
    const rows = await it.gateway.rows(['--all']);
    expect(rows.map((row) => row.state)).toEqual(['accepted', 'accepted']);
    for (const row of rows)
      expect(row).toMatchObject({ answer: { by: 'host' }, deliveredAt: expect.any(String) });
  },
);

test('the retry may go to another mcpx process that shares the state directory', async () => {
  const it = await modernScene({ spawn: true });
  const other = await it.another();
  const interim = askedBy(await it.host.call('ask').reply);
  const responses = responsesOf([['q1', accept('there')]]);
  const reply = await other.host.call('ask', {}, { state: interim.state, responses }).reply;
  expect(answersIn(reply)).toEqual([accept('there')]);
  // And to the first one as well: a repeated retry is passed on again, with the answer that was first.
  const again = await it.host.call(
    'ask',
    {},
    { state: interim.state, responses: responsesOf([['q1', accept('late')]]) },
  ).reply;
  expect(answersIn(again)).toEqual([accept('there')]);
  expect(it.calls('ask')).toBe(3);
});

/** A state of a round that is open, and what must be true after a refusal: nothing more has reached the upstream. */
async function opened(it: ModernScene): Promise<{ state: string; untouched(): void }> {
  const interim = askedBy(await it.host.call('ask', { nonce: 1 }).reply);
  const calls = it.calls('ask');
  return {
    state: interim.state ?? '',
    untouched: () => expect(it.calls('ask') + it.calls('echo')).toBe(calls),
  };
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  const upstream = { revision };
  const responses = responsesOf([['q1', accept('x')]]);

  test(`towards ${revision}: a changed character anywhere in the state is refused, and nothing runs`, async () => {
    const it = await modernScene({ upstream });
    const { state, untouched } = await opened(it);
    const places = Array.from({ length: 12 }, (_, index) => Math.floor((index * state.length) / 12));
    for (const at of places) {
      const changed = `${state.slice(0, at)}${state[at] === 'A' ? 'B' : 'A'}${state.slice(at + 1)}`;
      const error = errorOf(await it.host.call('ask', { nonce: 1 }, { state: changed, responses }).reply);
      expect(error).toMatchObject({
        code: -32602,
        message: 'requestState was refused: tampered',
        data: { reason: 'tampered' },
      });
    }
    untouched();
  });

  test(`towards ${revision}: another tool, other arguments or another method are refused, and nothing runs`, async () => {
    const it = await modernScene({ upstream });
    const { state, untouched } = await opened(it);
    const replies = [
      it.host.call('echo', { nonce: 1 }, { state, responses }),
      it.host.call('ask', { nonce: 2 }, { state, responses }),
      it.host.call('ask', { nonce: 1, more: 0 }, { state, responses }),
      it.host.send('prompts/get', '{"name":"ask","arguments":{"nonce":1}}', { state, responses }),
    ];
    for (const { reply } of replies)
      expect(errorOf(await reply)).toMatchObject({ code: -32602, data: { reason: 'mismatch' } });
    untouched();
  });

  test(`towards ${revision}: a state of another principal is refused, and nothing runs`, async () => {
    const tokens = ['ada', 'ben'].map((name) => ({
      name,
      sha256: createHash('sha256').update(name).digest('hex'),
    }));
    const it = await modernScene({ upstream, config: { serve: { auth: { tokens } } } });
    const as = (name: string) => ({ headers: { authorization: `Bearer ${name}` } });
    const interim = askedBy(await it.host.call('ask', {}, as('ada')).reply);
    const given = responsesOf(interim.requests.map(({ key }) => [key, accept('x')]));
    const retry = { state: interim.state, responses: given };
    const error = errorOf(await it.host.call('ask', {}, { ...retry, ...as('ben') }).reply);
    expect(error).toMatchObject({ code: -32602, data: { reason: 'mismatch' } });
    expect(it.calls('ask')).toBe(1);
    expect(answersIn(await it.host.call('ask', {}, { ...retry, ...as('ada') }).reply)).toEqual([accept('x')]);
  });

  test(`towards ${revision}: a state past its time is refused, and nothing runs`, async () => {
    const it = await modernScene({ upstream, config: { elicit: { ttl: '300ms' } } });
    const { state, untouched } = await opened(it);
    const sealed = Date.now();
    await it.rowIn('expired');
    // The state was sealed after the row was opened, so it outlives the row by a moment.
    await until('the time of the state, too, to be over', () => Date.now() > sealed + 300);
    const error = errorOf(await it.host.call('ask', { nonce: 1 }, { state, responses }).reply);
    expect(error).toMatchObject({ code: -32602, data: { reason: 'expired' } });
    untouched();
  });
}

test('a state of a process that is gone is unknown where it named a call of that process', async () => {
  const it = await modernScene({ spawn: true, upstream: { revision: '2025-11-25' } });
  const { state, untouched } = await opened(it);
  await it.gateway.process.stop('SIGKILL');
  const { host } = await it.another();
  const error = errorOf(await host.call('ask', { nonce: 1 }, { state, responses: '{}' }).reply);
  expect(error).toMatchObject({ code: -32602, data: { reason: 'unknown' } });
  untouched();
});

test('a state of one installation opens nothing at another, even of the same upstream', async () => {
  const [one, other] = [await modernScene(), await modernScene()];
  const { state, untouched } = await opened(one);
  const error = errorOf(await other.host.call('ask', { nonce: 1 }, { state, responses: '{}' }).reply);
  expect(error).toMatchObject({ code: -32602, data: { reason: 'tampered' } });
  expect(other.calls('ask')).toBe(0);
  untouched();
});

test('half the answers: the rest is asked again, and the upstream gets the round whole', async () => {
  const it = await modernScene();
  const args = { count: 3 };
  const first = askedBy(await it.host.call('ask', args).reply);
  const half = responsesOf([
    ['q2', accept('two')],
    ['never asked', '{"action":"cancel"}'],
  ]);
  const second = askedBy(await it.host.call('ask', args, { state: first.state, responses: half }).reply);
  expect(second.requests.map(({ key }) => key)).toEqual(['q1', 'q3']);
  expect(it.calls('ask')).toBe(1);
  const nothing = askedBy(await it.host.call('ask', args, { state: second.state }).reply);
  expect(nothing.requests.map(({ key }) => key)).toEqual(['q1', 'q3']);
  const rest = responsesOf([
    ['q3', '{"action":"decline"}'],
    ['q1', accept('one')],
    ['q2', accept('changed')],
  ]);
  const last = await it.host.call('ask', args, { state: nothing.state, responses: rest }).reply;
  expect(answersIn(last)).toEqual([accept('one'), accept('two'), '{"action":"decline"}']);
  expect(it.calls('ask')).toBe(2);
});

test('an answer that is none is refused whole: nothing is taken, nothing runs, and the same state still works', async () => {
  const it = await modernScene();
  const interim = askedBy(await it.host.call('ask', { count: 2 }).reply);
  const bad = responsesOf([
    ['q1', accept('one')],
    ['q2', '{"action":"perhaps"}'],
  ]);
  const error = errorOf(
    await it.host.call('ask', { count: 2 }, { state: interim.state, responses: bad }).reply,
  );
  expect(error.code).toBe(-32602);
  expect(error.message).toContain('inputResponses["q2"]');
  expect((await it.gateway.rows()).length).toBe(2);
  const good = responsesOf([
    ['q1', accept('uno')],
    ['q2', accept('due')],
  ]);
  const reply = await it.host.call('ask', { count: 2 }, { state: interim.state, responses: good }).reply;
  expect(answersIn(reply)).toEqual([accept('uno'), accept('due')]);
});

test('a host that never retries leaves rows that end by themselves, and nothing upstream', async () => {
  const it = await modernScene({ config: { elicit: { ttl: '300ms' } } });
  askedBy(await it.host.call('ask').reply);
  expect(await it.rowIn('expired')).not.toHaveProperty('deliveredAt');
  expect(it.calls('ask')).toBe(1);
  expect(toolText(await it.host.call('release', { gate: 'g' }).reply)).toBe('opened g');
});

test('on another machine with the same MCPX_STATE_KEY the answers of the host stand; what a broker kept there is nobody’s', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28' });
  const [old, fresh] = ['0a'.repeat(32), '1b'.repeat(32)];
  // The second has begun to seal with a newer key, and still opens the older one.
  const [here, there] = [
    await startGateway(scope, { servers: { fixture: upstream.entry }, env: { MCPX_STATE_KEY: old } }),
    await startGateway(scope, {
      servers: { fixture: upstream.entry },
      env: { MCPX_STATE_KEY: `${fresh},${old}` },
    }),
  ];
  const capabilities = '{"elicitation":{}}';
  const url = '{"mode":"url","url":"https://mcp.example.com/","message":"Link"}';
  const form = JSON.stringify({
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { repo: { type: 'string' } } },
  });
  const args = { params: [form, url], force: true };
  const first = askedBy(await modernHttpHost(here.url, { capabilities }).call('ask', args).reply);
  const retry = { state: first.state, responses: responsesOf([['q1', accept('far')]]) };
  const reply = await modernHttpHost(there.url, { capabilities }).call('ask', args, retry).reply;
  expect(answersIn(reply)).toEqual([accept('far'), '{"action":"cancel"}']);
});

test('an upstream that is away when the retry comes: an error, nothing said to be delivered, and the same retry works later', async () => {
  const it = await modernScene({ upstream: { spawn: true } });
  const port = new URL(String(it.upstream.entry['url'])).port;
  const first = askedBy(await it.host.call('ask').reply);
  await it.upstream.process?.stop('SIGKILL');
  const retry = { state: first.state, responses: responsesOf([['q1', accept('x')]]) };
  expect(errorOf(await it.host.call('ask', {}, retry).reply).code).toBe(-32603);
  expect(await it.rowIn('accepted')).not.toHaveProperty('deliveredAt');
  await fixtureUpstream(it.scope, { transport: 'http', revision: '2026-07-28', flags: ['--port', port] });
  const reply = await until('the upstream to be back', async () => {
    const one = await it.host.call('ask', {}, retry).reply;
    return 'result' in one && one;
  });
  expect(answersIn(reply)).toEqual([accept('x')]);
  expect(await it.rowIn('accepted')).toHaveProperty('deliveredAt');
});
