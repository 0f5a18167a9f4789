// `mcpx tui` in a real terminal.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './create-scope.ts';
import { MCPX } from './gateway.ts';
import { openPane, type Pane, type PaneOptions, quoted } from './tmux.ts';
import { until } from './until.ts';

/** The command line of `mcpx ARGS…`, for a shell. */
export function mcpxLine(...args: string[]): string {
  return [process.execPath, MCPX, ...args].map(quoted).join(' ');
}

export interface TuiPane extends Pane {
  /** The process of mcpx itself. */
  readonly pid: number;
  /** `stty -g` before mcpx began, and once it has ended. */
  modes(): { readonly before: string; readonly after: string | undefined };
}

/** Opens the inbox on the store that `env` names, and waits until it shows this many questions. */
export async function tuiPane(
  scope: Scope,
  env: Readonly<Record<string, string>>,
  options: PaneOptions & {
    readonly open?: number;
    readonly args?: readonly string[];
    readonly node?: string;
  } = {},
): Promise<TuiPane> {
  const { open = 1, args = [], node = '', ...rest } = options;
  const dir = scope.dir();
  const pidFile = join(dir, 'pid');
  // The modes before and after stand in the screen's directory: they must be the same whatever happened between.
  const command = [
    `stty -g > ${quoted(join(dir, 'before'))}`,
    `sh -c 'echo $$ > "$1"; shift; exec "$@"' sh ${quoted(pidFile)} ${mcpxLine('tui', ...args).replace(' ', ` ${node} `)}`,
    `code=$?; stty -g > ${quoted(join(dir, 'after'))}; (exit $code)`,
  ].join('; ');
  const pane = openPane(scope, command, { ...rest, env: { ...env, ...rest.env } });
  await pane.see(`${open} open`);
  return { ...pane, pid: Number(readFileSync(pidFile, 'utf8')), modes: () => modes(dir) };
}

function modes(dir: string): { readonly before: string; readonly after: string | undefined } {
  const read = (name: string): string | undefined =>
    existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : undefined;
  return { before: read('before') ?? '', after: read('after') || undefined };
}

/** Presses a key that sends, again where it came too soon after the screen, until `text` stands on the screen. */
export async function pressUntil(pane: Pane, key: string, text: string): Promise<string> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    // What sends does nothing for 350 ms after its screen was drawn (C31).
    await new Promise((resolve) => setTimeout(resolve, 400));
    pane.keys(key);
    const came = await until('what the key did', () => {
      const screen = pane.screen();
      if (screen.includes(text)) return screen;
      return screen.includes('came too soon') ? 'too soon' : undefined;
    });
    if (came !== 'too soon') return came;
  }
  throw new Error(`never shown: "${text}"; it shows:\n${pane.screen()}`);
}

/** Opens the selected question: one that came by itself is not opened by a key that may have been meant for another. */
export async function openSelected(pane: Pane, text: string): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 600));
  pane.keys('Enter');
  return pane.see(text);
}
