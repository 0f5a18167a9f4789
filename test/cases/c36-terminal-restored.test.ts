// C36: however mcpx tui ends or stops, the terminal is as it was: modes, cursor, bracketed paste, the other screen.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { bench } from '../cli/elicit/run.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane, type Pane } from '../support/tmux.ts';
import { mcpxLine, type TuiPane, tuiPane } from '../support/tui-pane.ts';
import { until } from '../support/until.ts';

const here = hasTmux();
if (!here) console.warn('tmux is not installed: the tests of the restored terminal (C36) are skipped');

/** The last word on a private mode in what was written: on, off, or never touched. */
function mode(pane: Pane, number: number): 'on' | 'off' | undefined {
  const last = [...pane.written().matchAll(new RegExp(`\\u001b\\[\\?${number}([hl])`, 'g'))].at(-1);
  return last === undefined ? undefined : last[1] === 'h' ? 'on' : 'off';
}

function expectRestored(pane: Pane): void {
  expect({
    cursor: mode(pane, 25),
    paste: mode(pane, 2004),
    screen: mode(pane, 1049),
    seen: pane.about('#{cursor_flag}'),
    other: pane.about('#{alternate_on}'),
  }).toEqual({ cursor: 'on', paste: 'off', screen: 'off', seen: '1', other: '0' });
}

async function opened(node?: string): Promise<TuiPane> {
  const at = await bench();
  await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
  const pane = await tuiPane(
    testScope(),
    { MCPX_STATE_DIR: at.stateDir },
    node === undefined ? {} : { node },
  );
  expect(mode(pane, 2004)).toBe('on');
  pane.keys('Enter');
  await pane.see('* required');
  expect(pane.about('#{alternate_on}')).toBe('1');
  return pane;
}

describe.skipIf(!here)('the terminal afterwards', () => {
  test.each<[string, (pane: TuiPane) => void, number]>([
    ['Ctrl+C', (pane) => pane.keys('C-c'), 130],
    ['SIGINT', ({ pid }) => process.kill(pid, 'SIGINT'), 130],
    ['SIGTERM', ({ pid }) => process.kill(pid, 'SIGTERM'), 143],
    ['SIGHUP', ({ pid }) => process.kill(pid, 'SIGHUP'), 129],
  ])('after %s', async (_way, end, code) => {
    const pane = await opened();
    end(pane);
    await pane.see(`[exit ${code}]`);
    expectRestored(pane);
    expect(pane.modes().after).toBe(pane.modes().before);
  });

  test('after q', async () => {
    const pane = await opened();
    pane.keys('Escape');
    await pane.see('q quit');
    pane.keys('q');
    await pane.see('[exit 0]');
    expectRestored(pane);
    expect(pane.modes().after).toBe(pane.modes().before);
  });

  test('after a crash, whose report stands on the usual screen', async () => {
    const crash = 'process.on("SIGUSR2", () => { throw new Error("out of the blue"); })';
    const pane = await opened(`--import 'data:text/javascript,${encodeURIComponent(crash)}'`);
    process.kill(pane.pid, 'SIGUSR2');
    const screen = await pane.see('[exit ');
    expect(screen).toContain('out of the blue');
    expectRestored(pane);
    expect(pane.modes().after).toBe(pane.modes().before);
  });

  test.each(['Ctrl+Z', 'SIGTSTP'])('while it is stopped by %s, and again after fg', async (way) => {
    const at = await bench();
    const row = await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
    const pane = openPane(testScope(), 'sh -i', { env: { MCPX_STATE_DIR: at.stateDir, PS1: 'ready> ' } });
    await pane.see('ready>');
    pane.type(mcpxLine('tui'));
    pane.keys('Enter');
    await pane.see('1 open');
    pane.keys('Enter');
    await pane.see('* required');
    pane.type('kept');
    await pane.see('│ kept');
    if (way === 'Ctrl+Z') pane.keys('C-z');
    else process.kill(processOn(pane), 'SIGTSTP');
    await until('the shell', () => pane.screen().trimEnd().endsWith('ready>'));
    expectRestored(pane);
    pane.type('echo echoed$((1 + 1)); stty -a | grep -o " -\\?icanon"');
    pane.keys('Enter');
    expect(await pane.see('echoed2')).not.toContain('-icanon\n');
    pane.type('fg');
    pane.keys('Enter');
    await pane.see('│ kept');
    pane.type('!');
    await pane.see('│ kept!');
    pane.keys('C-c');
    await until('an empty field', () => !pane.screen().includes('kept'));
    pane.keys('C-c');
    await until('the shell', () => pane.screen().trimEnd().endsWith('ready>'));
    expectRestored(pane);
    expect((await at.broker.get(row.id)).state).toBe('pending');
  });
});

/** The process that has the terminal, told by its group. */
function processOn(pane: Pane): number {
  const rows = execFileSync('ps', ['-t', pane.about('#{pane_tty}'), '-o', 'pid=,stat='], {
    encoding: 'utf8',
  });
  const found = rows.split('\n').find((line) => /\+/.test(line));
  return Number(found?.trim().split(/\s+/)[0]);
}
