// ELI-03: accept, decline and cancel stay apart from end to end; what nobody said is a cancel.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const ANSWERS = [
  ['accept', '{"action":"accept","content":{"repo":"me/thing"}}', 'accepted'],
  ['decline', '{"action":"decline"}', 'declined'],
  ['cancel', '{"action":"cancel"}', 'cancelled'],
] as const;

test.each(HOST_TRANSPORTS)('what a host over %s says is passed on as such', async (transport) => {
  const { host, rowIn } = await scene({ transport, host: { capabilities: CAN_ASK } });
  for (const [action, answer, state] of ANSWERS) {
    host.answerWith(() => ({ result: answer }));
    expect((await host.ask()).answers).toEqual([answer]);
    expect((await rowIn(state)).answer).toMatchObject({ action, by: 'host' });
  }
});

test('what a person says on the command line is passed on as such', async () => {
  const { host, gateway, row, rowIn } = await scene();
  for (const [action, answer, state] of ANSWERS) {
    const call = host.startCall('ask');
    const { id } = await row();
    const fields = action === 'accept' ? ['-F', 'repo=me/thing'] : [];
    expect(await gateway.mcpx(['elicit', action, id, ...fields])).toMatchObject({ code: 0 });
    expect(await answersOf(call.reply)).toEqual([answer]);
    expect((await rowIn(state)).answer).toMatchObject({ action, by: 'cli' });
  }
});

test('a question that nobody answers in time ends in cancel', async () => {
  const { host, rowIn } = await scene({ config: { elicit: { ttl: '1s' } } });
  expect((await host.ask()).answers).toEqual(['{"action":"cancel"}']);
  expect(await rowIn('expired')).toHaveProperty('deliveredAt');
});

test('a host that ends its session gets the upstream a cancel, not a decline', async () => {
  const { host, upstream, rowIn } = await scene({
    upstream: { transport: 'http' },
    host: { capabilities: CAN_ASK },
  });
  host.startCall('ask');
  await host.question();
  await host.close();
  await upstream.message(
    'the cancel',
    (m) => (m['result'] as { action?: string } | undefined)?.action === 'cancel',
  );
  await rowIn('withdrawn');
  const said = upstream.messages().map((m) => (m['result'] as { action?: string } | undefined)?.action);
  expect(said).not.toContain('decline');
});

test('a gateway that is told to end gets the upstream a cancel first', async () => {
  const { gateway, host, upstream } = await scene({
    upstream: { transport: 'http' },
    host: { capabilities: CAN_ASK },
  });
  host.startCall('ask');
  await host.question();
  await gateway.process.stop();
  const actions = await until('the answer', () => {
    const found = upstream
      .messages()
      .flatMap((m) => (m['result'] as { action?: string } | undefined)?.action ?? []);
    return found.length > 0 && found;
  });
  expect(actions).toEqual(['cancel']);
});
