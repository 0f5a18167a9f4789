// ELI-15: over Streamable HTTP a question is a request on the SSE stream of the call's own POST; the answer is another POST.
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { answersOf, CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkWire } from '../support/wire.ts';

const ANSWER = '{"action":"accept","content":{"repo":"me/thing"}}';

async function start(transport: 'stdio' | 'http') {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport });
  const gateway = await startGateway(scope, { servers: { fixture: upstream.entry } });
  const host = await gateway.connect({ capabilities: CAN_ASK });
  scope.defer(() => checkWire(host.wire, { revision: host.revision }));
  return { gateway, host };
}

test.each(['stdio', 'http'] as const)(
  'an upstream over %s: question, 202, result on the same stream',
  async (transport) => {
    const { host } = await start(transport);
    // No GET stream is open, so whatever comes, comes on the POST's stream.
    const call = host.startCall('ask');
    const question = await host.question();
    const posted = await host.post(`{"jsonrpc":"2.0","id":${question.id},"result":${ANSWER}}`);
    expect(posted).toMatchObject({ status: 202, body: '' });
    expect(await answersOf(call.reply)).toEqual([ANSWER]);
  },
);

test.each([
  ['prompts/get', '{"name":"ask"}'],
  ['resources/read', '{"uri":"fixture://ask"}'],
])('%s can be asked about as well', async (method, params) => {
  const { host } = await start('http');
  host.answerWith(() => ({ result: ANSWER }));
  expect(await host.request(method, params)).toContain('me/thing');
  expect(host.questions).toHaveLength(1);
});

test('two calls of one host each get their own question, and are answered crosswise', async () => {
  const { host } = await start('http');
  const calls = ['one', 'two'].map((nonce) => host.startCall('ask', { nonce }));
  const questions = [await host.question(0), await host.question(1)];
  for (const question of questions.toReversed()) {
    const nonce = /\[(\w+)\]/.exec(question.text)?.[1];
    await host.reply(question, { result: `{"action":"accept","content":{"repo":"${nonce}"}}` });
  }
  const answers = await Promise.all(calls.map(({ reply }) => answersOf(reply)));
  expect(answers.flat().map((text) => JSON.parse(text).content.repo)).toEqual(['one', 'two']);
});

test('a reply to a question that was never asked, or is answered already, does no harm', async () => {
  const { host } = await start('stdio');
  const call = host.startCall('ask');
  const question = await host.question();
  const foreign = await host.post('{"jsonrpc":"2.0","id":"nobody-asked","result":{"action":"accept"}}');
  expect(foreign.status).toBeLessThan(500);
  await host.reply(question, { result: ANSWER });
  const again = await host.post(`{"jsonrpc":"2.0","id":${question.id},"result":{"action":"decline"}}`);
  expect(again.status).toBeLessThan(500);
  expect(await answersOf(call.reply)).toEqual([ANSWER]);
});

test('the answer counts on the session that was asked, and on no other', async () => {
  const { gateway, host } = await start('http');
  const other = await gateway.connect({ capabilities: CAN_ASK });
  const call = host.startCall('ask');
  const question = await host.question();
  await other.post(`{"jsonrpc":"2.0","id":${question.id},"result":{"action":"decline"}}`);
  await host.reply(question, { result: ANSWER });
  expect(await answersOf(call.reply)).toEqual([ANSWER]);
  expect(other.questions).toEqual([]);
});
