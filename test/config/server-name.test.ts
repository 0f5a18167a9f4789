// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the file are written like this
// The server that stands after `--`, and the name it gets.
import { expect, test } from 'vitest';
import { nameOfCommand, nameProblem } from '../../src/config/server-name.ts';
import { testScope } from '../support/scope.ts';
import { folder, SERVERS } from './support.ts';

test.each([
  ['npx -y @scope/server-foo@1.2', 'server-foo'],
  ['npx -y server-foo@latest --verbose', 'server-foo'],
  ['npx @scope/foo', 'foo'],
  ['pnpm dlx @scope/foo', 'foo'],
  ['npm exec -- foo', 'foo'],
  ['uvx mcp-server-git==1.0', 'mcp-server-git'],
  ['uvx mcp-server[extra]', 'mcp-server'],
  ['node ./dist/weather.js', 'weather'],
  ['/usr/bin/node --enable-source-maps weather.mjs', 'weather'],
  ['C:\\tools\\node.exe weather.cjs', 'weather'],
  ['python -m mcp_server_time', 'mcp_server_time'],
  ['./my-server', 'my-server'],
  ['/opt/My Server/run.sh', 'run'],
  ['docker run -i image', 'docker'],
  ['node', 'node'],
  ['npx -y', 'npx'],
  ['a__b', 'a_b'],
  ['___', 'server'],
  ['日本', 'server'],
])('%s is called %s', (line, name) => {
  const words = line.includes('My Server') ? [line] : line.split(' ');
  expect(nameOfCommand(words)).toBe(name);
  expect(nameProblem(name)).toBeUndefined();
});

test('a very long word makes a name that is not too long', () => {
  expect(nameProblem(nameOfCommand([`${'a_'.repeat(40)}b`]))).toBeUndefined();
});

test('one server, and no file is read', () => {
  const here = folder(testScope(), { mcpServers: SERVERS, serve: { port: 81 } });
  const loaded = here.load({ command: ['npx', '-y', 'foo', '--', '${X}'], env: { MCPX_CONFIG: 'nope' } });
  expect(loaded.file).toBeUndefined();
  expect(loaded.settings.servers).toMatchObject([
    { name: 'foo', transport: 'stdio', command: 'npx', args: ['-y', 'foo', '--', '${X}'], cwd: here.path },
  ]);
  expect(loaded.settings.serve.port).toBe(7331);
  const source = (key: string) => loaded.shown.find((one) => one.key === key)?.source;
  expect(source('mcpServers.foo.command')).toEqual({ from: 'flag', at: '--' });
  expect(source('mcpServers.foo.era')).toEqual({ from: 'default' });
});
