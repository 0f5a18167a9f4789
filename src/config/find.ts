// Finds and reads the configuration file.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { McpxError, messageOf } from '../errors.ts';
import { configCandidates, type Places } from './paths.ts';

export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/**
 * The file named by `--config` or `MCPX_CONFIG`, or the first that is found (docs/configuration.md); `undefined`
 * when none is. Throws a McpxError `config` for a named file that is not there, and for one that cannot be read.
 */
export function findConfig(flag: string | undefined, places: Places): ConfigFile | undefined {
  const named = flag ? { path: flag, by: '--config' } : byEnvironment(places);
  if (named !== undefined) {
    const path = resolve(places.cwd, named.path);
    if (isFile(path)) return read(path);
    throw new McpxError(
      'config',
      existsSync(path)
        ? `${named.by} names ${path}, which is not a file.`
        : `No such file: ${path} (named by ${named.by}).`,
      `Write the file, or leave ${named.by} out to use the nearest mcpx.json.`,
    );
  }
  const path = configCandidates(places).find(isFile);
  return path === undefined ? undefined : read(path);
}

function byEnvironment({ env }: Places): { path: string; by: string } | undefined {
  const path = env['MCPX_CONFIG'];
  return path ? { path, by: 'MCPX_CONFIG' } : undefined;
}

function isFile(path: string): boolean {
  // A named pipe is a file to `--config <(…)`; only a folder is not.
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && !facts.isDirectory();
}

function read(path: string): ConfigFile {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new McpxError(
      'config',
      `The configuration file ${path} cannot be read: ${messageOf(error)}.`,
      'Make it readable for the user that runs mcpx.',
      { cause: error },
    );
  }
}
