// The state directory on the disk: made so that only its owner can read it, or a sentence why it cannot be used.
import { chmodSync, closeSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMcpxError, McpxError, systemError } from '../errors.ts';

const ELSEWHERE = 'choose another directory with --state-dir or MCPX_STATE_DIR';

/**
 * Makes the directory (0700, parents as needed). One that is there already keeps its mode: it may be shared with
 * other things. McpxError `store_readonly` or `config` with a sentence when it cannot be used.
 */
export function prepareStateDir(dir: string): void {
  try {
    makeDirectory(dir);
    if (!statSync(dir).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'EEXIST' });
  } catch (error) {
    throw unusable(dir, error);
  }
}

// Not mkdir's own `recursive`: on a read-only disk it reports ENOENT, and on /proc it never returns.
function makeDirectory(dir: string, parents = true): void {
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || !parents) throw error;
    makeDirectory(dirname(dir), dirname(dir) !== dir);
    makeDirectory(dir, false);
  }
}

export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Makes an empty private file (0600) where there is none, and takes other people's rights from one that is there.
 * SQLite gives its WAL and shared-memory files the mode of the database.
 */
export function preparePrivateFile(dir: string, path: string): void {
  try {
    // A pipe or a device would be opened for ever, and a directory has nothing to do with the one around it.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) throw notAFile(path, found);
    closeSync(openSync(path, 'a', 0o600));
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    throw unusable(dir, error);
  }
}

/** What stands where a file of mcpx should be. McpxError `config`. */
export function notAFile(path: string, facts: Stats): McpxError {
  const kinds: readonly (readonly [boolean, string])[] = [
    [facts.isDirectory(), 'a directory'],
    [facts.isFIFO(), 'a named pipe'],
    [facts.isSocket(), 'a socket'],
  ];
  const [, kind] = kinds.find(([is]) => is) ?? [true, 'a device'];
  return new McpxError('config', `${path} is ${kind}, not a file.`, `Move it away, or ${ELSEWHERE}.`);
}

/** A sentence for what the system says of a state directory, or of `file` in it; a McpxError stays what it is. */
export function unusable(dir: string, cause: unknown, file?: string): McpxError {
  if (isMcpxError(cause)) return cause;
  const crowded = ['EMFILE', 'ENFILE'].includes(errnoOf(cause)) ? systemError(cause) : undefined;
  if (crowded !== undefined) return crowded;
  const code = errnoOf(cause);
  switch (code) {
    case 'EEXIST':
    case 'EISDIR':
      return new McpxError(
        'config',
        `The state directory ${dir} cannot be used: something that is not a directory has that name.`,
        `Move it away, or ${ELSEWHERE}.`,
        { cause },
      );
    case 'ENOTDIR':
      return new McpxError(
        'config',
        `The state directory ${dir} cannot be created: a part of its path is a file.`,
        `Correct the path, or ${ELSEWHERE}.`,
        { cause },
      );
    case 'ENAMETOOLONG':
      return new McpxError(
        'config',
        `The path of the state directory is too long: ${dir.slice(0, 60)}…`,
        `Use a shorter one: ${ELSEWHERE}.`,
        { cause },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new McpxError(
        'store_full',
        `The disk that holds ${dir} is full.`,
        `Free some space, or ${ELSEWHERE}.`,
        { cause },
      );
    case 'ENOENT':
      return new McpxError(
        'config',
        `The state directory ${dir} cannot be created: the directory above it does not exist.`,
        `Create it first, or ${ELSEWHERE}.`,
        { cause },
      );
    default:
      return new McpxError(
        'store_readonly',
        `mcpx cannot ${file === undefined ? `write in the state directory ${dir}` : `read or make ${file}`}${code ? ` (${code})` : ''}.`,
        `Check its owner and mode and that the disk is not mounted read-only, or ${ELSEWHERE}.`,
        { cause },
      );
  }
}
