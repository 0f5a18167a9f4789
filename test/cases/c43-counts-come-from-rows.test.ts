// C43: a count comes from the rows: after a crash and a restart it agrees with the list.
import { expect, test } from 'vitest';
import { serveHttp } from '../support/gateway.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

test('rows of a gateway that was killed do not count as waiting', async () => {
  const { host, gateway, scope, pending } = await scene({ spawn: true, upstream: { transport: 'http' } });
  host.startCall('ask', { count: 3 });
  await pending(3);
  await gateway.process.stop('SIGKILL');
  const again = await serveHttp(scope, gateway);
  await until('the three to be given up', async () => (await gateway.rows()).length === 0);
  expect((await gateway.rows(['--all'])).map(({ state }) => state)).toEqual(['lost', 'lost', 'lost']);
  const { stdout, stderr } = await gateway.mcpx(['elicit', 'list']);
  expect(stdout + stderr).not.toContain('elc-');

  const second = await again.connect();
  second.startCall('ask');
  await pending(1);
  const ids = await gateway.mcpx(['elicit', 'list', '-q']);
  expect(ids.stdout.trim().split('\n')).toHaveLength(1);
});
