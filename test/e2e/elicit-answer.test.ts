// `mcpx elicit answer` on a real terminal.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench } from '../cli/elicit/run.ts';
import { MCPX } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane, quoted } from '../support/tmux.ts';
import { until } from '../support/until.ts';

const here = hasTmux();
if (!here) console.warn('tmux is not installed: the tests of "mcpx elicit answer" on a terminal are skipped');

describe.skipIf(!here)('mcpx elicit answer on a terminal', () => {
  async function open(properties: Record<string, unknown>, required: string[]) {
    const at = await bench();
    const row = await at.ask(properties, { required });
    const command = [process.execPath, MCPX, 'elicit', 'answer', row.id].map(quoted).join(' ');
    return { at, row, pane: openPane(testScope(), command, { env: { MCPX_STATE_DIR: at.stateDir } }) };
  }

  test('fields, review, send', async () => {
    const { at, row, pane } = await open({ repo: { type: 'string' }, private: { type: 'boolean' } }, [
      'repo',
      'private',
    ]);
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.type('me/thing');
    pane.keys('Enter');
    await pane.prompt('private (');
    pane.keys('n');
    await pane.see('❯ no');
    pane.keys('Enter');
    await pane.prompt('Send this?');
    pane.keys('Enter');
    await pane.see('sent to github');
    await pane.see('[exit 0]');
    expect((await at.broker.get(row.id)).answer?.content).toBe('{"repo":"me/thing","private":false}');
  });

  test.each(['C-c', 'C-d'])('%s sends nothing and leaves the terminal as it was', async (key) => {
    const { at, row, pane } = await open({ repo: { type: 'string' } }, ['repo']);
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.keys(key);
    await pane.see('[exit 130]');
    expect((await at.broker.get(row.id)).state).toBe('pending');
  });

  test.each(['C-c', 'SIGKILL', 'SIGHUP'])('what was typed when %s came is offered again', async (how) => {
    const at = await bench();
    const row = await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
    const scope = testScope();
    const pidFile = join(scope.dir(), 'pid');
    const command = [process.execPath, MCPX, 'elicit', 'answer', row.id].map(quoted).join(' ');
    const asked = openPane(
      scope,
      `sh -c 'echo $$ > "$1"; shift; exec "$@"' sh ${quoted(pidFile)} ${command}`,
      {
        env: { MCPX_STATE_DIR: at.stateDir },
      },
    );
    await asked.prompt('What do you want to do?');
    asked.keys('Enter');
    await asked.prompt('repo (');
    asked.type('me/th');
    const file = join(at.stateDir, 'drafts', `${row.id}.json`);
    await until('the draft', () => existsSync(file) && readFileSync(file, 'utf8').includes('me/th'));
    if (how === 'C-c') asked.keys('C-c');
    else process.kill(Number(readFileSync(pidFile, 'utf8')), how);
    await asked.see('[exit ');
    expect((await at.broker.get(row.id)).state).toBe('pending');
    const next = openPane(scope, command, { env: { MCPX_STATE_DIR: at.stateDir } });
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    await next.prompt('What do you want to do?');
    expect(next.screen()).toContain('What you had entered before is filled in.');
    next.keys('Enter');
    await next.prompt('repo (');
    await next.see(') me/th');
    next.type('ing');
    next.keys('Enter');
    await next.prompt('Send this?');
    next.keys('Enter');
    await next.see('[exit 0]');
    expect((await at.broker.get(row.id)).answer?.content).toBe('{"repo":"me/thing"}');
    expect(existsSync(file)).toBe(false);
  });

  test('a secret is masked', async () => {
    const { pane } = await open({ password: { type: 'string' } }, ['password']);
    await pane.see('Warning:');
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('password (');
    pane.type('hunter2');
    await pane.see('*******');
    pane.keys('Enter');
    const screen = await pane.prompt('Send this?');
    expect(screen).not.toContain('hunter2');
    expect(screen).toContain('hidden');
  });

  test('a question that goes away closes the prompt', async () => {
    const { at, row, pane } = await open({ repo: { type: 'string' } }, ['repo']);
    await pane.prompt('What do you want to do?');
    await at.broker.withdraw(row.id, 'the call was cancelled');
    await pane.see('the call was cancelled');
    await pane.see('[exit 7]');
  });

  test('Ctrl+Z and fg keep the prompt alive', async () => {
    const at = await bench();
    const row = await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
    const pane = openPane(testScope(), 'sh -i', { env: { MCPX_STATE_DIR: at.stateDir, PS1: 'ready> ' } });
    await pane.see('ready>');
    pane.type([process.execPath, MCPX, 'elicit', 'answer', row.id].map(quoted).join(' '));
    pane.keys('Enter');
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.type('be');
    await pane.see(') be');
    pane.keys('C-z');
    await pane.see('topped');
    pane.type('fg');
    pane.keys('Enter');
    await pane.see('elicit', 5_000);
    pane.type('fore');
    await pane.see(') before');
    pane.keys('Enter');
    await pane.see('"before" (text)');
    pane.keys('C-c');
    await until('the shell', () => pane.screen().trimEnd().endsWith('\nready>'));
    // In a terminal left raw the shell would not take this Enter as the end of a line.
    pane.type('echo alive$((1 + 1))');
    pane.keys('Enter');
    await pane.see('alive2');
    expect((await at.broker.get(row.id)).state).toBe('pending');
  });
});
