// A program that is not there is told before anything is started.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkCommands } from '../../src/config/check-commands.ts';
import { testScope } from '../support/scope.ts';
import { folder } from './support.ts';

function program(server: object, more: object = {}) {
  const here = folder(testScope(), { mcpServers: { one: server, ...more } });
  chmodSync(here.write('bin/tool', '#!/bin/sh\n'), 0o755);
  here.write('bin/plain', 'x');
  here.write('bin/folder/x', 'x');
  here.write('sub/bin/other', 'x');
  chmodSync(join(here.path, 'sub/bin/other'), 0o755);
  const env = { PATH: ['/nowhere', join(here.path, 'bin')].join(':') };
  const check = checkCommands(here.load(), env, 'linux');
  return check.then(
    (problems) =>
      problems.size === 0
        ? 'fine'
        : `only ${[...problems].map(([name, { message }]) => `${name}: ${message}`)}`,
    (error) => `${error.code} ${error.message} ${error.hint}`.replaceAll(here.path, ''),
  );
}

test.each<[string, object]>([
  ['on PATH', { command: 'tool' }],
  ['by its path', { command: './bin/tool' }],
  ['from the folder of the server', { command: './bin/other', cwd: 'sub' }],
  ['on the PATH of the server', { command: 'other', env: { PATH: 'sub/bin' }, cwd: '.' }],
  ['not looked at when disabled', { command: 'nope', disabled: true }],
  ['not looked at for a url', { url: 'http://127.0.0.1:1/mcp' }],
])('%s', async (_what, server) => {
  expect(await program(server)).toBe('fine');
});

const AT = 'config /mcpx.json: mcpServers.one';

test.each<[string, object, string]>([
  [
    'unknown',
    { command: 'nope' },
    `${AT}.command names the program nope, which is not on PATH. Install it, or write its full path.`,
  ],
  [
    'missing',
    { command: './nope' },
    `${AT}.command names the program /nope, which does not exist. Correct the path, or build or install the program.`,
  ],
  [
    'a folder',
    { command: 'folder' },
    `${AT}.command names the program folder, which is not on PATH. Install it, or write its full path.`,
  ],
  [
    'not executable',
    { command: 'plain' },
    `${AT}.command names the program /bin/plain, which may not be run. Make it executable: chmod +x /bin/plain`,
  ],
  [
    'in no folder',
    { command: 'tool', cwd: 'nope' },
    `${AT}.cwd names the folder /nope, which does not exist. Make the folder, or correct the path.`,
  ],
])('%s', async (_what, server, text) => {
  expect(await program(server)).toBe(text);
});

test('one that is missing beside others is said of that one alone', async () => {
  expect(await program({ command: 'tool' }, { two: { command: 'nope' } })).toMatch(
    /^only two: .*mcpServers\.two\.command names the program nope/,
  );
});

test('the command after -- is named as such', async () => {
  const loaded = folder(testScope()).load({ command: ['nope'] });
  await expect(checkCommands(loaded, { PATH: '' }, 'linux')).rejects.toMatchObject({
    message: 'The command after "--" names the program nope, which is not on PATH.',
  });
});

test('on Windows the usual endings are tried', async () => {
  const here = folder(testScope());
  here.write('tool.CMD', '');
  chmodSync(join(here.path, 'tool.CMD'), 0o755);
  // PATH is split as this machine splits it; the name of the variable is Windows'.
  await checkCommands(here.load({ command: ['tool'] }), { Path: here.path, PATHEXT: '.EXE;.CMD' }, 'win32');
});
