// C29: without a terminal mcpx tui says in one line what to use instead, and nothing is answered; with one it draws.
import { expect, test } from 'vitest';
import { bench } from '../cli/elicit/run.ts';
import { MCPX } from '../support/gateway.ts';
import { runNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane } from '../support/tmux.ts';
import { mcpxLine, tuiPane } from '../support/tui-pane.ts';

async function waiting() {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
  return { ...at, row, env: { MCPX_STATE_DIR: at.stateDir } };
}

const isStill = async ({ broker, row }: Awaited<ReturnType<typeof waiting>>): Promise<void> =>
  expect((await broker.get(row.id)).state).toBe('pending');

test.each<[string, Record<string, string>, string | undefined]>([
  ['a pipe with keys', {}, 'x\r\r\ry\r'],
  ['an input that has ended', {}, undefined],
  ['CI', { CI: 'true' }, undefined],
  ['TERM=dumb', { TERM: 'dumb' }, undefined],
  ['--no-input', { MCPX_NO_INPUT: '1' }, undefined],
])('%s: exit 9, one line and a hint, no stack', async (_what, more, input) => {
  const at = await waiting();
  const done = await runNode(testScope(), [MCPX, 'tui'], {
    env: { ...at.env, ...more },
    ...(input === undefined ? {} : { input }),
  });
  expect({ code: done.code, stdout: done.stdout }).toEqual({ code: 9, stdout: '' });
  expect(done.stderr).toMatch(
    /^mcpx: "mcpx tui" asks a person on a terminal, and [^\n]+; nothing was answered\.\nhint: Use: mcpx elicit list[^\n]+\n$/,
  );
  await isStill(at);
});

test('with --json the failure is one line of JSON', async () => {
  const at = await waiting();
  const { code, stderr } = await runNode(testScope(), [MCPX, 'tui', '--json'], { env: at.env });
  expect(code).toBe(9);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'needs_person' } });
});

test.skipIf(!hasTmux()).each<[string, string]>([
  ['stdout is a pipe', `${mcpxLine('tui')} | cat`],
  ['stdin is a pipe', `echo y | ${mcpxLine('tui')}`],
  ['stdin is empty', `${mcpxLine('tui')} < /dev/null`],
  ['the terminal is dumb', `TERM=dumb ${mcpxLine('tui')}`],
])('on a terminal where %s', async (_what, command) => {
  const at = await waiting();
  const pane = openPane(testScope(), command, { env: at.env });
  const screen = await pane.see('[exit ');
  expect(screen).toContain('nothing was answered');
  expect(screen).not.toContain('    at ');
  await isStill(at);
});

test.skipIf(!hasTmux())('a terminal in CI is a terminal, and it draws', async () => {
  const at = await waiting();
  const pane = await tuiPane(testScope(), { ...at.env, CI: 'true', CONTINUOUS_INTEGRATION: '1' });
  pane.keys('Enter');
  await pane.see('* required');
  pane.type('abc');
  await pane.see('│ abc');
});
