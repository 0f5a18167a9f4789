// Secrets of a state directory that every process on it shares: made once, whoever comes first.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpxError, messageOf } from '../errors.ts';
import { prepareStateDir } from './state-dir.ts';

/**
 * The text of `<dir>/<name>` (0600), made with `make` where it is not there yet. Written under a private name and
 * linked into place, so that a loser of that race reads the winner's and nobody ever reads half of one
 * (docs/relay.md, "requestState"). McpxError `store_readonly` or `config` when it cannot be read or made.
 */
export function sharedSecret(dir: string, name: string, make: () => string): string {
  const path = join(dir, name);
  prepareStateDir(dir);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unusable(path, error);
  }
  const mine = join(dir, `.${name}.${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(mine, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    try {
      linkSync(mine, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unusable(path, error);
  } finally {
    rmSync(mine, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function unusable(path: string, cause: unknown): McpxError {
  return new McpxError(
    codeOf(cause) === 'EROFS' || codeOf(cause) === 'EACCES' ? 'store_readonly' : 'failure',
    `${path} cannot be read or created: ${messageOf(cause)}.`,
    'Make the state directory writable, or choose another with --state-dir or MCPX_STATE_DIR.',
    { cause },
  );
}
