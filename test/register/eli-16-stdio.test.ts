// ELI-16: over stdio a question goes down the pipe while the call is open, and everything else keeps being served.
import { expect, test } from 'vitest';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const accept = (repo: string) => `{"action":"accept","content":{"repo":"${repo}"}}`;

test.each(['stdio', 'http'] as const)(
  'an upstream over %s: question and answer while the call is open',
  async (transport) => {
    const { host } = await scene({
      transport: 'stdio',
      upstream: { transport },
      host: { capabilities: CAN_ASK },
    });
    const call = host.startCall('ask');
    const question = await host.question();
    expect(await host.request('ping')).toBe('{}');
    expect(await host.request('tools/list')).toContain('"ask"');
    expect(await host.call('echo', { meanwhile: 1 })).toContain('meanwhile');
    await host.reply(question, { result: accept('me/thing') });
    expect(await answersOf(call.reply)).toEqual([accept('me/thing')]);
  },
);

test('the id may be a string, and stays one', async () => {
  const { host } = await scene({
    transport: 'stdio',
    host: { capabilities: CAN_ASK, answer: () => ({ result: accept('x') }) },
  });
  const call = host.startCall('ask', {}, { id: '"7"' });
  expect(await answersOf(call.reply)).toEqual([accept('x')]);
  expect(host.wire.some(({ dir, text }) => dir === 'in' && text.includes('"id":"7"'))).toBe(true);
});

test('several questions of one call are out at once, answered in any order', async () => {
  const { host } = await scene({ transport: 'stdio', host: { capabilities: CAN_ASK } });
  const call = host.startCall('ask', { count: 3 });
  const questions = [await host.question(0), await host.question(1), await host.question(2)];
  expect(new Set(questions.map(({ id }) => id)).size).toBe(3);
  for (const [index, question] of [...questions.entries()].reverse())
    await host.reply(question, { result: accept(`r${index}`) });
  expect(await answersOf(call.reply)).toEqual([accept('r0'), accept('r1'), accept('r2')]);
});

test('end of input withdraws the question, and the gateway ends', async () => {
  const { host, gateway, upstream } = await scene({
    spawn: true,
    transport: 'stdio',
    upstream: { transport: 'http' },
    host: { capabilities: CAN_ASK },
  });
  host.startCall('ask');
  await host.question();
  await host.close();
  expect(await gateway.process.ended).toBe(0);
  const actions = upstream
    .messages()
    .flatMap((m) => (m['result'] as { action?: string } | undefined)?.action ?? []);
  expect(actions).toEqual(['cancel']);
});
