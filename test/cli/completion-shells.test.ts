// Completion as people get it: a real shell on a terminal, the real mcpx, Tab.
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeEdge } from '../support/fake-edge.ts';
import { MCPX } from '../support/gateway.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane, quoted } from '../support/tmux.ts';
import { until } from '../support/until.ts';
import { bench } from './elicit/run.ts';

const FIELDS = {
  repo: { type: 'string' },
  kind: { enum: ['bug', 'idea'] },
  tags: { type: 'array', items: { enum: ['a', 'b'] } },
  sure: { type: 'boolean' },
  apiKey: { type: 'string' },
  'two words': { type: 'string' },
  '$(touch pwned)': { type: 'string' },
  'x\u001b[2J': { type: 'string' },
};

/** What mcpx offers at the end of these words, on a store with these questions. */
async function offers(): Promise<{
  at(...words: string[]): Promise<string[]>;
  form: string;
  url: string;
  accepted: string;
  stateDir: string;
}> {
  const { ask, askUrl, broker, run, stateDir } = await bench({ servers: ['github', 'linear'] });
  const form = await ask(FIELDS);
  const url = await askUrl('https://example.com/');
  const accepted = await askUrl('https://example.com/2');
  await broker.answer(accepted.id, { action: 'accept', by: 'cli' });
  return {
    at: async (...words) => {
      const { code, stdout, stderr } = await run([
        'completion',
        'bash',
        ...words.map((word) => `--offer=${word}`),
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout.split('\n').filter(Boolean);
    },
    form: form.id,
    url: url.id,
    accepted: accepted.id,
    stateDir,
  };
}

test('ids, once, of questions that the command can be used on', async () => {
  const { at, form, url, accepted } = await offers();
  for (const command of ['show', 'answer', 'accept', 'decline', 'cancel'])
    expect((await at('elicit', command, '')).toSorted(), command).toEqual([form, url].toSorted());
  expect(await at('elicit', 'done', '')).toEqual([accepted]);
  expect(await at('elicit', 'rules', 'test', '')).toHaveLength(2);
  expect(await at('elicit', 'show', form, '')).toEqual([]);
  expect(await at('--json', 'elicit', 'show', '--color', 'never', '')).toHaveLength(2);
});

test('servers by name', async () => {
  const { at } = await offers();
  for (const words of [['--server', ''], ['--server=gi'], ['--json', '--server', 'x']])
    expect(await at('elicit', 'list', ...words), words.join(' ')).toEqual(['github', 'linear']);
});

test('fields of the question, those without a value yet, and then their choices', async () => {
  const { at, form, url } = await offers();
  const names = ['repo=', 'kind=', 'tags=', 'sure=', 'apiKey=@-', 'two words=', '$(touch pwned)='];
  const accept = ['elicit', 'accept', form];
  expect(await at(...accept, '-F', '')).toEqual(names);
  expect(await at(...accept, '--field=re')).toEqual(names);
  expect(await at(...accept, '-F', 'repo=x', '-F', 'tags=a', '--field', '')).toEqual(names.slice(1));
  expect(await at(...accept, '-F', 'kind=')).toEqual(['kind=bug', 'kind=idea']);
  expect(await at(...accept, '-F', 'tags=a', '-F', 'tags=')).toEqual(['tags=b']);
  expect(await at(...accept, '-F', 'sure=t')).toEqual(['sure=true', 'sure=false']);
  expect(await at(...accept, '-F', 'repo=')).toEqual([]);
  expect(await at('elicit', 'accept', '-F', '')).toEqual([]);
  expect(await at('elicit', 'accept', url, '-F', '')).toEqual([]);
  expect(await at('elicit', 'accept', 'elc-nothing', '-F', '')).toEqual([]);
});

test('the line says where the questions are', async () => {
  const one = await offers();
  const two = await offers();
  expect(await one.at('--state-dir', two.stateDir, 'elicit', 'show', '')).toContain(two.form);
  expect(await one.at('elicit', 'list', '--state-dir', '/dev/null/x', '--server', '')).toEqual([]);
});

test('two shells at once are a usage error', async () => {
  const edge = fakeEdge();
  expect(await main(['completion', 'bash', 'zsh'], edge)).toBe(2);
});

/** Each shell with nothing of the user's own, a prompt that can be waited for, and the completion of mcpx. */
const SHELLS = {
  bash: { start: 'bash --noprofile --rcfile rc -i', rc: "PS1='ready> '; source <(mcpx completion bash)" },
  zsh: {
    start: 'cp rc .zshrc; ZDOTDIR=$PWD zsh -d -i',
    rc: "PS1='ready> '; autoload -Uz compinit; compinit -D -u; source <(mcpx completion zsh)",
  },
  fish: {
    start: 'fish --no-config -i -C "source rc"',
    rc: "function fish_prompt; echo 'ready> '; end; mcpx completion fish | source",
  },
} as const;
const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe.each(['bash', 'zsh', 'fish'] as const)('%s at a terminal', (shell) => {
  test.skipIf(!hasTmux() || !has(shell))(
    'Tab completes ids, fields, choices, servers, states and topics',
    async () => {
      const { stateDir, ask } = await bench({ servers: ['github', 'linear'] });
      const row = await ask(FIELDS);
      const scope = testScope();
      const dir = scope.dir();
      writeFileSync(join(dir, 'mcpx'), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(MCPX)} "$@"\n`);
      chmodSync(join(dir, 'mcpx'), 0o755);
      const env = {
        PATH: `${dir}:${process.env['PATH']}`,
        MCPX_STATE_DIR: stateDir,
        HOME: dir,
        TERM: 'screen',
      };
      writeFileSync(join(dir, 'rc'), `${SHELLS[shell].rc}\n`);
      const pane = openPane(scope, `cd ${quoted(dir)}; ${SHELLS[shell].start}`, { env, columns: 160 });
      await pane.see('ready> ');
      for (const [typed, completed] of [
        ['mcpx elicit show elc-', `mcpx elicit show ${row.id}`],
        ['mcpx elicit list --server gi', '--server github'],
        ['mcpx elicit list --server=li', '--server=linear'],
        ['mcpx elicit list --state pend', '--state pending'],
        [`mcpx elicit accept ${row.id} -F rep`, '-F repo='],
        [`mcpx elicit accept ${row.id} -F kind=b`, '-F kind=bug'],
        ['mcpx help exit', 'help exit-codes'],
        ['mcpx help elicit li', 'help elicit list'],
      ] as const) {
        pane.type(typed);
        pane.keys('Tab');
        await pane.see(completed);
        pane.keys('C-u');
        await until('an empty line', () => !pane.screen().includes(completed));
      }
    },
  );
});
