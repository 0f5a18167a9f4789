// The demo says what is true, with and without a terminal, and what it says to type next works.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MCPX } from '../support/gateway.ts';
import { ROOT, runNode, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane } from '../support/tmux.ts';
import { mcpxLine } from '../support/tui-pane.ts';
import { until } from '../support/until.ts';

/** The commands that stand alone on indented lines. */
const commands = (text: string): string[] =>
  [...text.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line ?? '');

test('without a terminal a script answers, and the commands to type next work', async () => {
  const scope = testScope();
  const { code, stdout, stderr } = await runNode(scope, [MCPX, 'demo'], { cwd: ROOT });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^bakery +asks: What kind of cake would you like\?$/m);
  expect(stdout).toMatch(/^script +answers in place of a person, as nobody can be asked here: \{/m);
  expect(stdout).toMatch(/^host +gets the result: ordered \{"flavour":"lemon"/m);
  const [serve = '', inbox = '', ...others] = commands(stdout);
  expect({ serve, inbox, others }).toEqual({
    serve: 'node bin/mcpx.js serve -- npx -y @modelcontextprotocol/server-everything',
    inbox: 'node bin/mcpx.js tui',
    others: [],
  });
  const env = { MCPX_STATE_DIR: join(scope.dir(), 'state'), MCPX_PORT: '0' };
  const gateway = startNode(scope, serve.split(' ').slice(1), { cwd: ROOT, env });
  await until('the gateway', () => gateway.stderr().includes('mcpx accepts calls'), 20_000);
  if (!hasTmux()) return;
  const pane = openPane(scope, `cd '${ROOT}'; ${inbox}`, { env });
  await pane.see('0 open');
});

test('elsewhere the commands name the file with its whole path', async () => {
  const scope = testScope();
  const { stdout } = await runNode(scope, [MCPX, 'demo'], { cwd: scope.dir() });
  expect(commands(stdout)).toContain(`node ${MCPX} tui`);
});

describe.skipIf(!hasTmux())('on a terminal', () => {
  test('a person is asked, and Ctrl+C ends the demo', async () => {
    const scope = testScope();
    const pane = openPane(scope, mcpxLine('demo'), { columns: 130 });
    await pane.see('What do you want to do?');
    pane.keys('C-c');
    const left = await pane.see('[exit 130]');
    expect(left).not.toContain('in place of a person');
  });
});
