// C50: the store's files are taken away under a running gateway: it says so, opens the store anew, and no open question is lost.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBroker } from '../../src/broker/open.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import { type RowView, startGateway } from '../support/gateway.ts';
import { restOf } from '../support/rest.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

interface Health {
  readonly status: string;
  readonly store?: { readonly state: string; readonly reason: string; readonly error?: string };
}

async function open() {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { servers: { one: upstream.entry }, spawn: true });
  const rest = restOf(gateway);
  const host = await gateway.connect();
  const call = host.startCall('ask');
  // In processes of their own: one that has read the files which are gone may read them again (see access.ts).
  const rows = async (...flags: string[]): Promise<RowView[]> => {
    const { stdout } = await gateway.mcpx(['elicit', 'list', '--json', ...flags]);
    return JSON.parse(stdout || '[]') as RowView[];
  };
  const row = await until('the question', async () => (await rows())[0]);
  const health = async (): Promise<Health> => (await rest.ask('/v1/health')).json as unknown as Health;
  return { scope, gateway, rest, rows, call, row, health, dir: gateway.stateDir };
}

/** A database of another gateway, with nothing in it. */
async function emptyStore(dir: string): Promise<string> {
  mkdirSync(dir, { recursive: true });
  const broker = await openBroker({
    stateDir: dir,
    clock: systemClock,
    log: silent,
    role: 'command',
    keep: 1,
  });
  await broker.close();
  return join(dir, 'mcpx.db');
}

const db = (dir: string, part = ''): string => join(dir, `mcpx.db${part}`);

test.each<[string, RegExp, (dir: string) => unknown]>([
  ['the database is removed', /mcpx\.db was removed/, (dir) => rmSync(db(dir))],
  [
    'its log and its index are removed',
    /mcpx\.db-(wal|shm) was removed/,
    (dir) => [rmSync(db(dir, '-wal')), rmSync(db(dir, '-shm'))],
  ],
  ['its log is cut off', /mcpx\.db-wal was cut off/, (dir) => truncateSync(db(dir, '-wal'))],
  ['the whole directory is removed', /was removed/, (dir) => rmSync(dir, { recursive: true })],
  ['the directory is moved away', /was removed/, (dir) => renameSync(dir, `${dir}-moved`)],
  [
    'all three are replaced',
    /was (replaced|removed)/,
    async (dir) => {
      const other = await emptyStore(`${dir}-other`);
      for (const part of ['', '-wal', '-shm']) rmSync(db(dir, part), { force: true });
      renameSync(other, db(dir));
    },
  ],
])('%s: noticed, said, and the question is answered under its id', async (_what, reason, take) => {
  const { gateway, rows, call, row, health, dir } = await open();
  const secrets = ['token', 'state.key'].map((name) => readFileSync(join(dir, name), 'utf8'));
  await take(dir);
  const said = await until('it to be noticed', async () => (await health()).store);
  expect(said.reason).toMatch(reason);
  await until('the store to be open again', async () => (await health()).store?.state === 'reopened');
  expect((await health()).status).toBe('ok');
  expect(gateway.process.stderr()).toMatch(/"level":50,[^\n]*"the store was taken away under mcpx/);
  const ids = async () => (await rows()).map(({ id }) => id);
  await until('the question to be listed', async () => (await ids()).includes(row.id));
  expect(['token', 'state.key'].map((name) => readFileSync(join(dir, name), 'utf8'))).toEqual(secrets);
  const accepted = await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=me/thing']);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('sent to one') });
  expect(JSON.stringify(await call.reply)).toContain('me/thing');
  expect((await rows('--all')).find(({ id }) => id === row.id)?.deliveredAt).toBeDefined();
});

test('a secret question keeps its key, and a watch goes on', async () => {
  const { gateway, rows, dir, health, scope } = await open();
  const watch = gateway.start(['elicit', 'watch', '--json']);
  scope.defer(() => void watch.stop());
  const host = await gateway.connect();
  const schema = '{"type":"object","properties":{"apiKey":{"type":"string"}},"required":["apiKey"]}';
  const call = host.startCall('ask', { params: `{"message":"m","requestedSchema":${schema}}` });
  const row = await until('it', async () =>
    (await rows()).find((one) => JSON.stringify(one).includes('apiKey')),
  );
  rmSync(db(dir));
  await until('it to be open again', async () => (await health()).store?.state === 'reopened');
  const done = await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'apiKey=@-'], { input: 'sk-1' });
  const { code } = done;
  expect(code).toBe(0);
  expect(JSON.stringify(await call.reply)).toContain('sk-1');
  await watch.line((line) => line.includes(row.id) && line.includes('"event":"delivered"'), 15_000);
});

test('where it cannot be opened anew, it says why as long as that lasts, and then goes on', async () => {
  const { rows, row, health, dir } = await open();
  rmSync(dir, { recursive: true });
  writeFileSync(dir, 'in the way');
  const down = await until('it to say so', async () => {
    const now = await health();
    return now.status === 'degraded' && now;
  });
  expect(down.store).toMatchObject({
    state: 'unavailable',
    error: expect.stringContaining('not a directory'),
  });
  rmSync(dir);
  await until('it to be open again', async () => (await health()).status === 'ok', 20_000);
  expect((await rows()).map(({ id }) => id)).toEqual([row.id]);
});

test('a database that was cut off is put aside, and a new one made', async () => {
  const { health, dir } = await open();
  copyFileSync(db(dir), `${dir}-copy`);
  truncateSync(db(dir), 4_096);
  await until('it to be open again', async () => (await health()).store?.state === 'reopened', 20_000);
  expect((await health()).store?.reason).toMatch(/cut off|damaged|removed/);
  expect(readdirSync(dir).some((name) => name.startsWith('mcpx.db.damaged-'))).toBe(true);
});
