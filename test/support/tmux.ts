// A real terminal for tests: one tmux server per scope, with a pane that runs a command.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './create-scope.ts';
import { cleanEnv } from './processes.ts';
import { until } from './until.ts';

/** A look at the screen is a process of tmux: not as often as at a variable. */
const LOOK_MS = 50;

/** Whether tmux is there; tests that need it skip, and say so, where it is not. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0;
}

export interface Pane {
  /** What stands on the screen. */
  screen(): string;
  /** Resolves with the screen once `text` stands on it. */
  see(text: string, ms?: number): Promise<string>;
  /** `see`, and then until the prompt that stands there takes keys (C45). */
  prompt(text: string): Promise<string>;
  /** Types keys by tmux's names: `Enter`, `C-c`, `Down`, or one character. */
  keys(...names: string[]): void;
  /** Types text as it is. */
  type(text: string): void;
  /** Sends bytes below 0x80 as they are, in one write, as the terminal itself would. */
  bytes(text: string): void;
  /** Pastes text as the terminal does it, marks and all where the program asked for them. */
  paste(text: string): void;
  /** What tmux knows of the pane, by its format: `#{cursor_flag}`. */
  about(format: string): string;
  /** Closes the terminal. */
  close(): void;
  /** Everything that was written to the terminal so far, byte for byte. */
  written(): string;
}

export interface PaneOptions {
  readonly env?: Record<string, string>;
  readonly columns?: number;
  readonly rows?: number;
}

/** Runs a shell command line in a pane; the server ends with the scope. */
export function openPane(scope: Scope, command: string, options: PaneOptions = {}): Pane {
  const socket = join(scope.dir(), 'tmux');
  const env = cleanEnv({ LANG: 'C.UTF-8', ...options.env });
  delete env['TMUX'];
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8' });
  const size = ['-x', String(options.columns ?? 100), '-y', String(options.rows ?? 40)];
  tmux('new-session', '-d', ...size, 'sh', '-c', `${command}; echo "[exit $?]"; exec sleep 600`);
  // Gone already where a test closed it.
  scope.defer(() => spawnSync('tmux', ['-S', socket, 'kill-server'], { env, stdio: 'ignore' }));
  const record = join(scope.dir(), 'written');
  writeFileSync(record, '');
  tmux('pipe-pane', `cat >> '${record}'`);
  const screen = (): string => tmux('capture-pane', '-p', '-J');
  const see = (text: string, ms = 20_000): Promise<string> =>
    until(
      `"${text}" on the screen`,
      () => (screen().includes(text) ? screen() : undefined),
      ms,
      LOOK_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}; it shows:\n${screen()}`);
    });
  return {
    screen,
    see,
    async prompt(text) {
      await see(text);
      await new Promise((resolve) => setTimeout(resolve, 400));
      return screen();
    },
    keys: (...names) => void tmux('send-keys', ...names),
    type: (text) => void tmux('send-keys', '-l', text),
    bytes: (text) => void tmux('send-keys', '-H', ...[...Buffer.from(text)].map((byte) => byte.toString(16))),
    paste(text) {
      tmux('set-buffer', text);
      tmux('paste-buffer', '-p');
    },
    about: (format) => tmux('display-message', '-p', format).trim(),
    close: () => void tmux('kill-server'),
    written: () => readFileSync(record, 'utf8'),
  };
}

/** A word of a shell command line. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
