// C57: a secret file that others can read is made private, an empty one or a pipe is a sentence; JSON on a terminal is visible.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sharedSecret } from '../../src/broker/secret-file.ts';
import { visibleJson } from '../../src/cli/io.ts';
import { bench } from '../cli/elicit/run.ts';
import { MCPX } from '../support/gateway.ts';
import { ROOT } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane, quoted } from '../support/tmux.ts';

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

/** Another user than the one who runs the tests. */
const OTHER = 65_534;
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)('one of another user is taken over, where that can be done', () => {
  writeFileSync(join(dir, 'token'), 'theirs\n', { mode: 0o600 });
  chownSync(join(dir, 'token'), OTHER, OTHER);
  expect(read('token')).toBe('theirs');
  expect(statSync(join(dir, 'token'))).toMatchObject({ uid: 0 });
});

test.skipIf(!isRoot)('and refused where it cannot, with what to do', ({ skip }) => {
  const state = join(dir, 'state');
  mkdirSync(state);
  chmodSync(dir, 0o755);
  chownSync(state, OTHER, OTHER);
  writeFileSync(join(state, 'token'), 'theirs\n', { mode: 0o644 });
  const module = join(ROOT, 'dist', 'broker', 'secret-file.js');
  const program = `import(process.argv[1]).then(({ sharedSecret }) => sharedSecret(process.argv[2], 'token', () => 'made'))
    .then(() => console.log('read'), (error) => console.log(error.code, error.message, error.hint));`;
  const child = spawnSync(process.execPath, ['-e', program, module, state], {
    uid: OTHER,
    gid: OTHER,
    cwd: '/',
  });
  const said = child.error?.message ?? child.stdout.toString();
  skip(/ERR_MODULE_NOT_FOUND|EACCES/.test(said), 'no other user may run this node or read this clone');
  expect(said).toContain(
    `config ${join(state, 'token')} holds a secret, and other users can read it or own it.`,
  );
  expect(said).toContain('chmod 600');
});

test.skipIf(!hasTmux())('JSON on a real terminal shows what hides', async () => {
  const { stateDir, ask } = await bench();
  await ask({}, { message: 'a\u009b31mb\u202ec' });
  const command = `${quoted(process.execPath)} ${quoted(MCPX)} elicit list --json`;
  const pane = openPane(testScope(), command, { env: { MCPX_STATE_DIR: stateDir }, columns: 200 });
  await pane.see('[exit 0]');
  expect(pane.screen().replaceAll('\n', '')).toContain('a\\u009b31mb\\u202ec');
  expect(pane.written()).not.toMatch(/[\u009b\u202e]/);
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
