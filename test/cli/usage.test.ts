// Command lines that are wrong, help, and the options that every command takes, in this process.
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { type FakeEdgeOptions, fakeEdge } from '../support/fake-edge.ts';

async function run(words: string, options: FakeEdgeOptions = {}) {
  const edge = fakeEdge(options);
  const code = await main(words.split(' ').filter(Boolean), edge);
  return { code, out: edge.out(), err: edge.err() };
}

const READ = 'Run "mcpx --help" to see how it is used.';

test.each([
  ['', 'A command is missing.', READ],
  ['confg', "Unknown command 'confg'.", `Did you mean config? ${READ}`],
  ['nonsense', "Unknown command 'nonsense'.", READ],
  ['--jsom config', "Unknown option '--jsom'.", `Did you mean --json? `],
  ['config --nope', "Unknown option '--nope'.", 'Run "mcpx config --help" to see how it is used.'],
  ['config extra', 'Too many arguments for', 'Run "mcpx config --help" to see how it is used.'],
  ['--color pink config', "Option '--color <when>' argument 'pink' is invalid.", READ],
  ['config --config', "Option '--config <file>' argument missing.", READ],
  ['completion', "Missing required argument 'shell'.", 'Run "mcpx completion --help" to see how it is used.'],
  ['completion tcsh', "Command-argument value 'tcsh' is invalid", 'Run "mcpx completion --help"'],
  ['help nope', 'There is no command or topic "nope".', 'topics are exit-codes and environment.'],
])('mcpx %s is a usage error', async (words, message, hint) => {
  const plain = await run(words);
  expect(plain).toMatchObject({ code: 2, out: '' });
  expect(plain.err).toContain(`mcpx: ${message}`);
  expect(plain.err).toContain(hint);
  const json = await run(`--json ${words}`.trim());
  expect(json).toMatchObject({ code: 2, out: '' });
  expect(json.err.split('\n')).toHaveLength(2);
  const { error } = JSON.parse(json.err);
  expect(error.code).toBe('usage');
  expect(error.message).toContain(message);
});

test('a missing command shows the help as well, on stderr', async () => {
  const { err } = await run('');
  expect(err).toContain('Usage: mcpx [options] [command]');
});

describe('help', () => {
  test.each([
    ['--help', 'Usage: mcpx [options] [command]'],
    ['help', 'Usage: mcpx [options] [command]'],
    ['config --help', 'Usage: mcpx config'],
    ['help config', 'Usage: mcpx config'],
    ['help help', 'Usage: mcpx help'],
    ['help exit-codes', '124  timed out'],
    ['help environment', 'MCPX_STATE_DIR'],
    ['--version', '0.'],
    ['-V', '0.'],
  ])('mcpx %s', async (words, text) => {
    const { code, out, err } = await run(words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(text);
  });

  test('every exit code has a line in the topic', async () => {
    const { EXIT_CODES } = await import('../../src/errors.ts');
    const { out } = await run('help exit-codes');
    const told = [...out.matchAll(/^ +(\d+) {2}/gm)].map(([, digits]) => Number(digits));
    expect(new Set(told)).toEqual(new Set([0, ...Object.values(EXIT_CODES), 129, 143]));
  });

  test('every command shows the options that all take', async () => {
    const { out } = await run('config --help');
    for (const flag of [
      '--json',
      '--quiet',
      '--no-input',
      '--color',
      '--no-color',
      '--config',
      '--state-dir',
    ]) {
      expect(out).toContain(flag);
    }
  });
});

test.each(['--json config', 'config --json'])(
  'mcpx %s: the option before or after the name',
  async (words) => {
    const { code, out } = await run(words);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toHaveProperty('values');
  },
);
