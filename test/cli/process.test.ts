// The built command as a real process: exit codes, pipes, colour, signals (C32).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Scope } from '../support/create-scope.ts';
import { MCPX } from '../support/gateway.ts';
import { cleanEnv, runNode, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { until, within } from '../support/until.ts';

/** A folder with a file of so many servers: more output than any pipe holds. */
function folder(scope: Scope, servers = 1): string {
  const dir = scope.dir();
  const mcpServers = Object.fromEntries(
    Array.from({ length: servers }, (_, index) => [
      `server-${index}`,
      { command: 'x', args: ['y'.repeat(200)] },
    ]),
  );
  writeFileSync(join(dir, 'mcpx.json'), JSON.stringify({ mcpServers }));
  return dir;
}

test.each<[string, number]>([
  ['--version', 0],
  ['help exit-codes', 0],
  ['config', 0],
  ['nope', 2],
  ['config --nope', 2],
  ['config --config nope.json', 2],
])('mcpx %s ends with %i', async (words, code) => {
  const scope = testScope();
  const done = await runNode(scope, [MCPX, ...words.split(' ')], { cwd: folder(scope) });
  expect(done.code).toBe(code);
  expect(done.stdout === '').toBe(code !== 0);
  expect(done.stderr).not.toMatch(/Warning|\n {4}at /);
});

test.each([
  ['1', undefined],
  ['3', undefined],
  ['1', '1'],
])('--json is JSON and nothing else with FORCE_COLOR=%s and NO_COLOR=%s', async (force, no) => {
  const scope = testScope();
  const env = { FORCE_COLOR: force, NO_COLOR: no };
  const good = await runNode(scope, [MCPX, 'config', '--json'], { cwd: folder(scope), env });
  expect(good.stdout).not.toContain('\u001b');
  expect(good.stdout.indexOf('\n')).toBe(good.stdout.length - 1);
  expect(JSON.parse(good.stdout).values['serve.port'].value).toBe(7331);
  const bad = await runNode(scope, [MCPX, 'config', '--json', '--nope'], { cwd: folder(scope), env });
  expect({ code: bad.code, stdout: bad.stdout }).toEqual({ code: 2, stdout: '' });
  expect(JSON.parse(bad.stderr).error.code).toBe('usage');
});

test('a reader that closes the pipe ends it quietly', async () => {
  const scope = testScope();
  const child = spawn(process.execPath, [MCPX, 'config'], {
    cwd: folder(scope, 2_000),
    env: cleanEnv(),
    stdio: 'pipe',
  });
  scope.defer(() => child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code, signal] = await within('the end', closed);
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(err).toMatch(/^Configuration file: .*\n$/);
});

test.each([['config'], ['config', '--json']])(
  'output is complete however slow the reader: %s %s',
  async (...args) => {
    const scope = testScope();
    const words = args.filter((word) => word !== undefined);
    const child = spawn(process.execPath, [MCPX, ...words], {
      cwd: folder(scope, 2_000),
      env: cleanEnv(),
      stdio: 'pipe',
    });
    scope.defer(() => child.kill('SIGKILL'));
    child.stderr.resume();
    const closed = once(child, 'close');
    child.stdout.setEncoding('utf8');
    let out = '';
    let pauses = 0;
    for await (const chunk of child.stdout) {
      out += chunk;
      // Slower than the writer, a few times over.
      if (pauses < 20) await new Promise((resolve) => setTimeout(resolve, 10));
      pauses += 1;
    }
    expect((await within('the end', closed))[0]).toBe(0);
    expect(out.length).toBeGreaterThan(1_000_000);
    if (words.includes('--json'))
      expect(Object.keys(JSON.parse(out).values)).toContain('mcpServers.server-1999.args');
    expect(out).toMatch(/limits\.sessions.*\n$/);
  },
);

test.skipIf(!existsSync('/dev/full'))('a full disk is said, and is a failure', async () => {
  const scope = testScope();
  for (const words of [['--help'], ['config']]) {
    const stdout = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [MCPX, ...words], {
      cwd: folder(scope),
      env: cleanEnv(),
      stdio: ['ignore', stdout, 'pipe'],
    });
    let err = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk;
    });
    const [code] = await within('the end', once(child, 'close'));
    expect(code).toBe(1);
    expect(err).toContain('mcpx: The output could not be written: ENOSPC');
  }
});

test('--no-color and --color reach what colours by itself, up to --', async () => {
  const scope = testScope();
  const dir = folder(scope);
  const seen = async (words: string[], env: Record<string, string> = {}) => {
    const print = `data:text/javascript,process.on('exit',()=>process.stderr.write('FORCE='+process.env.FORCE_COLOR))`;
    const { stderr } = await runNode(scope, ['--import', print, MCPX, ...words], { cwd: dir, env });
    return /FORCE=(\w+)$/.exec(stderr)?.[1];
  };
  expect(await seen(['config', '--no-color'])).toBe('0');
  expect(await seen(['config', '--color', 'never'])).toBe('0');
  expect(await seen(['config'], { NO_COLOR: '1' })).toBe('0');
  expect(await seen(['config', '--color=always'], { NO_COLOR: '1' })).toBe('undefined');
  expect(await seen(['config', '--', '--no-color'])).toBe('undefined');
});

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s ends a command that waits with %i and no word', async (signal, code) => {
  const scope = testScope();
  const dir = folder(scope);
  const watch = startNode(scope, [MCPX, 'elicit', 'watch', '--json'], {
    cwd: dir,
    env: { MCPX_STATE_DIR: dir },
  });
  // The store is opened by the command, which runs only once signals are listened for.
  await until('the store', () => existsSync(join(dir, 'mcpx.db')));
  watch.child.kill(signal);
  expect(await within('the end', watch.ended)).toBe(code);
  expect({ out: watch.stdout(), err: watch.stderr() }).toEqual({ out: '', err: '' });
});

test('an empty list is [] and exit 0 with --json, an unknown id is one line and exit 6', async () => {
  const scope = testScope();
  const dir = folder(scope);
  const env = { MCPX_STATE_DIR: join(dir, 'state'), FORCE_COLOR: '1' };
  const list = await runNode(scope, [MCPX, 'elicit', 'list', '--json'], { cwd: dir, env });
  expect(list).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  const show = await runNode(scope, [MCPX, '--json', 'elicit', 'show', 'elc-0'], { cwd: dir, env });
  expect({ code: show.code, stdout: show.stdout }).toEqual({ code: 6, stdout: '' });
  expect(show.stderr.indexOf('\n')).toBe(show.stderr.length - 1);
  expect(JSON.parse(show.stderr).error).toMatchObject({ code: 'not_found', hint: expect.any(String) });
});

test.each([['elicit answer elc-0'], ['elicit answer']])(
  'without a terminal mcpx %s asks nobody (C29)',
  async (words) => {
    const scope = testScope();
    const dir = folder(scope);
    const env = { MCPX_STATE_DIR: join(dir, 'state') };
    const done = await runNode(scope, [MCPX, ...words.split(' ')], { cwd: dir, env, input: 'x\n' });
    expect(done.stdout).toBe('');
    expect(done.code).toBe(9);
    expect(done.stderr).toMatch(/^mcpx: .*\nhint: .*\n$/);
  },
);
