// Finds out before anything is started that a server's program is not there.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import { McpxError } from '../errors.ts';
import type { Env } from './paths.ts';
import type { Loaded, ServerConfig } from './types.ts';

type StdioServer = Extract<ServerConfig, { transport: 'stdio' }>;

/**
 * What is wrong with the enabled stdio servers whose folder or program does not exist, by name: the program on the PATH
 * that the server gets, or, written with a slash, from its folder. Throws the first McpxError `config` of them where no
 * server is left that could be started.
 */
export async function checkCommands(
  loaded: Loaded,
  env: Env,
  platform: NodeJS.Platform,
): Promise<ReadonlyMap<string, McpxError>> {
  const problems = new Map<string, McpxError>();
  const enabled = loaded.settings.servers.filter(({ disabled }) => !disabled);
  for (const server of enabled) {
    if (server.transport !== 'stdio') continue;
    const clause = await commandProblem(server, env, platform);
    if (clause === undefined) continue;
    // A server without a file is the one after `--`.
    const { file } = loaded;
    const where =
      file === undefined ? 'The command after "--"' : `${file}: mcpServers.${server.name}.${clause.key}`;
    problems.set(server.name, new McpxError('config', `${where} names ${clause.text}.`, clause.fix));
  }
  const [first] = problems.values();
  if (first !== undefined && problems.size === enabled.length) throw first;
  return problems;
}

interface Clause {
  readonly key: 'command' | 'cwd';
  readonly text: string;
  readonly fix: string;
}

async function commandProblem(
  { command, cwd, env: own }: StdioServer,
  env: Env,
  platform: NodeJS.Platform,
): Promise<Clause | undefined> {
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    return {
      key: 'cwd',
      text: `the folder ${cwd}, which does not exist`,
      fix: 'Make the folder, or correct the path.',
    };
  }
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const search = { ...env, ...own };
  const folders = isPath ? [''] : (search['PATH'] ?? search['Path'] ?? '').split(delimiter);
  let found: string | undefined;
  for (const one of folders) {
    for (const extension of extensions(search, platform)) {
      const path = resolve(cwd, one, command + extension);
      const facts = await stat(path).catch(() => undefined);
      if (!facts?.isFile()) continue;
      if (await canRun(path)) return undefined;
      found ??= path;
    }
  }
  if (found !== undefined) {
    const text = `the program ${found}, which may not be run`;
    return { key: 'command', text, fix: `Make it executable: chmod +x ${found}` };
  }
  if (isPath) {
    const text = `the program ${resolve(cwd, command)}, which does not exist`;
    return { key: 'command', text, fix: 'Correct the path, or build or install the program.' };
  }
  const text = `the program ${command}, which is not on PATH`;
  return { key: 'command', text, fix: 'Install it, or write its full path.' };
}

function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function extensions(env: Env, platform: NodeJS.Platform): string[] {
  if (platform !== 'win32') return [''];
  return ['', ...(env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')];
}
