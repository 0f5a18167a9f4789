// What mcpx sends to an upstream, held against the official schema of that upstream's revision.
import { expect, test } from 'vitest';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkWire } from '../support/wire.ts';
import { configOf, open, textOf } from './open.ts';

const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const CELLS = REVISIONS.flatMap((revision) =>
  (['stdio', 'http'] as const).map((transport) => ({ revision, transport })),
);

test.each(CELLS)('$revision over $transport', async ({ revision, transport }) => {
  const upstream = await fixtureUpstream(testScope(), { transport, revision });
  const { connection, call, question } = await open(configOf(upstream));
  const signal = new AbortController().signal;
  await connection.request('ping', undefined, { signal });
  await connection.request('tools/list', undefined, { signal });
  await connection.notify('notifications/roots/list_changed', undefined);
  expect(textOf(await call('server-ping'))).toContain('{}');

  const stop = new AbortController();
  const cancelled = expect(call('slow', { gate: 'never' }, 't', stop.signal)).rejects.toBe('enough');
  await upstream.message('the call', ({ params }) => JSON.stringify(params ?? '').includes('never'));
  stop.abort('enough');
  await cancelled;

  const reply = call('ask', { message: 'Which?' });
  await (await question()).reply({ error: '{"code":-32601,"message":"Method not found"}' });
  await reply;
  await upstream.message('the cancellation', ({ method }) => method === 'notifications/cancelled');

  // The handshake itself is in the words of the revision that is offered.
  const [offer, answer, ...rest] = upstream.wire();
  await checkWire(
    [offer, answer].flatMap((entry) => entry ?? []),
    { revision: '2025-11-25' },
  );
  await checkWire(rest, { revision });
});

test('C19: two callers at once on one shared connection, 50 rounds, every answer in its own call', async () => {
  const upstream = await fixtureUpstream(testScope(), { transport: 'http' });
  const { call, connection, questions } = await open(configOf(upstream));
  let seen = 0;
  const answerAll = async (): Promise<void> => {
    for (; seen < questions.length; seen += 1) {
      const { origin, params, reply } = questions[seen] ?? expect.unreachable();
      expect(params).toContain(`[${origin}]`);
      await reply({ result: JSON.stringify({ action: 'accept', content: { repo: origin } }) });
    }
  };
  for (let round = 0; round < 50; round += 1) {
    const nonces = [`A${round}`, `B${round}`];
    const replies = nonces.map((nonce) => call('ask', { nonce }, nonce));
    while (seen < 2 * (round + 1)) {
      await new Promise((resolve) => setImmediate(resolve));
      await answerAll();
    }
    const results = (await Promise.all(replies)).map((reply) => JSON.parse(textOf(reply)) as object);
    for (const [index, nonce] of nonces.entries()) {
      expect(results[index]).toEqual({
        nonce,
        answers: [`{"action":"accept","content":{"repo":"${nonce}"}}`],
      });
    }
  }
  expect(connection.closed).toBe(false);
});
