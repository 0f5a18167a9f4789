// C19: two hosts on one server at once: every question and every answer stays in its own call.
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import type { Question } from '../support/host.ts';
import { CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

const ROUNDS = 50;
const nonceOf = (question: Question): string => /\[([^\]]+)\]/.exec(question.text)?.[1] ?? '';
const echo = (question: Question) => ({
  result: `{"action":"accept","content":{"repo":${JSON.stringify(nonceOf(question))}}}`,
});

test.each([
  ['stdio', 'session'],
  ['http', 'session'],
  ['http', 'shared'],
] as const)(`over %s, isolation %s: ${ROUNDS} rounds`, async (transport, isolation) => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport, entry: { isolation } });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const hosts = await Promise.all(
    ['a', 'b'].map((name) => gateway.connect({ name, capabilities: CAN_ASK, answer: echo })),
  );
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      hosts.map(async (host, index) => {
        const nonce = `${index}-${round}`;
        const { answers } = await host.ask({ nonce });
        expect(JSON.parse(answers[0] ?? '').content.repo).toBe(nonce);
      }),
    );
  }
  for (const [index, host] of hosts.entries())
    expect(host.questions.map(nonceOf)).toEqual(
      Array.from({ length: ROUNDS }, (_, round) => `${index}-${round}`),
    );
});

test('one shared pipe and two callers: nobody is guessed, a person answers both', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio', entry: { isolation: 'shared' } });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const hosts = await Promise.all(['a', 'b'].map((name) => gateway.connect({ name, capabilities: CAN_ASK })));
  // Both calls run before either asks, so that neither question can be told apart.
  const calls = hosts.map((host, index) => host.startCall('ask', { nonce: `n${index}`, gate: 'both' }));
  await until(
    'both calls at the upstream',
    () => upstream.messages().filter((m) => m['method'] === 'tools/call').length === 2,
  );
  await hosts[0]?.call('release', { gate: 'both' });
  const rows = await until('two rows', async () => {
    const found = await gateway.rows();
    return found.length === 2 && found;
  });
  for (const row of rows) {
    const nonce = /\[(n\d)\]/.exec(row.message)?.[1];
    expect(await gateway.mcpx(['elicit', 'accept', row.id, '-F', `repo=${nonce}`])).toMatchObject({
      code: 0,
    });
  }
  const replies = await Promise.all(calls.map(({ reply }) => reply));
  for (const [index, reply] of replies.entries()) expect(JSON.stringify(reply)).toContain(`n${index}`);
  expect(hosts.flatMap(({ questions }) => questions)).toEqual([]);
});
