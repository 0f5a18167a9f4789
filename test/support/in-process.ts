// `mcpx ARGS…` run inside the test: the same build and the same command line, without the start of a process.
import { homedir } from 'node:os';
import { PassThrough } from 'node:stream';
import type { Edge, SignalName } from '../../src/cli/edge.ts';
import { systemClock } from '../../src/clock.ts';
import type { Scope } from './create-scope.ts';
import { cleanEnv, type Program, type StartOptions } from './processes.ts';
import { recorded } from './recorded.ts';
import { within } from './until.ts';

/** What a process would be ended after, too; here it fails the test. */
const STOP_MS = 10_000;

/** Starts `mcpx ARGS…`; it is stopped with the scope. Signals reach its command line only. */
export function startInside(scope: Scope, args: readonly string[], options: StartOptions = {}): Program {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const out = options.rawStdout ? undefined : recorded(stdout);
  const err = recorded(stderr);
  const env = cleanEnv(options.env);
  if (env['NODE_OPTIONS'] !== undefined) throw new Error('NODE_OPTIONS steers a process: say spawn: true');
  const listeners = new Set<(name: SignalName) => void>();
  const ended = new Promise<number>((resolve, reject) => {
    const edge: Edge = {
      stdin,
      stdout,
      stderr,
      env,
      cwd: options.cwd ?? process.cwd(),
      home: env['HOME'] ?? homedir(),
      platform: process.platform,
      clock: systemClock,
      onSignal(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      exit: resolve,
    };
    run(args, edge).then(resolve, reject);
  });
  // Whoever waits for the end is told; where nobody does, the stop is.
  ended.catch(() => {});
  const over = ended.finally(() => {
    stdout.end();
    stderr.end();
  });
  over.catch(() => {});
  const program: Program = {
    pipes: { stdin, stdout },
    stdout: () => out?.text() ?? '',
    stderr: () => err.text(),
    ended,
    line: (match, ms = 15_000) => {
      const what = `mcpx ${args.join(' ')}`;
      if (!out) throw new Error(`${what} has its stdout read by the test`);
      return out.line(what, match, ended, ms).catch((error: Error) => {
        throw new Error(`${error.message} (on stderr: ${err.text()})`);
      });
    },
    stop(signal = 'SIGTERM') {
      for (const listener of listeners) listener(signal);
      return within(`mcpx ${args.join(' ')} to stop`, ended, STOP_MS);
    },
  };
  scope.defer(() => program.stop());
  return program;
}

async function run(args: readonly string[], edge: Edge): Promise<number> {
  // Loaded by Node itself (vitest.config.ts), not through Vite: as fast as in a process, and the same files.
  const built = new URL('../../dist/cli/main.js', import.meta.url).href;
  const { main } = (await import(/* @vite-ignore */ built)) as typeof import('../../src/cli/main.ts');
  return main(args, edge);
}
