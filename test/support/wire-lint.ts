// The strict check of a message against the official schema of a revision, where the shared folder is at hand.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Revision } from '../../src/protocol/types.ts';

type Lint = (revision: Revision, type: string, message: unknown) => string[];

const root = resolve(import.meta.dirname, '..', '..');
const folders = [process.env['MCPX_SHARED'], resolve(root, '../shared'), resolve(root, '../../shared')];
const tool = folders
  .filter((folder) => folder !== undefined)
  .map((folder) => resolve(folder, 'tools/wire-lint.mjs'))
  .find((file) => existsSync(file));
const loaded =
  tool === undefined ? undefined : ((await import(pathToFileURL(tool).href)) as { readonly lint: Lint });

/** What the schema of the revision objects to in a message (plain JSON, not text); nothing where it is not at hand. */
export function lintIfPresent(revision: Revision, type: string, message: unknown): string[] {
  return loaded?.lint(revision, type, message) ?? [];
}
