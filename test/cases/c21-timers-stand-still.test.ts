// C21: while a question is open the call's timer stands still; it goes on at zero; a ceiling and the ttl still hold.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const ACCEPT = { result: '{"action":"accept","content":{"repo":"x"}}' };
// Real time is what is tested here: the call may take a second and a half, the person takes longer.
const config = { serve: { callTimeout: '1500ms' } };
const thinks = (): Promise<void> => sleep(2_500);

test.each(['http', 'stdio'] as const)(
  "an answer after the call's time-out still counts, over %s",
  async (transport) => {
    const { host } = await scene({ transport, config, host: { capabilities: CAN_ASK } });
    const call = host.startCall('ask');
    const question = await host.question();
    await thinks();
    await host.reply(question, ACCEPT);
    expect(await answersOf(call.reply)).toEqual([ACCEPT.result]);
  },
);

test('two overlapping questions: the timer stands still until both are answered', async () => {
  const { host } = await scene({ config, host: { capabilities: CAN_ASK } });
  const call = host.startCall('ask', { count: 2 });
  const questions = [await host.question(0), await host.question(1)] as const;
  await host.reply(questions[0], ACCEPT);
  await thinks();
  await host.reply(questions[1], ACCEPT);
  expect(await answersOf(call.reply)).toEqual([ACCEPT.result, ACCEPT.result]);
});

test('at zero open questions it goes on: a call that hangs afterwards is ended and cancelled', async () => {
  const { host, upstream } = await scene({ config, host: { capabilities: CAN_ASK, answer: () => ACCEPT } });
  const reply = await host.startCall('ask', { after: { gate: 'never' } }).reply;
  expect(reply).toHaveProperty('error');
  await upstream.message('the cancel of the call', (m) => m['method'] === 'notifications/cancelled');
});

test('the ceiling ends the call, question or not', async () => {
  const { host, upstream, rowIn } = await scene({
    config: { serve: { callTimeout: '1500ms', callCeiling: '2500ms' } },
    host: { capabilities: CAN_ASK },
  });
  const started = performance.now();
  const reply = await host.startCall('ask').reply;
  expect(performance.now() - started).toBeGreaterThanOrEqual(2_500);
  expect(reply).toHaveProperty('error');
  await upstream.message('the cancel of the call', (m) => m['method'] === 'notifications/cancelled');
  await rowIn('withdrawn');
});

test('no answer ever: cancel to the upstream, the row expired, a later answer refused', async () => {
  const { host, gateway, rowIn } = await scene({
    config: { ...config, elicit: { ttl: '1s' } },
    host: { capabilities: CAN_ASK },
  });
  const call = host.startCall('ask');
  const question = await host.question();
  expect(await answersOf(call.reply)).toEqual(['{"action":"cancel"}']);
  const { id } = await rowIn('expired');
  await host.received('the withdrawal', (m) => m['method'] === 'notifications/cancelled');
  await host.reply(question, ACCEPT);
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=x'])).toMatchObject({ code: 7 });
  expect((await gateway.row(id)).state).toBe('expired');
});
