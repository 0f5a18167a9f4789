// `mcpx serve` on a terminal: a line for each question, or with --prompt the question itself.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeEdge } from '../support/fake-edge.ts';
import { install, MCPX } from '../support/gateway.ts';
import { connectHttpHost } from '../support/host-http.ts';
import { ROOT, runNode } from '../support/processes.ts';
import { answersOf } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane } from '../support/tmux.ts';
import { mcpxLine } from '../support/tui-pane.ts';
import { until } from '../support/until.ts';

const here = hasTmux();
if (!here) console.warn('tmux is not installed: the tests of "mcpx serve" on a terminal are skipped');

async function served(...args: string[]) {
  const scope = testScope();
  const upstream = [join(ROOT, 'fixtures', 'upstream.mjs')];
  const at = install(scope, { servers: { fixture: { command: process.execPath, args: upstream } } });
  // Ctrl+C goes to the shell around mcpx too, which has to stay and tell of the exit code.
  const line = `trap : INT; ${mcpxLine('serve', '--port', '0', ...args)}`;
  const pane = openPane(scope, line, { env: at.env, columns: 120 });
  const screen = await pane.see('http://127.0.0.1:');
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(screen)?.[0] ?? '';
  const host = await connectHttpHost(url, { capabilities: '{}' });
  scope.defer(() => host.cut());
  return { at, pane, host };
}

describe.skipIf(!here)('on a terminal', () => {
  test('each new question is one line with the command that answers it', async () => {
    const { at, pane, host } = await served();
    const call = host.startCall('ask', { message: 'First \u001b[2Jline\nand a second' });
    const screen = await pane.see('● fixture asks:');
    const [row] = await at.rows();
    expect(screen).toContain(`● fixture asks: First \\u{1b}[2Jline  mcpx elicit answer ${row?.id}`);
    await at.mcpx(['elicit', 'accept', row?.id ?? '', '-F', 'repo=x']);
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
  });

  test('Ctrl+C with questions open says how many are lost and wants a second one', async () => {
    const { at, pane, host } = await served();
    void host.startCall('ask');
    void host.startCall('ask');
    await until('the questions', async () => (await at.rows()).length === 2);
    pane.keys('C-c');
    await pane.see('2 questions are still open, and they will be lost when mcpx ends. Press Ctrl+C again');
    expect(await at.rows()).toHaveLength(2);
    pane.keys('C-c');
    await pane.see('[exit 130]');
    expect(await at.rows(['--all'])).toMatchObject([{ state: 'lost' }, { state: 'lost' }]);
  });

  test('Ctrl+C ends the gateway at once where nothing would be lost, and SIGTERM always', async () => {
    const idle = await served();
    idle.pane.keys('C-c');
    await idle.pane.see('[exit 130]');
    const { at, pane, host } = await served('--json');
    void host.startCall('ask');
    await until('the question', async () => (await at.rows()).length === 1);
    process.kill(Number(/"pid":(\d+)/.exec(pane.screen())?.[1]), 'SIGTERM');
    await pane.see('[exit 143]');
  });

  test('--prompt asks right there, one after the other, and one that is left stays open', async () => {
    const { at, pane, host } = await served('--prompt');
    await pane.see('Waiting for questions');
    const call = host.startCall('ask');
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.type('me/thing');
    pane.keys('Enter');
    await pane.prompt('Send this?');
    pane.keys('Enter');
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"me/thing"}}']);
    await pane.see('accepted: sent to fixture');
    void host.startCall('ask', { message: 'Another one' });
    await pane.prompt('Another one');
    pane.keys('Down', 'Down', 'Down');
    await pane.see('❯ Leave it');
    pane.keys('Enter');
    await pane.see('stays open');
    expect(await at.rows()).toMatchObject([{ state: 'pending' }]);
  });

  test('Ctrl+C in a prompt says what would be lost and asks again; the second one ends the gateway', async () => {
    const { at, pane, host } = await served('--prompt');
    void host.startCall('ask');
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.type('me/th');
    const file = join(at.env['MCPX_STATE_DIR'] ?? '', 'drafts', `${(await at.rows())[0]?.id}.json`);
    await until('the draft', () => existsSync(file) && readFileSync(file, 'utf8').includes('me/th'));
    pane.keys('C-c');
    const told = await pane.see('Press Ctrl+C again');
    expect(told).toContain('1 question is still open, and it will be lost');
    await until('the question again', () => pane.screen().split('What do you want to do?').length === 3);
    expect(pane.screen()).toContain('What you had entered before is filled in.');
    expect(await at.rows()).toMatchObject([{ state: 'pending' }]);
    pane.keys('C-c');
    await pane.see('[exit 130]');
    expect(await at.rows(['--all'])).toMatchObject([{ state: 'lost' }]);
    expect(existsSync(file)).toBe(false);
  });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('without a terminal one %s ends the gateway, questions or not', async (signal, code) => {
  const scope = testScope();
  const upstream = [join(ROOT, 'fixtures', 'upstream.mjs')];
  const at = install(scope, {
    spawn: true,
    servers: { fixture: { command: process.execPath, args: upstream } },
  });
  const running = at.start(['serve', '--port', '0', '--json']);
  const { url } = JSON.parse(await running.line((line) => line.startsWith('{'))) as { url: string };
  const host = await connectHttpHost(url, { capabilities: '{}' });
  scope.defer(() => host.cut());
  void host.startCall('ask');
  await until('the question', async () => (await at.rows()).length === 1);
  running.child.kill(signal);
  expect(await running.ended).toBe(code);
  expect(await at.rows(['--all'])).toMatchObject([{ state: 'lost' }]);
});

test('--prompt without a terminal is exit 9, with --stdio a usage error, before anything is started', async () => {
  const at = install(testScope(), { servers: {} });
  const bare = await runNode(testScope(), [MCPX, 'serve', '--prompt'], { env: at.env });
  expect(bare.code).toBe(9);
  expect(bare.stderr).toContain('Leave --prompt out');
  const both = fakeEdge({ isTTY: true });
  expect(await main(['serve', '--prompt', '--stdio'], both)).toBe(2);
  expect(both.err()).toContain('Answer in another terminal: mcpx tui');
});

test('without a terminal nothing but the log is written', async () => {
  const scope = testScope();
  const upstream = [join(ROOT, 'fixtures', 'upstream.mjs')];
  const at = install(scope, { servers: { fixture: { command: process.execPath, args: upstream } } });
  const running = at.start(['serve', '--port', '0', '--json']);
  const { url } = JSON.parse(await running.line((line) => line.startsWith('{'))) as { url: string };
  const host = await connectHttpHost(url, { capabilities: '{}' });
  scope.defer(() => host.cut());
  const call = host.startCall('ask');
  const [row] = await until('the question', async () => {
    const rows = await at.rows();
    return rows.length > 0 && rows;
  });
  await at.mcpx(['elicit', 'cancel', row?.id ?? '']);
  await call.reply;
  for (const line of running.stderr().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
});
