// The effective settings: finds the file, reads it, lays flags and environment over it, checks the whole.

import { resolve } from 'node:path';
import type { z } from 'zod';
import { McpxError } from '../errors.ts';
import { type Document, readDocument } from './document.ts';
import { findConfig } from './find.ts';
import { type Flags, type Layers, layer } from './layers.ts';
import { configBase, type Places, stateDirWithSource } from './paths.ts';
import { isObject, type Problem, pathText, problemsOf, valueAt } from './problem.ts';
import { file as fileSchema, type RawServer } from './schema.ts';
import { serverSecrets } from './secrets.ts';
import { nameProblem } from './server-name.ts';
import { showSettings } from './show.ts';
import type { Loaded, ServerConfig, Source } from './types.ts';

export interface LoadInput extends Places {
  readonly flags: Flags;
  /** The words after `--`: one upstream, and no file is read. */
  readonly command?: readonly string[] | undefined;
  /** Without a file: no servers and the defaults, where otherwise it is an error. */
  readonly fileOptional?: boolean;
}

interface File {
  readonly path: string;
  readonly document: Document;
}

const ENTRY = '"name": {"command": "npx", "args": ["-y", "some-server"]}';
const EXAMPLE = `"mcpServers": {${ENTRY}}`;

/**
 * Loads the settings (docs/configuration.md): flag over environment over file over default.
 *
 * Throws a McpxError `config` (or `usage` for a flag), exit 2, with one sentence that names the file and line, the
 * path of the key and what to do; further problems stand in the hint.
 */
export function loadSettings(input: LoadInput): Loaded {
  const { flags, env, cwd, command } = input;
  const source = command === undefined ? findConfig(flags.config, input) : withoutFile(command, flags);
  if (source === undefined && command === undefined && input.fileOptional !== true) throw noFile();
  const file = source && { path: source.path, document: readDocument(source.text, env) };
  const layers = layer({ flags, env, file, command });
  const state = stateDirWithSource(flags.stateDir, input);
  const { elicit, serve, limits, mcpServers } = check(layers, file);
  const servers = toServers(mcpServers, {
    base: file === undefined ? cwd : configBase(file.path),
    cwd,
    callTimeout: serve.callTimeout,
  }).map((server) => {
    const secrets = serverSecrets(valueAt(layers.written, ['mcpServers', server.name]), env);
    return secrets.length === 0 ? server : { ...server, secrets };
  });
  return {
    settings: { servers, elicit, serve, limits, stateDir: state.path },
    file: file?.path,
    shown: showSettings({ layers, servers, state }),
  };
}

function withoutFile(command: readonly string[], flags: Flags): undefined {
  if (flags.config !== undefined) {
    throw new McpxError(
      'usage',
      '--config and a command after "--" cannot be used together.',
      'Put the command into the file as a server, or leave --config out.',
    );
  }
  if (!command[0]?.trim()) {
    throw new McpxError(
      'usage',
      'There is no command after "--".',
      'Name the program of the server, such as: mcpx serve -- npx -y some-server',
    );
  }
  return undefined;
}

function noFile(): McpxError {
  return new McpxError(
    'config',
    'There is no mcpx.json here, in a folder above, or in the configuration folder of mcpx.',
    `Write an mcpx.json with {${EXAMPLE}}, name a file with --config, or give one server after "--": mcpx serve -- npx -y some-server`,
  );
}

/** The checked settings, or a throw that tells all that is wrong. */
function check(layers: Layers, file: File | undefined): z.output<typeof fileSchema> {
  const problems = [...(file?.document.problems ?? [])];
  // A file that is not JSON, or holds no object, has nothing else to say.
  const isJson = file?.document.written !== undefined;
  const content = file === undefined || isObject(file.document.value) ? layers.value : file.document.value;
  if (isJson && content === layers.value) problems.push(...serverProblems(layers));
  if (file === undefined || isJson) {
    const parsed = fileSchema.safeParse(content);
    if (parsed.success && problems.length === 0) return parsed.data;
    problems.push(
      ...problemsOf(parsed.error?.issues ?? [], file && !isObject(content) ? content : layers.written),
    );
  }
  throw toError(problems, layers, file);
}

function serverProblems(layers: Layers): Problem[] {
  const servers = layers.value['mcpServers'];
  if (servers === undefined) return [{ path: ['mcpServers'], clause: `is missing; add ${EXAMPLE}` }];
  if (!isObject(servers)) return [];
  const names = Object.keys(servers);
  if (names.length === 0) {
    return [{ path: ['mcpServers'], clause: `has no server; add one, such as ${ENTRY}` }];
  }
  return names.flatMap((name) => {
    const clause = nameProblem(name);
    return clause === undefined ? [] : [{ path: ['mcpServers', name], clause }];
  });
}

function toError(problems: readonly Problem[], layers: Layers, file: File | undefined): McpxError {
  const told = new Map<string, { offset: number; sentence: string; source: Source }>();
  for (const { path, clause } of problems.filter((one) => !one.yields || isInnermost(one, problems))) {
    const key = pathText(path);
    if (told.has(key)) continue;
    const source = layers.sourceOf(path);
    const outside = source.from === 'flag' || source.from === 'environment';
    const { line, offset } = file?.document.positionOf(path) ?? { line: 0, offset: 0 };
    const place = file === undefined ? '' : `${file.path}:${line}: `;
    const subject = outside && source.at !== '--' ? source.at : `${place}${key || 'the file'}`;
    told.set(key, { offset: outside ? -1 : offset, sentence: ended(`${subject} ${clause}`), source });
  }
  const [first, ...rest] = [...told.values()].sort((one, other) => one.offset - other.offset);
  const more = rest.map(({ sentence }) => sentence).join('\n      ');
  const hint = more === '' ? 'Fix it and run "mcpx config" to check.' : `Fix these, too:\n      ${more}`;
  return new McpxError(first?.source.from === 'flag' ? 'usage' : 'config', first?.sentence ?? '', hint);
}

function isInnermost({ path }: Problem, problems: readonly Problem[]): boolean {
  return !problems.some(
    (other) => other.path.length > path.length && path.every((step, index) => other.path[index] === step),
  );
}

function ended(text: string): string {
  return /[?.]$/.test(text) ? text : `${text}.`;
}

/**
 * @param given.base the folder that a written `cwd` starts from.
 * @param given.cwd where a server without `cwd` runs: where mcpx does, as under other hosts.
 * @param given.callTimeout milliseconds, for servers that do not say.
 */
export function toServers(
  raw: Readonly<Record<string, RawServer>>,
  given: { readonly base: string; readonly cwd: string; readonly callTimeout: number },
): ServerConfig[] {
  return Object.entries(raw).map(([name, server]) => {
    const common = {
      name,
      era: server.era ?? 'follow',
      isolation: server.isolation,
      callTimeout: server.callTimeout ?? given.callTimeout,
      disabled: server.disabled ?? false,
    };
    if (server.url !== undefined) {
      return { ...common, transport: 'http', url: server.url, headers: server.headers ?? {} };
    }
    return {
      ...common,
      transport: 'stdio',
      command: server.command ?? '',
      args: server.args ?? [],
      env: server.env ?? {},
      cwd: server.cwd === undefined ? given.cwd : resolve(given.base, server.cwd),
    };
  });
}
