// C34: without a person nothing is accepted: time, shut-down and unattended settings end in cancel, or the row stays or is lost.
import { expect, test } from 'vitest';
import { serveHttp } from '../support/gateway.ts';
import { CAN_ASK, scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

// Accepting this takes nothing: no field is missing, so only a person's say is.
const params =
  '{"message":"Delete everything?","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean","default":true}}}}';
const CANCEL = ['{"action":"cancel"}'];

test('time runs out', async () => {
  const { host } = await scene({ config: { elicit: { ttl: '1s' } } });
  expect((await host.ask({ params })).answers).toEqual(CANCEL);
});

test('nobody watches and unattended is "cancel"', async () => {
  const { host, rowIn } = await scene({ config: { elicit: { unattended: 'cancel' } } });
  expect((await host.ask({ params })).answers).toEqual(CANCEL);
  expect((await rowIn('cancelled')).answer).toMatchObject({ by: 'mcpx' });
});

test('the broker is off and the host cannot be asked', async () => {
  const { host } = await scene({ config: { elicit: { audience: 'host' } } });
  expect((await host.ask({ params })).answers).toEqual(CANCEL);
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('the gateway ends by %s', async (signal) => {
  const { host, gateway, upstream, scope, row } = await scene({
    spawn: true,
    upstream: { transport: 'http' },
    host: { capabilities: CAN_ASK },
  });
  host.startCall('ask', { params });
  const { id } = await row();
  await gateway.process.stop(signal);
  await serveHttp(scope, gateway);
  const state = await until('the row to be settled', async () => {
    const found = (await gateway.row(id)).state;
    return found !== 'pending' && found;
  });
  expect(['lost', 'cancelled', 'withdrawn']).toContain(state);
  expect(
    upstream.messages().some((m) => (m['result'] as { action?: string } | undefined)?.action === 'accept'),
  ).toBe(false);
});
