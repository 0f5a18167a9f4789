// A store that is newer, damaged or no store at all, met by real processes: one sentence, exit 1, and not a byte changed.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { install } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';

const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

function makeNewer(path: string): void {
  const db = new Database(path);
  db.exec('CREATE TABLE later (x); PRAGMA user_version = 999');
  db.close();
}

function makeDamaged(path: string): void {
  makeNewer(path);
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 96), Buffer.alloc(bytes.length - 96, 0xa5)]));
  // A format that is known, so that what is damaged is looked at.
  const known = readFileSync(path);
  known.writeUInt32BE(1, 60);
  writeFileSync(path, known);
}

test.each<[string, (path: string) => void, RegExp]>([
  ['a newer one', makeNewer, /was written by a newer mcpx \(format 999/],
  ['a damaged one', makeDamaged, /is damaged/],
  [
    'something else',
    (path) => writeFileSync(path, 'not a database, but longer than the header of one, '.repeat(9)),
    /is damaged/,
  ],
])('%s', async (_what, make, words) => {
  const installation = install(testScope(), { spawn: true, servers: { one: { command: process.execPath } } });
  mkdirSync(installation.stateDir, { recursive: true });
  const path = join(installation.stateDir, 'mcpx.db');
  make(path);
  const before = { hash: hash(path), files: readdirSync(installation.stateDir) };
  const runs = await Promise.all(
    [
      ['elicit', 'list'],
      ['elicit', 'accept', 'elc-1', '-F', 'a=b'],
      ['serve', '--port', '0'],
      ['serve', '--stdio'],
    ].map((args) => installation.mcpx(args, { input: '' })),
  );
  for (const { code, stdout, stderr } of runs) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/SQLITE|libsql|\bat .*\.js:\d+/i);
  }
  expect(hash(path)).toBe(before.hash);
  expect(readdirSync(installation.stateDir).filter((name) => name.startsWith('mcpx.db'))).toEqual(
    before.files,
  );
});
