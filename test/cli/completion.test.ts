// Completion scripts: what they offer, and that shells accept them.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { bashScript } from '../../src/cli/completion/bash.ts';
import { fishScript } from '../../src/cli/completion/fish.ts';
import { completionTree } from '../../src/cli/completion/tree.ts';
import { zshScript } from '../../src/cli/completion/zsh.ts';
import { addGlobals } from '../../src/cli/globals.ts';
import { main } from '../../src/cli/main.ts';
import { fakeEdge } from '../support/fake-edge.ts';
import { testScope } from '../support/scope.ts';

function tree() {
  const program = new Command('mcpx').helpCommand(false);
  addGlobals(program);
  const elicit = new Command('elicit').helpCommand(false).description("a server's questions: all");
  elicit.addCommand(new Command('show').argument('<id>'));
  elicit.addCommand(
    new Command('list').addOption(new Option('--state <state>').choices(['pending', 'expired'])),
  );
  program.addCommand(elicit);
  program.addCommand(new Command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh'])));
  program.addCommand(new Command('secret'), { hidden: true });
  return completionTree(program);
}

test('the tree has every visible command, and knows which take ids', () => {
  const { nodes, values } = tree();
  expect(nodes.map(({ path, takesId }) => [path, takesId])).toEqual([
    ['', false],
    ['elicit', false],
    ['elicit show', true],
    ['elicit list', false],
    ['completion', false],
  ]);
  expect(nodes[3]?.options.map(({ word }) => word)).toEqual(
    expect.arrayContaining(['--state', '--json', '-q', '--help']),
  );
  expect(values).toContainEqual({ option: '--state', choices: ['pending', 'expired'], asks: false });
  expect(values).toContainEqual({ option: '--config', choices: [], asks: false });
});

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe.skipIf(!hasShell('bash'))('bash', () => {
  /** What is offered for the last of these words. */
  function offered(...words: string[]): string[] {
    const scope = testScope();
    const dir = scope.dir();
    writeFileSync(join(dir, 'script'), bashScript(tree()));
    // mcpx itself is played by a function that knows two ids.
    const play = `
      mcpx() { [[ "$*" == 'completion bash --offer=elicit --offer=show '* ]] && printf '%s\\n' elc-1 elc-2; }
      source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mcpx
      (( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"; true`;
    const done = spawnSync('bash', ['-c', play, join(dir, 'script'), ...words], { encoding: 'utf8' });
    expect(done.stderr).toBe('');
    return done.stdout.split('\n').filter(Boolean);
  }

  test.each<[string[], string[]]>([
    [
      ['mcpx', ''],
      ['elicit', 'completion'],
    ],
    [['mcpx', 'el'], ['elicit']],
    [
      ['mcpx', 'elicit', ''],
      ['show', 'list'],
    ],
    [['mcpx', '--json', 'elicit', 'l'], ['list']],
    [
      ['mcpx', 'elicit', 'show', ''],
      ['elc-1', 'elc-2'],
    ],
    [['mcpx', 'elicit', 'show', 'elc-2'], ['elc-2']],
    [['mcpx', 'elicit', 'list', ''], []],
    [
      ['mcpx', 'elicit', 'list', '--st'],
      ['--state', '--state-dir'],
    ],
    [['mcpx', 'elicit', 'list', '--state', 'p'], ['pending']],
    [
      ['mcpx', '--color', ''],
      ['auto', 'always', 'never'],
    ],
    [['mcpx', '--config', 'el'], []],
    [
      ['mcpx', 'completion', ''],
      ['bash', 'zsh'],
    ],
    [['mcpx', 'elicit', '--', ''], []],
  ])('%j offers %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});

describe.skipIf(!hasShell('zsh'))('zsh', () => {
  test('accepts the script', () => {
    const done = spawnSync('zsh', ['-n'], { input: zshScript(tree()), encoding: 'utf8' });
    expect(done).toMatchObject({ status: 0, stderr: '' });
  });
});

describe.skipIf(!hasShell('fish'))('fish', () => {
  test('accepts the script', () => {
    const file = join(testScope().dir(), 'script');
    writeFileSync(file, fishScript(tree()));
    const done = spawnSync('fish', ['-n', file], { encoding: 'utf8' });
    expect(done).toMatchObject({ status: 0, stderr: '' });
  });
});

test('descriptions cannot leave their quotes', () => {
  expect(zshScript(tree())).toContain("'elicit:a server'\\''s questions: all'");
  expect(fishScript(tree())).toContain("-a elicit -d 'a server\\'s questions: all'");
});

test.each(['bash', 'zsh', 'fish'])(
  'mcpx completion %s prints a script for the real commands',
  async (shell) => {
    const edge = fakeEdge();
    expect(await main(['completion', shell], edge)).toBe(0);
    expect(edge.out()).toContain('completion');
    expect(edge.out()).toContain('no-input');
    const json = fakeEdge();
    expect(await main(['completion', shell, '--json'], json)).toBe(0);
    expect(JSON.parse(json.out())).toEqual({ shell, script: edge.out() });
  },
);
