// C23: dismissing is not declining, and a host that gives up its call takes the questions of that call with it.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

test.each(['decline', 'cancel'])('`mcpx elicit %s` is just that', async (verb) => {
  const { host, gateway, row } = await scene();
  const call = host.startCall('ask');
  expect(await gateway.mcpx(['elicit', verb, (await row()).id])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual([`{"action":"${verb}"}`]);
});

test.each(
  HOST_TRANSPORTS.flatMap((transport) => [
    [transport, CAN_ASK, 'shown by the host'] as const,
    [transport, '{}', 'waiting with the broker'] as const,
  ]),
)(
  'a host over %s (%s) cancels its call while two questions are %s',
  async (transport, capabilities, _how) => {
    const { host, upstream, gateway, pending } = await scene({ transport, host: { capabilities } });
    const call = host.startCall('ask', { count: 2 });
    await pending(2);
    if (capabilities === CAN_ASK) await host.question(1);
    const shown = host.questions.length;
    await host.cancel(call.id);

    const outer = upstream.messages().find((m) => m['method'] === 'tools/call');
    const cancelled = await upstream.message('the cancel', (m) => m['method'] === 'notifications/cancelled');
    expect((cancelled['params'] as { requestId: unknown }).requestId).toBe(outer?.['id']);
    const cancels = () =>
      upstream
        .messages()
        .filter((m) => (m['result'] as { action?: string } | undefined)?.action === 'cancel');
    await upstream.message('the second cancel', () => cancels().length === 2);
    await pending(0);
    const rows = await gateway.rows(['--all']);
    expect(rows.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);

    // Nothing more about that call: a ping comes next on the host's wire.
    await host.request('ping');
    const inbound = host.wire.filter(({ dir }) => dir === 'in').map(({ text }) => JSON.parse(text));
    expect(inbound.filter(({ method }) => method === 'elicitation/create')).toHaveLength(shown);
    expect(inbound.filter(({ id, result }) => String(id) === call.id && result !== undefined)).toEqual([]);
  },
);
