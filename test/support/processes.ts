// Child processes of tests: started with a clean environment, never outliving their scope.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Scope } from './create-scope.ts';
import { guarded } from './guard.ts';
import { recorded } from './recorded.ts';
import { within } from './until.ts';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The signals that mcpx listens to. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What runs, as a process or inside the test (in-process.ts). */
export interface Program {
  readonly pipes: { readonly stdin: Writable; readonly stdout: Readable };
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or the signal's name, once the process is over and its output is read. */
  readonly ended: Promise<number | string>;
  /** The first whole line of stdout that `match` accepts, also one already printed. */
  line(match: (line: string) => boolean, ms?: number): Promise<string>;
  /** Sends a signal and waits for the end. */
  stop(signal?: StopSignal): Promise<number | string>;
}

export interface Running extends Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Sends a signal and waits for the end; SIGKILL follows after 5 s. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** The environment without whatever would steer mcpx or colour its output. */
export function cleanEnv(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(MCPX_|XDG_|VITEST|NODE_OPTIONS$|NO_COLOR$|FORCE_COLOR$|COLORTERM$)/.test(name),
  );
  return { ...Object.fromEntries(kept), ...extra };
}

export interface StartOptions {
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  /** Leaves stdout to the caller, who reads a protocol from it. */
  readonly rawStdout?: boolean;
}

/** Starts `node` with `args`; the process ends with the scope. */
export function startNode(scope: Scope, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(process.execPath, [...args], {
    cwd: options.cwd ?? ROOT,
    env: cleanEnv(options.env),
    stdio: 'pipe',
  });
  // A process that ended does not take its input any more; that is not the test's failure.
  child.stdin.on('error', () => {});
  const out = options.rawStdout ? undefined : recorded(child.stdout);
  const err = recorded(child.stderr);
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  guarded(child);

  const running: Running = {
    child,
    pipes: child,
    pid: child.pid ?? -1,
    stdout: () => out?.text() ?? '',
    stderr: () => err.text(),
    ended,
    line(match, ms = 15_000) {
      if (!out) throw new Error('its stdout is read by the test');
      return out.line(args.join(' '), match, ended, ms).catch((error: Error) => {
        throw new Error(`${error.message} (on stderr: ${err.text()})`);
      });
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await exited;
        clearTimeout(timer);
      }
      // A grandchild that keeps the pipes open must not keep the test.
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
      return ended;
    },
  };
  scope.defer(() => running.stop());
  return running;
}

export interface Finished {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `node` with `args` to its end, `input` on its stdin. */
export async function runNode(
  scope: Scope,
  args: readonly string[],
  options: StartOptions & { input?: string; ms?: number } = {},
): Promise<Finished> {
  const running = startNode(scope, args, options);
  running.child.stdin.end(options.input ?? '');
  const code = await within(`the end of ${args.join(' ')}`, running.ended, options.ms ?? 20_000);
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
