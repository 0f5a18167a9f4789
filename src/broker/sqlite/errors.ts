// The driver's failures in sentences: what is wrong with the store, and what to do.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { McpxError } from '../../errors.ts';
import { unusable } from '../state-dir.ts';

const ELSEWHERE = 'choose another directory with --state-dir';

// Primary result codes of SQLite (https://sqlite.org/rescode.html); an extended code keeps them in its low byte.
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_SHMSIZE = 4874;
const IOERR_SHORT_READ = 522;

/** Turns what the driver threw into a McpxError; anything else is returned as it is. */
export function storeError(thrown: unknown, dir: string): unknown {
  const code = resultCode(thrown);
  if (code === undefined) return thrown;
  const options = { cause: thrown };
  // Growing the shared-memory file is the first thing to fail on a full disk, and comes as an input/output error.
  if (code === IOERR_SHMSIZE) return full(dir, options);
  // Less is in a file than its index says: one of the three was removed, replaced or cut off under the others.
  if (code === IOERR_SHORT_READ)
    return new McpxError(
      'store_damaged',
      `The files of the store in ${dir} do not belong together: one was removed, replaced or cut off.`,
      'A gateway that runs there opens it anew within seconds: try again. Else end every mcpx that uses it, and move mcpx.db, mcpx.db-wal and mcpx.db-shm away together.',
      options,
    );
  switch (code & 0xff) {
    case BUSY:
    case LOCKED:
      return new McpxError(
        'store_busy',
        `The store in ${dir} is locked by another program.`,
        'Nothing was changed. Try again; if it happens again, end the program that holds mcpx.db open.',
        options,
      );
    case CANTOPEN:
      return cannotOpen(dir, thrown);
    case READONLY:
    case PERM:
      return new McpxError(
        'store_readonly',
        `mcpx cannot write in the state directory ${dir}.`,
        `Check its owner and mode and that the disk is not mounted read-only, or ${ELSEWHERE}.`,
        options,
      );
    case FULL:
      return full(dir, options);
    case CORRUPT:
    case NOTADB:
      return new McpxError(
        'store_damaged',
        `The store ${dir}/mcpx.db is damaged.`,
        'mcpx left it as it is. End every mcpx that uses it, then move mcpx.db, mcpx.db-wal and mcpx.db-shm away together to start with an empty one.',
        options,
      );
    case IOERR:
      return new McpxError(
        'failure',
        `The disk that holds ${dir} reports an error.`,
        `Check the disk, or ${ELSEWHERE}.`,
        options,
      );
    default:
      return new McpxError('bug', 'The store rejected a statement of mcpx.', undefined, options);
  }
}

/** SQLite says only that it cannot open the file; the system says why. */
function cannotOpen(dir: string, thrown: unknown): McpxError {
  try {
    closeSync(openSync(join(dir, 'mcpx.db'), 'r+'));
  } catch (error) {
    return unusable(dir, error);
  }
  return unusable(dir, thrown);
}

/** A database written by a newer mcpx (docs/broker.md, "The store"). */
export function newerError(dir: string, found: number, known: number): McpxError {
  return new McpxError(
    'store_newer',
    `The store ${dir}/mcpx.db was written by a newer mcpx (format ${found}, this one knows ${known}).`,
    `Update mcpx, or ${ELSEWHERE}. The store was not touched.`,
  );
}

function full(dir: string, options: { cause: unknown }): McpxError {
  return new McpxError(
    'store_full',
    `The disk that holds ${dir} is full.`,
    `Nothing was changed. Free some space, or ${ELSEWHERE}.`,
    options,
  );
}

/** SQLite's extended result code; undefined for what the driver did not throw. */
function resultCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if ('rawCode' in thrown) return Number(thrown.rawCode);
  // An open that fails has its code only in the text: ConnectionFailed("… : 14").
  const opening = /ConnectionFailed.*: (\d+)"\)$/.exec(thrown.message);
  return opening ? Number(opening[1]) : undefined;
}
