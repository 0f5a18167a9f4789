// Secrets of a state directory that every process on it shares: made once, whoever comes first.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  linkSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { McpxError } from '../errors.ts';
import { errnoOf, notAFile, prepareStateDir, unusable } from './state-dir.ts';

/**
 * The text of `<dir>/<name>` (0600), made with `make` where it is not there yet. Written under a private name and
 * linked into place, so that a loser of that race reads the winner's and nobody ever reads half of one
 * (docs/relay.md, "requestState"). McpxError `store_readonly` or `config` when it cannot be read or made.
 */
export function sharedSecret(dir: string, name: string, make: () => string): string {
  const path = join(dir, name);
  prepareStateDir(dir);
  const found = readSecret(dir, path);
  if (found !== undefined) return found;
  const mine = join(dir, `.${name}.${randomBytes(8).toString('hex')}`);
  try {
    writeFileSync(mine, `${make()}\n`, { mode: 0o600, flag: 'wx' });
    try {
      linkSync(mine, path);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  } catch (error) {
    throw unusable(dir, error, path);
  } finally {
    rmSync(mine, { force: true });
  }
  const text = readSecret(dir, path);
  if (text === undefined) throw unusable(dir, new Error('it is gone again'), path);
  return text;
}

/** Writes a secret that is in use back where its file is gone; one that is there is left alone. Throws as `sharedSecret`. */
export function keepSecret(dir: string, name: string, text: string): void {
  sharedSecret(dir, name, () => text);
}

/** The text of a secret that only its owner can read; undefined where there is no such file. */
function readSecret(dir: string, path: string): string | undefined {
  let text: string;
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return undefined;
    // Reading a named pipe would wait for a writer that never comes.
    if (!facts.isFile()) throw notAFile(path, facts);

    keepPrivate(path, facts);
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw unusable(dir, error, path);
  }
  if (text !== '') return text;
  throw new McpxError(
    'config',
    `${path} is empty.`,
    'Delete it, and mcpx makes a new one at its next start.',
  );
}

/** Takes the file for this user and other people's rights from it, or refuses it where that cannot be done. */
function keepPrivate(path: string, facts: Stats): void {
  const uid = process.getuid?.();
  // Windows has neither owners nor modes of this kind.
  if (uid === undefined) return;
  try {
    if (facts.uid !== uid) chownSync(path, uid, facts.gid);
    if ((facts.mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (cause) {
    throw new McpxError(
      'config',
      `${path} holds a secret, and other users can read it or own it.`,
      `Run: chmod 600 ${path} as its owner, or delete it, and mcpx makes a new one.`,
      { cause },
    );
  }
}
