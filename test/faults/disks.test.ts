// A full disk and a read-only directory under real processes: a sentence and a non-zero exit, and nothing that was not committed is sent.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, type RowView, serveHttp, startGateway } from '../support/gateway.ts';
import { mountDisk, noMounts } from '../support/mounts.ts';
import { answersOf } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { responsesTo } from './tally.ts';

const unmountable = await noMounts();

const DRIVER = /SQLITE|libsql|disk I\/O|\bat .*\.js:\d+/i;

test.skipIf(unmountable)(
  'a full disk',
  async () => {
    const scope = testScope();
    const disk = mountDisk(scope, '3m');
    const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
    const gateway = await startGateway(scope, {
      spawn: true,
      servers: { fixture: upstream.entry },
      env: { MCPX_STATE_DIR: join(disk.dir, 'state') },
    });
    const host = await gateway.connect();
    const first = host.startCall('ask', { id: '"before"', message: 'before' });
    const row = await until('the question', async () => (await gateway.rows())[0]);

    const filler = join(disk.dir, 'filler');
    for (let size = 3 << 20; size >= 1; size >>= 1) {
      try {
        writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch {
        // As much as fits, and then in smaller pieces.
      }
    }
    // A question that cannot be recorded is not asked: the server gets an error, and no answer that nobody gave.
    const [error] = await answersOf(
      host.startCall('ask', { id: '"full"', message: 'x'.repeat(60_000) }).reply,
    );
    expect(JSON.parse(error ?? '')).toMatchObject({ code: -32603, message: expect.stringContaining('full') });

    const long = 'y'.repeat(100_000);
    const refused = await gateway.mcpx(['elicit', 'accept', row.id, '--input', '-'], {
      input: JSON.stringify({ repo: long }),
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/full|cannot write/);
    expect(refused.stderr).not.toMatch(DRIVER);
    expect(responsesTo(upstream, 'before')).toEqual([]);

    rmSync(filler);
    expect((await gateway.row(row.id)).state).toBe('pending');
    const sent = await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=after']);
    expect(sent.stderr).toBe('');
    expect(sent.code).toBe(0);
    expect(await answersOf(first.reply)).toEqual(['{"action":"accept","content":{"repo":"after"}}']);
    expect(responsesTo(upstream, 'before')).toHaveLength(1);
  },
  60_000,
);

test('a read-only directory', async ({ skip }) => {
  const scope = testScope();
  const disk = unmountable ? undefined : mountDisk(scope, '3m');
  // Modes do not hold root back.
  if (disk === undefined && process.getuid?.() === 0)
    skip('root can write everywhere, and nothing can be mounted');
  const dir = join(disk?.dir ?? scope.dir(), 'state');
  mkdirSync(dir, { mode: 0o700 });
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const installation = install(scope, {
    spawn: true,
    servers: { fixture: upstream.entry },
    env: { MCPX_STATE_DIR: dir },
  });
  const gateway = await serveHttp(scope, installation);
  (await gateway.connect()).startCall('ask');
  // A look from inside the test would keep the file open, and the disk could not become read-only.
  const row = await until('the question', async () => {
    const { stdout } = await gateway.mcpx(['elicit', 'list', '--json']);
    return (JSON.parse(stdout) as RowView[])[0];
  });
  await gateway.process.stop('SIGKILL');
  if (disk) disk.readOnly();
  else {
    chmodSync(join(dir, 'mcpx.db'), 0o400);
    chmodSync(dir, 0o500);
  }
  try {
    for (const args of [
      ['elicit', 'accept', row.id, '-F', 'repo=x'],
      ['elicit', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const { code, stdout, stderr } = await installation.mcpx(args);
      expect([args[0], args[1], code]).toEqual([args[0], args[1], 1]);
      expect(stdout).toBe('');
      expect(stderr).toContain('cannot write in the state directory');
      expect(stderr).not.toMatch(DRIVER);
    }
  } finally {
    if (!disk) chmodSync(dir, 0o700);
  }
}, 60_000);
