// C22: a server takes its question back: the row closes, the host's dialog is withdrawn, the result arrives, late answers go nowhere.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { CAN_ASK, scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const isWithdrawal = (m: Record<string, unknown>): boolean => m['method'] === 'notifications/cancelled';

test.each(HOST_TRANSPORTS.flatMap((transport) => ['"q-9"', '9'].map((id) => [transport, id] as const)))(
  'a host over %s, the id %s at the upstream',
  async (transport, id) => {
    const { host, gateway, upstream, rowIn } = await scene({ transport, host: { capabilities: CAN_ASK } });
    const call = host.startCall('ask-then-withdraw', { id, gate: 'g' });
    const question = await host.question();
    await host.call('release', { gate: 'g' });
    expect(JSON.stringify(await call.reply)).toContain('withdrawn');

    const withdrawal = (await host.received('the withdrawal', isWithdrawal)) as {
      params: { requestId: unknown };
    };
    expect(JSON.stringify(withdrawal.params.requestId)).toBe(question.id);
    const inbound = host.wire.filter(({ dir }) => dir === 'in').map(({ text }) => text);
    const at = (match: string) => inbound.findIndex((text) => text.includes(match));
    expect(at('notifications/cancelled')).toBeLessThan(
      inbound.findLastIndex((text) => text.includes('"withdrawn"')),
    );

    const row = await rowIn('withdrawn');
    await host.reply(question, { result: '{"action":"accept","content":{"repo":"late"}}' });
    expect(await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=late'])).toMatchObject({ code: 7 });
    await host.call('whoami');
    expect(upstream.journal().some(({ text }) => text.includes('late'))).toBe(false);
  },
);

test('a question that waits with the broker is withdrawn as well', async () => {
  const { host, row, rowIn } = await scene();
  const call = host.startCall('ask-then-withdraw', { id: '"q-9"', gate: 'g' });
  const { id } = await row();
  await host.call('release', { gate: 'g' });
  await call.reply;
  expect((await rowIn('withdrawn')).id).toBe(id);
});

test('accept and withdrawal cross on the wire: the answer that was first stands, the call ends', async () => {
  const { host, rowIn } = await scene({
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"accept","content":{"repo":"x"}}' }) },
  });
  expect(await host.call('ask-then-withdraw', { cross: true })).toBe('withdrawn');
  expect(await rowIn('accepted')).toHaveProperty('deliveredAt');
  expect(host.wire.some(({ dir, text }) => dir === 'in' && text.includes('notifications/cancelled'))).toBe(
    false,
  );
});

test('a server that dies with its question open: the row is lost, the host has an error at once', async () => {
  const { host, gateway, rowIn } = await scene({ host: { capabilities: CAN_ASK } });
  const call = host.startCall('ask-and-die', { gate: 'g' });
  await host.question();
  await host.startCall('release', { gate: 'g' }).reply.catch(() => {});
  expect(await call.reply).toHaveProperty('error');
  const { id, reason } = await rowIn('lost');
  expect(reason).toEqual(expect.any(String));
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=x'])).toMatchObject({ code: 7 });
  await until('the withdrawal', () => host.wire.some(({ text }) => text.includes('notifications/cancelled')));
});
