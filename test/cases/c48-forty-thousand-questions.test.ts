// C48: limits.questionsPerRound holds for a round, for a -32042, and for what one call asks its host at once; each refusal names it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answersOf, type Siege, STRETCH, siege, toolOf, waitedWhile } from '../support/bombs.ts';
import { createScope } from '../support/create-scope.ts';
import { type Host, type RawReply, toolText } from '../support/host.ts';
import { askedBy } from '../support/modern-host.ts';
import { modernHttpHost } from '../support/modern-host-http.ts';
import { until } from '../support/until.ts';

const scope = createScope();
let it: Siege;
beforeAll(async () => {
  it = await siege(scope);
});
afterAll(() => scope.close());

const NAMED = 'limits.questionsPerRound is 64';
const errorOf = (reply: RawReply): string => ('error' in reply ? reply.error : `no error: ${reply.result}`);
const callOf = (host: Host, server: string, tool: string, times: number): Promise<RawReply> =>
  host.startCall(toolOf(server, tool), { times }).reply;

test.each([
  ['modern', 'round', 65],
  ['modern', 'round', 40_000],
  ['bomb', 'urls', 65],
  ['bomb', 'urls', 40_000],
])(
  '%s: a %s of %i fails its call, names the limit, and holds up no other host',
  async (server, tool, times) => {
    it.stall();
    let error = '';
    await waitedWhile(it.other, async () => {
      error = errorOf(await callOf(it.shower, server, tool, times));
    });
    expect(error).toContain(NAMED);
    expect(it.stall()).toBeLessThan(STRETCH);
    expect(await it.gateway.rows(['--all', '--server', server])).toEqual([]);
  },
);

test('a stateless host gets the same error', async () => {
  const host = modernHttpHost(it.gateway.url, { capabilities: '{"elicitation":{"form":{}}}' });
  const call = (times: number) => host.call(toolOf('modern', 'round'), { times }).reply;
  expect(errorOf(await call(65))).toContain(NAMED);
  expect(askedBy(await call(64)).requests).toHaveLength(64);
});

test('a round of 64 is asked and answered', async () => {
  expect(JSON.parse(toolText(await callOf(it.shower, 'modern', 'round', 64)))).toEqual({ answered: 64 });
});

test('of 5,000 questions at once 64 reach the host, and the others are -32602', async () => {
  const host = await it.gateway.connect({ capabilities: '{"elicitation":{}}' });
  it.stall();
  const { questions } = host;
  let answers: Record<string, number> = {};
  await waitedWhile(it.other, async () => {
    const done = answersOf(host, toolOf('bomb', 'plain'), { times: 5_000 });
    await until('the questions', () => questions.length >= 64, 30_000);
    for (const question of questions)
      await host.reply(question, { result: '{"action":"accept","content":{}}' });
    host.answerWith(() => ({ result: '{"action":"accept","content":{}}' }));
    answers = await done;
  });
  expect((answers['accept'] ?? 0) + (answers['-32602'] ?? 0)).toBe(5_000);
  expect(answers['accept']).toBeGreaterThanOrEqual(64);
  expect(it.stall()).toBeLessThan(STRETCH);
  // The places are free again.
  expect(await answersOf(it.shower, toolOf('bomb', 'plain'), { times: 64 })).toEqual({ accept: 64 });
  // Ten seconds of CPU: on a machine that is shared it takes several times that.
}, 90_000);
