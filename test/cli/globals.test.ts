// The options that every command takes, as a command sees them.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addGlobals, type Globals, readGlobals } from '../../src/cli/globals.ts';

function parse(words: string, env: Record<string, string> = {}): { globals: Globals; own: unknown } {
  let seen: { globals: Globals; own: unknown } | undefined;
  const program = new Command('mcpx');
  addGlobals(program);
  const family = new Command('elicit');
  family.addCommand(
    new Command('accept')
      .argument('[id]')
      .option('--input <file>')
      .action((_id: unknown, options: unknown, command: Command) => {
        seen = { globals: readGlobals(command, env), own: options };
      }),
  );
  program.addCommand(family);
  program.parse(words.split(' '), { from: 'user' });
  if (seen === undefined) throw new Error('the command did not run');
  return seen;
}

const NONE: Globals = {
  json: false,
  quiet: false,
  noInput: false,
  color: undefined,
  stateDir: undefined,
  config: undefined,
  url: undefined,
};

test.each<[string, Partial<Globals>]>([
  ['elicit accept', {}],
  ['--json elicit accept', { json: true }],
  ['elicit --json accept', { json: true }],
  ['elicit accept x --json', { json: true }],
  ['elicit accept -q', { quiet: true }],
  ['elicit accept --no-input', { noInput: true }],
  ['elicit accept --color always', { color: 'always' }],
  ['elicit accept --color=never', { color: 'never' }],
  ['--no-color elicit accept', { color: 'never' }],
  ['elicit accept --state-dir /s --config c.json', { stateDir: '/s', config: 'c.json' }],
  ['elicit accept -- --json', {}],
])('mcpx %s', (words, expected) => {
  expect(parse(words).globals).toEqual({ ...NONE, ...expected });
});

test('--no-input and the --input of a command are two options', () => {
  expect(parse('elicit accept --input -')).toEqual({ globals: NONE, own: { input: '-' } });
  expect(parse('elicit accept --no-input --input f')).toEqual({
    globals: { ...NONE, noInput: true },
    own: { input: 'f' },
  });
});

test.each([
  ['1', true],
  ['yes', true],
  ['0', false],
  ['false', false],
  ['', false],
])('MCPX_NO_INPUT=%s', (value, noInput) => {
  expect(parse('elicit accept', { MCPX_NO_INPUT: value }).globals.noInput).toBe(noInput);
});
