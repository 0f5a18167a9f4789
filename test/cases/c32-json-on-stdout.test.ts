// C32: with --json stdout is JSON and nothing else; nothing found is not a failure; failures have codes of their own.
import { expect, test } from 'vitest';
import { type HttpGateway, type Installation, install } from '../support/gateway.ts';
import type { Finished } from '../support/processes.ts';
import { restOf } from '../support/rest.ts';
import { scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';

const colour = { FORCE_COLOR: '1' };
const list = (gateway: Installation): Promise<Finished> =>
  gateway.mcpx(['elicit', 'list', '--json'], { env: colour });

function failure({ stdout, stderr }: Finished): { code: string; message: string; hint?: string } {
  expect(stdout).toBe('');
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  return (JSON.parse(lines[0] ?? '') as { error: { code: string; message: string } }).error;
}

test('no gateway and no questions: an empty list and exit 0', async () => {
  expect(await list(install(testScope(), { servers: {} }))).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('one and three entries are one JSON value', async () => {
  const { host, gateway, pending } = await scene();
  host.startCall('ask');
  await pending(1);
  expect(JSON.parse((await list(gateway)).stdout)).toHaveLength(1);
  host.startCall('ask', { count: 2 });
  await pending(3);
  const { stdout, stderr } = await list(gateway);
  expect(JSON.parse(stdout)).toHaveLength(3);
  expect(stderr).toBe('');
});

test('unknown, invalid, already answered, and whose gateway is gone: four ways to fail, told apart', async () => {
  const { host, gateway, pending } = await scene({ spawn: true, upstream: { transport: 'http' } });
  host.startCall('ask', { count: 2 });
  const [first, second] = await pending(2);
  if (!first || !second) throw new Error('two rows were waited for');
  const accept = (id: string, ...args: string[]) =>
    gateway.mcpx(['elicit', 'accept', id, '--json', ...args], { env: colour });

  const unknown = await accept('elc-0000000000000000');
  expect(unknown.code).toBe(6);
  expect(failure(unknown).code).toBe('not_found');
  const invalid = await accept(first.id);
  expect(invalid.code).toBe(8);
  expect(failure(invalid).code).toBe('invalid_answer');
  expect((await accept(first.id, '-F', 'repo=x')).code).toBe(0);
  const again = await accept(first.id, '-F', 'repo=y');
  expect(again.code).toBe(7);
  expect(failure(again).code).toBe('already_answered');
  await gateway.process.stop('SIGKILL');
  const orphan = await accept(second.id, '-F', 'repo=z');
  expect(orphan.code).toBe(7);
  expect(failure(orphan).code).toBe('lost');
});

test('`watch --json` is a JSON object a line, and ends quietly when its reader goes away', async () => {
  const { host, gateway } = await scene({ spawn: true });
  const watch = gateway.start(['elicit', 'watch', '--json'], colour);
  host.startCall('ask');
  const line = await watch.line((text) => text.includes('elc-'));
  expect(JSON.parse(line)).toBeTypeOf('object');
  watch.child.stdout.destroy();
  host.startCall('ask');
  expect(await watch.ended).toBe(0);
  expect(watch.stderr()).toBe('');
});

test('far away: the same values and the same codes, and one more for a gateway that is down', async () => {
  const { host, gateway, pending } = await scene({ spawn: true, upstream: { transport: 'http' } });
  host.startCall('ask', { count: 2 });
  const [first] = await pending(2);
  if (!first) throw new Error('two rows were waited for');
  const { base, token } = restOf(gateway as HttpGateway & typeof gateway);
  const far = { ...colour, MCPX_URL: base, MCPX_TOKEN: token, MCPX_STATE_DIR: '/nowhere' };
  const run = (...args: string[]) => gateway.mcpx(['elicit', ...args, '--json'], { env: far });
  expect(await run('list')).toEqual(await list(gateway));
  expect((await run('accept', 'elc-0000000000000000')).code).toBe(6);
  expect((await run('accept', first.id)).code).toBe(8);
  expect((await run('accept', first.id, '-F', 'repo=x')).code).toBe(0);
  expect((await run('accept', first.id, '-F', 'repo=y')).code).toBe(7);
  await gateway.process.stop('SIGKILL');
  const down = await run('list');
  expect(down.code).toBe(4);
  expect(failure(down).code).toBe('unreachable');
});
