// C39: a watch or a stream of events that goes away, however it goes, changes no row.
import { expect, test } from 'vitest';
import type { HttpGateway } from '../support/gateway.ts';
import { restOf } from '../support/rest.ts';
import { scene } from '../support/scene.ts';

test.each(['SIGINT', 'SIGKILL'] as const)(
  'watches that end by %s, near and far, and a stream that is cut',
  async (signal) => {
    const { host, gateway, row, pending } = await scene({ spawn: true });
    const call = host.startCall('ask');
    const { id } = await row();
    const rest = restOf(gateway as HttpGateway & typeof gateway);
    const near = gateway.start(['elicit', 'watch', '--json']);
    const far = gateway.start(['elicit', 'watch', '--json'], { MCPX_URL: rest.base, MCPX_TOKEN: rest.token });
    for (const watch of [near, far]) await watch.line((line) => line.includes(id));
    const cutting = new AbortController();
    const stream = await fetch(`${rest.base}/v1/events`, {
      headers: { authorization: `Bearer ${rest.token}` },
      signal: cutting.signal,
    });
    expect(stream.status).toBe(200);
    cutting.abort();
    for (const watch of [near, far]) await watch.stop(signal);
    expect(await pending(1)).toEqual([expect.objectContaining({ id, state: 'pending' })]);
    expect((await rest.post(`/v1/elicit/${id}/accept`, { content: { repo: 'x' } })).status).toBe(200);
    expect(await call.reply).toHaveProperty('result');
  },
);
