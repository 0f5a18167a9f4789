// The README tells the truth: its session runs, its snippets work, its tables agree with the program.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Cli } from '../src/cli/io.ts';
import { buildProgram } from '../src/cli/program.ts';
import { EXIT_CODES } from '../src/errors.ts';
import { serveApi } from './api/support.ts';
import { install, MCPX } from './support/gateway.ts';
import { connectStdioHost } from './support/host-stdio.ts';
import { ROOT, startNode } from './support/processes.ts';
import { testScope } from './support/scope.ts';
import { until } from './support/until.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The fenced blocks of a language. */
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (found) => found[1] ?? '',
  );

/** The rows of the table under a heading, as cells. */
function table(header: string): string[][] {
  const lines = readme.split('\n');
  const start = lines.findIndex((line) => line.startsWith(header));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const code = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? '');

function program(): Command {
  const sink = { write: () => true } as never;
  return buildProgram({} as Cli, { stdout: sink, stderr: sink, json: false });
}

function leaves(command: Command, path: readonly string[] = []): { path: string; command: Command }[] {
  const here = [...path, command.name()];
  if (command.commands.length === 0) return [{ path: here.join(' '), command }];
  return command.commands.flatMap((child) => leaves(child, here));
}

test('the table of commands is the program', () => {
  const named = table('| command').map(([first]) => code(first)[0]);
  const there = leaves(program()).map(({ path }) => path);
  expect(named.toSorted()).toEqual(there.filter((path) => path !== 'mcpx help').toSorted());
});

test('every flag that the table names is a flag of its command', () => {
  const all = leaves(program());
  for (const [first, text] of table('| command')) {
    const path = code(first)[0];
    const found = all.find((leaf) => leaf.path === path)?.command;
    const flags = new Set<string | undefined>();
    for (let at: Command | null | undefined = found; at; at = at.parent)
      for (const option of at.options) flags.add(option.long).add(option.short);
    for (const flag of code(text).flatMap((span) => span.match(/^--?[a-zA-Z][a-z-]*/g) ?? []))
      expect(flags, `${path} ${flag}`).toContain(flag);
  }
});

test('the table of routes is the API', async () => {
  const { ask } = await serveApi();
  const { paths } = JSON.parse((await ask('/openapi.json')).text) as { paths: Record<string, object> };
  const there = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(table('| route').map(([first]) => code(first)[0])).toEqual(there);
});

test("the exit codes are the program's", () => {
  const named = table('| code').map(([first]) => Number(first));
  expect(named).toEqual([...new Set([0, ...Object.values(EXIT_CODES)])].toSorted((a, b) => a - b));
});

test('the environment is the one that `mcpx help environment` tells of', async () => {
  const { stdout } = await install(testScope(), { servers: {} }).mcpx(['help', 'environment']);
  for (const name of table('| environment').flatMap(([first]) => code(first))) expect(stdout).toContain(name);
});

test('the configuration is accepted, and a host starts mcpx with the snippet for hosts', async () => {
  const scope = testScope();
  const installation = install(scope, { servers: {} });
  writeFileSync(installation.configFile, blocks('jsonc')[0] ?? '');
  expect(await installation.mcpx(['config', '--json'])).toMatchObject({ code: 0 });

  const { mcpServers } = JSON.parse(blocks('json')[0] ?? '') as {
    mcpServers: { everything: { command: string; args: string[] } };
  };
  expect(mcpServers.everything.command).toBe('node');
  const running = startNode(scope, mcpServers.everything.args, {
    cwd: ROOT,
    rawStdout: true,
    env: { MCPX_STATE_DIR: installation.stateDir },
  });
  const host = await connectStdioHost(running.child);
  expect(await host.request('tools/list', '{}', 20_000)).toContain('trigger-elicitation-request');
});

/** A port that nothing listens on at this moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('the session runs as it is written', async () => {
  const scope = testScope();
  const dir = scope.dir();
  const port = await freePort();
  const env = { MCPX_STATE_DIR: join(dir, 'state'), MCPX_PORT: String(port) };
  const session = blocks('sh').find((block) => block.includes('mcpx serve')) ?? '';
  const lines = session
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/\s+#.*/, '')
        .replace('7331', String(port))
        .split(' '),
    );
  /** `mcpx` is this checkout's, `node` this node, as the alias above the session has it. */
  const start = ([command, ...args]: string[]) =>
    startNode(scope, command === 'mcpx' ? [MCPX, ...args] : args, { cwd: ROOT, env });
  const [serve = [], host = [], list = [], show = [], accept = []] = lines;
  expect(lines).toHaveLength(5);

  start(serve);
  await until(
    'the gateway',
    () =>
      fetch(`http://127.0.0.1:${port}/mcp`).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  const calling = start(host);
  const listed = await until(
    'the question',
    async () => {
      const running = start(list);
      await running.ended;
      return running.stdout().match(/elc-[0-9a-f]{4}/)?.[0];
    },
    20_000,
  );
  const withId = (words: string[]) => words.map((word) => word.replace('elc-9f2c', listed));
  const shown = start(withId(show));
  expect(await shown.ended).toBe(0);
  expect(shown.stdout()).toContain('Please provide inputs');
  const accepted = start(withId(accept));
  expect(await accepted.ended, accepted.stderr()).toBe(0);
  expect(await calling.ended, calling.stderr()).toBe(0);
  expect(calling.stdout()).toContain('Ada');
}, 60_000);
