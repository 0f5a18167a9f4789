// The places where mcpx keeps and looks for things.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Source } from './types.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly env: Env;
  readonly cwd: string;
  readonly home: string;
}

/** The state directory, absolute: `--state-dir`, `MCPX_STATE_DIR`, `$XDG_STATE_HOME/mcpx`, `~/.local/state/mcpx`. */
export function stateDir(flag: string | undefined, places: Places): string {
  return stateDirWithSource(flag, places).path;
}

/** The same, with where it came from. */
export function stateDirWithSource(
  flag: string | undefined,
  { env, cwd, home }: Places,
): { readonly path: string; readonly source: Source } {
  if (flag) return { path: resolve(cwd, flag), source: { from: 'flag', at: '--state-dir' } };
  const own = env['MCPX_STATE_DIR'];
  if (own) return { path: resolve(cwd, own), source: { from: 'environment', at: 'MCPX_STATE_DIR' } };
  const xdg = xdgFolder(env['XDG_STATE_HOME']);
  if (xdg) return { path: join(xdg, 'mcpx'), source: { from: 'environment', at: 'XDG_STATE_HOME' } };
  return { path: join(home, '.local', 'state', 'mcpx'), source: { from: 'default' } };
}

/** Where a configuration file may be, in the order of the search. */
export function configCandidates({ env, cwd, home }: Places): string[] {
  const found: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    found.push(join(folder, 'mcpx.json'), join(folder, '.mcpx.json'), join(folder, '.config', 'mcpx.json'));
    if (folder === dirname(folder)) break;
  }
  const xdg = xdgFolder(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
  return [...found, join(xdg, 'mcpx', 'mcpx.json')];
}

/** The folder that relative paths in a configuration file start from: the one `.config/mcpx.json` stands for, too. */
export function configBase(file: string): string {
  const folder = dirname(file);
  return folder.endsWith('.config') ? dirname(folder) : folder;
}

// The XDG base directory specification has relative paths ignored.
function xdgFolder(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined;
}
