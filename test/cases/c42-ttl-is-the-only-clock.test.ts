// C42: the ttl is the only clock of a question: no shorter time-out inside ends it.
import { expect, test } from 'vitest';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const TTL = 3_000;

test.each(HOST_TRANSPORTS)('a host over %s that stays silent', async (transport) => {
  const { host, rowIn } = await scene({
    transport,
    upstream: { transport: 'http', entry: { callTimeout: '1500ms' } },
    config: { elicit: { ttl: `${TTL}ms` }, serve: { callTimeout: '1500ms' } },
    host: { capabilities: CAN_ASK },
  });
  const call = host.startCall('ask');
  await host.question();
  expect(await answersOf(call.reply)).toEqual(['{"action":"cancel"}']);
  const row = await rowIn('expired');
  const lasted = Date.parse(row.answer?.at ?? row.deliveredAt ?? '') - Date.parse(row.createdAt);
  expect(lasted).toBeGreaterThanOrEqual(TTL);
  expect(lasted).toBeLessThan(TTL + 2_000);
  expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBe(TTL);
});
