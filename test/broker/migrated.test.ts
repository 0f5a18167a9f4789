// A store of the first format, with rows in it: everything is kept, but what should never have been written.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Connection } from '../../src/broker/sqlite/connection.ts';
import { FORMAT, migrate, STEPS } from '../../src/broker/sqlite/migrations.ts';
import { holding } from '../support/traces.ts';
import { bench } from './support.ts';

const ROW = `INSERT INTO rows (id, state, server, mode, message, params, requested_schema, principal, audience, sensitive,
  created_at, expires_at, action, content, answered_by, settled_at) VALUES (?, 'accepted', 's', 'form', 'm', '{}', '{}', 'local', 'human', ?,
  1000, 2000, 'accept', ?, 'cli', 1500)`;

test('rows survive; the answers to sensitive ones are taken out of the file', async () => {
  const { stateDir, open } = bench();
  mkdirSync(stateDir);
  const before = new Connection(join(stateDir, 'mcpx.db'), 100);
  before.exec('PRAGMA journal_mode = WAL');
  migrate(before, stateDir, STEPS.slice(0, 1));
  before.run(ROW, 'elc-0000000000000001', 0, '{"a":"plain-9b2e"}');
  before.run(ROW, 'elc-0000000000000002', 1, '{"a":"secret-77d0"}');
  before.run(ROW, 'elc-0000000000000003', 1, `{"a":"${'secret-77d0'.repeat(2_000)}"}`);
  before.close();
  expect(holding(stateDir, 'secret-77d0')).not.toEqual([]);

  const broker = await open('command');
  expect((await broker.get('elc-0000000000000001')).answer?.content).toBe('{"a":"plain-9b2e"}');
  for (const id of ['elc-0000000000000002', 'elc-0000000000000003']) {
    const { answer, state } = await broker.get(id);
    expect({ state, action: answer?.action, content: answer?.content }).toEqual({
      state: 'accepted',
      action: 'accept',
      content: undefined,
    });
  }
  expect(holding(stateDir, 'secret-77d0')).toEqual([]);
  expect(holding(stateDir, 'plain-9b2e')).not.toEqual([]);
  const after = new Connection(join(stateDir, 'mcpx.db'), 100);
  expect(after.all('PRAGMA user_version')).toEqual([{ user_version: FORMAT }]);
  after.close();
});
