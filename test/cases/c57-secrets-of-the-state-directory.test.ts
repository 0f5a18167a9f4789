// C57: a secret file that others can read is made private, an empty one or a pipe is a sentence; JSON on a terminal is visible.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sharedSecret } from '../../src/broker/secret-file.ts';
import { visibleJson } from '../../src/cli/io.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mcpx-c57-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const read = (name: string): string => sharedSecret(dir, name, () => 'made');

test.each(['token', 'state.key'])('%s at 0644 is made private and kept', (name) => {
  writeFileSync(join(dir, name), 'mine\n');
  chmodSync(join(dir, name), 0o644);
  expect(read(name)).toBe('mine');
  expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
});

test('one that is missing is made, private, and read again', () => {
  expect(read('token')).toBe('made');
  expect(sharedSecret(dir, 'token', () => 'other')).toBe('made');
  expect(statSync(join(dir, 'token')).mode & 0o777).toBe(0o600);
});

test('an empty one is an error that names its path', () => {
  writeFileSync(join(dir, 'token'), '\n');
  expect(() => read('token')).toThrow(`${join(dir, 'token')} is empty.`);
});

test('a named pipe does not hang', () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(dir, 'state.key')]);
  expect(() => read('state.key')).toThrow(`${join(dir, 'state.key')} is a named pipe, not a file.`);
});

test('JSON for a terminal shows what hides, and means the same', () => {
  const value = { message: 'a\u009b31m\u007f\u202eb\u200b\u2066c\ufeff\u{e0041}é漢😀' };
  const text = visibleJson(JSON.stringify(value));
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toBe('{"message":"a\\u009b31m\\u007f\\u202eb\\u200b\\u2066c\\ufeff\\udb40\\udc41é漢😀"}');
});
