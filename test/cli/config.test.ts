// `mcpx config`: every value with its source, for people and for scripts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { type FakeEdgeOptions, fakeEdge } from '../support/fake-edge.ts';
import { testScope } from '../support/scope.ts';

const FILE = {
  mcpServers: { one: { command: 'x', env: { TOKEN: 'hunter2' } } },
  serve: { port: 81 },
};

async function config(words: readonly string[] = [], options: FakeEdgeOptions = {}, file: unknown = FILE) {
  const dir = testScope().dir();
  writeFileSync(join(dir, 'mcpx.json'), JSON.stringify(file));
  const edge = fakeEdge({ cwd: dir, home: dir, ...options });
  const code = await main(['config', ...words], edge);
  return { code, out: edge.out(), err: edge.err(), file: join(dir, 'mcpx.json') };
}

test('is a line a value', async () => {
  const { code, out, err, file } = await config();
  expect({ code, err }).toEqual({ code: 0, err: `Configuration file: ${file}\n` });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(lines).toContainEqual(['serve.port', '81', `${file}:1`]);
  expect(lines).toContainEqual(['elicit.ttl', '10m', 'default']);
  expect(lines).toContainEqual(['mcpServers.one.env.TOKEN', '…', `${file}:1`]);
  expect(out).not.toContain('hunter2');
});

test('is one JSON value with --json', async () => {
  const { code, out, err, file } = await config(['--json'], { env: { MCPX_PORT: '82', FORCE_COLOR: '1' } });
  expect({ code, err: err.includes('{'), lines: out.split('\n').length }).toEqual({
    code: 0,
    err: false,
    lines: 2,
  });
  const { values, ...rest } = JSON.parse(out);
  expect(rest).toEqual({ file });
  expect(values['serve.port']).toEqual({ value: 82, source: 'environment', at: 'MCPX_PORT' });
  expect(values['serve.naming']).toEqual({ value: 'auto', source: 'default' });
  expect(values['mcpServers.one.command']).toEqual({ value: 'x', source: 'config', at: `${file}:1` });
  expect(out).not.toContain('hunter2');
});

test('colours only the source, and only when asked', async () => {
  expect((await config(['--color', 'always'])).out).toContain('\u001b[2mdefault\u001b[22m');
  expect((await config(['--color', 'always', '--no-color'])).out).not.toContain('\u001b');
  expect((await config([], { isTTY: true })).out).toContain('\u001b[2m');
  expect((await config([], { isTTY: true, env: { NO_COLOR: '1' } })).out).not.toContain('\u001b');
});

test('says what is wrong with the file', async () => {
  const { code, out, err, file } = await config([], {}, { mcpServers: { one: { comand: 'x' } } });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toBe(
    `mcpx: ${file}:1: mcpServers.one.comand is not a known key; did you mean "command"?\nhint: Fix it and run "mcpx config" to check.\n`,
  );
});

test('prints nothing of a file raw', async () => {
  const { out } = await config(
    [],
    {},
    { mcpServers: { one: { command: '\u001b[31mx\u202e', env: { '\u001b[2J': '1' } } } },
  );
  expect(out).not.toMatch(/[\u001b\u202e]/);
});

test('without a file shows the defaults', async () => {
  const { code, out, err } = await config([], { cwd: '/nowhere', home: '/nowhere' });
  expect({ code, err }).toEqual({ code: 0, err: 'There is no configuration file.\n' });
  expect(out).toContain('serve.port');
});
