// A disk that is full or read-only, a store that is damaged or newer: a sentence, an unchanged store, no stack.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import { Connection } from '../../src/broker/sqlite/connection.ts';
import { FORMAT } from '../../src/broker/sqlite/migrations.ts';
import type { Broker } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { isMcpxError, type McpxError } from '../../src/errors.ts';
import { silent } from '../../src/log.ts';
import { mountDisk, noMounts } from '../support/mounts.ts';
import { testScope } from '../support/scope.ts';
import { startActor } from './actor.ts';
import { question } from './question.ts';
import { bench } from './support.ts';

const unmountable = await noMounts();

const openAt = (stateDir: string, role: 'gateway' | 'command' = 'command'): Promise<Broker> =>
  openBroker({ stateDir, clock: systemClock, log: silent, role, keep: 86_400_000 });

/** The McpxError that `work` ends in, checked to be fit for a person. */
async function failure(work: Promise<unknown>): Promise<McpxError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isMcpxError(thrown)) throw new Error('a McpxError was expected', { cause: thrown });
  expect(thrown.message).not.toMatch(/sqlite|libsql|disk I\/O/i);
  expect(thrown.hint).toBeTruthy();
  return thrown;
}

const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a read-only disk', () => {
  it.skipIf(unmountable)('is refused with a sentence when the store is there', async () => {
    const disk = mountDisk(testScope(), '4m');
    // In another process: libsql keeps files open until its statements are collected, and they hold the disk writable.
    const gateway = await startActor(testScope(), disk.dir);
    await gateway.open(question());
    await gateway.process.stop();
    disk.readOnly();
    const error = await failure(openAt(disk.dir));
    expect(error.code).toBe('store_readonly');
    expect(error.message).toContain(disk.dir);
    expect(error.hint).toContain('--state-dir');
  });

  it.skipIf(unmountable)('and when there is none yet', async () => {
    const disk = mountDisk(testScope(), '4m');
    disk.readOnly();
    expect((await failure(openAt(disk.dir))).code).toBe('store_readonly');
    expect((await failure(openAt(join(disk.dir, 'deeper')))).code).toBe('store_readonly');
  });
});

describe('a full disk', () => {
  const fill = (dir: string): void => {
    try {
      writeFileSync(join(dir, 'fill'), Buffer.alloc(16 << 20));
    } catch {
      // Full, as intended.
    }
  };

  it.skipIf(unmountable)(
    'refuses the answer with a sentence; the row stays pending and is answered later',
    async () => {
      const scope = testScope();
      const disk = mountDisk(scope, '2m');
      const gateway = await openAt(disk.dir, 'gateway');
      scope.defer(() => gateway.close());
      const { id } = await gateway.open(question());
      fill(disk.dir);
      const content = JSON.stringify({ repo: 'x'.repeat(200_000) });
      const error = await failure(gateway.answer(id, { action: 'accept', content, by: 'cli' }));
      expect(error.code).toBe('store_full');
      expect(error.message).toBe(`The disk that holds ${disk.dir} is full.`);
      expect(await gateway.get(id)).toMatchObject({ state: 'pending' });
      expect((await failure(gateway.open(question({ message: 'm'.repeat(200_000) })))).code).toBe(
        'store_full',
      );

      rmSync(join(disk.dir, 'fill'));
      const late = await gateway.answer(id, { action: 'accept', content, by: 'cli' });
      expect(late).toMatchObject({ won: true, row: { answer: { content } } });
    },
  );

  it.skipIf(unmountable)('refuses to open with the same sentence', async () => {
    const disk = mountDisk(testScope(), '2m');
    fill(disk.dir);
    expect((await failure(openAt(join(disk.dir)))).code).toBe('store_full');
    expect((await failure(openAt(join(disk.dir, 'deeper')))).code).toBe('store_full');
  });
});

describe('a database that is not ours to touch', () => {
  it('from a newer mcpx is refused by its number, and stays byte for byte', async () => {
    const { stateDir, open } = bench();
    await (await open('gateway')).close('over');
    const path = join(stateDir, 'mcpx.db');
    const connection = new Connection(path, 1_000);
    connection.exec(`PRAGMA user_version = ${FORMAT + 1}`);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
    const before = hash(path);
    const error = await failure(openAt(stateDir));
    expect(error.code).toBe('store_newer');
    expect(error.message).toContain(`format ${FORMAT + 1}, this one knows ${FORMAT}`);
    expect(hash(path)).toBe(before);
  });

  it('from a newer mcpx whose number is still in the WAL is refused too', async () => {
    const { stateDir, scope, open } = bench();
    await (await open('gateway')).close('over');
    const connection = new Connection(join(stateDir, 'mcpx.db'), 1_000);
    scope.defer(() => connection.close());
    connection.exec(`PRAGMA user_version = ${FORMAT + 1}`);
    expect((await failure(openAt(stateDir))).code).toBe('store_newer');
    expect(connection.all('PRAGMA user_version')).toEqual([{ user_version: FORMAT + 1 }]);
  });

  it.each([
    ['text', (path: string) => writeFileSync(path, 'this is not a database\n'.repeat(100))],
    ['a few bytes', (path: string) => writeFileSync(path, 'SQLite')],
    ['a cut file', (path: string) => truncateSync(path, 5_000)],
    ['pages of rubbish', (path: string) => writeFileSync(path, readFileSync(path).fill(0x55, 4_096))],
  ])('is damaged (%s): refused with what to do, and left as it is', async (_, damage) => {
    const { stateDir, open } = bench();
    const gateway = await open('gateway');
    for (let n = 0; n < 20; n += 1) await gateway.open(question());
    await gateway.close('over');
    const path = join(stateDir, 'mcpx.db');
    const connection = new Connection(path, 1_000);
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
    for (const name of readdirSync(stateDir)) if (name !== 'mcpx.db') rmSync(join(stateDir, name));
    damage(path);
    const before = hash(path);
    const error = await failure(
      openAt(stateDir, 'gateway').then((broker) =>
        broker.list({ state: 'all' }).finally(() => broker.close()),
      ),
    );
    expect(error.code).toBe('store_damaged');
    expect(error.hint).toContain('move mcpx.db');
    expect(hash(path)).toBe(before);
  });
});

describe('the state directory', () => {
  it('is made private, and so are its files', async () => {
    const { stateDir, open } = bench();
    const gateway = await open('gateway');
    await gateway.open(question());
    expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(stateDir)) {
      expect([name, statSync(join(stateDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('that is there already keeps its mode; the store in it is private all the same', async () => {
    const { stateDir, open } = bench();
    mkdirSync(stateDir, { mode: 0o755 });
    writeFileSync(join(stateDir, 'mcpx.db'), '', { mode: 0o644 });
    await open('gateway');
    expect(statSync(stateDir).mode & 0o777).toBe(0o755);
    expect(statSync(join(stateDir, 'mcpx.db')).mode & 0o777).toBe(0o600);
  });

  it('that is a file, or lies in one, is refused with a sentence', async () => {
    const dir = testScope().dir();
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const itself = await failure(openAt(file));
    expect(itself.code).toBe('config');
    expect(itself.message).toContain('not a directory');
    const inside = await failure(openAt(join(file, 'state')));
    expect(inside.code).toBe('config');
    expect(inside.message).toContain('a part of its path is a file');
  });

  it.runIf(process.platform === 'linux')(
    'whose parent cannot be made is refused with a sentence',
    async () => {
      const error = await failure(openAt('/proc/no-such-thing/state'));
      expect(error.code).toBe('config');
      expect(error.message).toContain('the directory above it does not exist');
    },
  );

  it('is made with the directories above it', async () => {
    const dir = join(testScope().dir(), 'a', 'b', 'state');
    const broker = await openAt(dir);
    await broker.close();
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('where mcpx.db is a directory is refused with a sentence', async () => {
    const dir = testScope().dir();
    mkdirSync(join(dir, 'mcpx.db'));
    expect((await failure(openAt(dir))).code).toBe('config');
  });
});
