// `--server` with a name that nothing knows is refused at once, and one that something knows never is.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { install } from '../../support/gateway.ts';
import { ROOT } from '../../support/processes.ts';
import { testScope } from '../../support/scope.ts';
import { bench } from './run.ts';

const COMMANDS = [['list'], ['wait', '--timeout', '1ms'], ['watch']];

describe.each(COMMANDS)('elicit %s', (name, ...flags) => {
  const command = ['elicit', name, ...flags, '--server'];

  test('refuses what no gateway, question or configuration knows, and says what was meant', async () => {
    const { run } = await bench({ servers: ['github', 'linear'] });
    const { code, stdout, stderr } = await run([...command, 'gitub']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('There is no server "gitub".');
    expect(stderr).toContain('Did you mean "github"? The servers are: github, linear.');
    expect((await run([...command, 'xyz'])).stderr).not.toContain('Did you mean');
    expect((await run([...command, 'x\u001b[2J\u202e'])).stderr).not.toMatch(/\u001b|\u202e/);
  });
});

test('a server of the configuration is known, and so is one of an old question', async () => {
  const at = await bench({ servers: ['github'] });
  writeFileSync(join(at.stateDir, 'mcpx.json'), '{"mcpServers":{"notes":{"command":"node"}}}');
  const row = await at.ask({}, { server: 'gone' });
  await at.broker.answer(row.id, { action: 'decline', by: 'rest' });
  for (const server of ['github', 'notes', 'gone'])
    expect(await at.run(['elicit', 'list', '--server', server]), server).toMatchObject({ code: 0 });
  expect((await at.run(['elicit', 'list', '--server', 'note'])).stderr).toContain('Did you mean "notes"?');
});

test('where nothing tells which servers there are, any name is taken', async () => {
  const silent = await bench();
  expect(await silent.run(['elicit', 'list', '--server', 'any'])).toMatchObject({ code: 0 });
  const broken = await bench({ servers: ['github'] });
  writeFileSync(join(broken.stateDir, 'mcpx.json'), '{');
  expect(await broken.run(['elicit', 'list', '--server', 'any'])).toMatchObject({ code: 0 });
  const empty = await bench({ servers: [] });
  await empty.broker.close();
  expect(await empty.run(['elicit', 'list', '--server', 'any'])).toMatchObject({ code: 0 });
  expect(await empty.run(['elicit', 'wait', '--timeout', '1ms', '--server', 'any'])).toMatchObject({
    code: 124,
  });
});

test('a gateway before one command is known by the name of that command, at its store and at its address', async () => {
  const scope = testScope();
  const at = install(scope, { servers: { other: { command: process.execPath } } });
  const elsewhere = { ...at.env, MCPX_CONFIG: '' };
  const running = at.start(
    ['serve', '--port', '0', '--json', '--', process.execPath, join(ROOT, 'fixtures', 'upstream.mjs')],
    elsewhere,
  );
  const { url } = JSON.parse(await running.line((line) => line.startsWith('{'))) as { url: string };
  const env = { MCPX_TOKEN: readFileSync(join(at.stateDir, 'token'), 'utf8') };
  for (const where of [[], ['--url', url]]) {
    const wait = ['elicit', 'wait', '--timeout', '1ms', ...where, '--server'];
    expect(await at.mcpx([...wait, 'upstream'], { env }), where.join()).toMatchObject({ code: 124 });
    expect(await at.mcpx([...wait, 'upsteam'], { env }), where.join()).toMatchObject({ code: 2 });
  }
});
