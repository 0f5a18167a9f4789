// C24: many processes on one store: all succeed; a lock is waited for, and one that stays is a sentence, not a driver's error.
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { answersOf, scene } from '../support/scene.ts';

test('20 accepts at once, a watcher beside them', async () => {
  const { host, gateway, pending } = await scene({ spawn: true });
  const calls = Array.from({ length: 20 }, () => host.startCall('ask'));
  const rows = await pending(20);
  gateway.start(['elicit', 'watch', '--json']);
  const done = await Promise.all(
    rows.map(({ id }) => gateway.mcpx(['elicit', 'accept', id, '-F', `repo=${id}`], { ms: 60_000 })),
  );
  expect(done.filter(({ code }) => code !== 0)).toEqual([]);
  const answers = await Promise.all(calls.map(({ reply }) => answersOf(reply)));
  expect(
    answers
      .flat()
      .map((text) => JSON.parse(text).content.repo)
      .toSorted(),
  ).toEqual(rows.map(({ id }) => id).toSorted());
}, 90_000);

/** Another program that holds the store's write lock. */
function hold(stateDir: string): () => void {
  const outside = new Database(join(stateDir, 'mcpx.db'));
  outside.exec('BEGIN IMMEDIATE');
  return () => {
    outside.exec('ROLLBACK');
    outside.close();
  };
}

test('a lock that goes away is waited for', async () => {
  const { host, gateway, row } = await scene({ spawn: true });
  const call = host.startCall('ask');
  const { id } = await row();
  const release = hold(gateway.stateDir);
  setTimeout(release, 2_000);
  expect(await gateway.mcpx(['elicit', 'decline', id])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual(['{"action":"decline"}']);
});

test('a lock that stays is one sentence and exit 1, and nothing reaches the upstream', async () => {
  const { host, gateway, upstream, row } = await scene({ spawn: true });
  const call = host.startCall('ask');
  const { id } = await row();
  const release = hold(gateway.stateDir);
  const refused = await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=never']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).not.toMatch(/SQLITE|at .*\.js:\d+|Error:/);
  expect(refused.stderr.trim()).not.toBe('');
  release();
  expect(await gateway.mcpx(['elicit', 'cancel', id])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual(['{"action":"cancel"}']);
  expect(upstream.journal().some(({ text }) => text.includes('never'))).toBe(false);
}, 60_000);
