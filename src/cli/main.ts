// The command line: parses, runs one command, and is the one place that reports and picks the exit code.
import { makeStyle, wantsColor } from '../terminal/color.ts';
import { type Edge, processEdge, SIGNAL_EXITS } from './edge.ts';
import { report } from './exit.ts';
import { readGlobals } from './globals.ts';
import { Interrupt } from './interrupt.ts';
import { makeIo } from './io.ts';
import { makeOutput } from './output.ts';
import { buildProgram } from './program.ts';
import { hasShownHelp } from './usage.ts';

/** Runs `mcpx <argv>` and resolves with the exit code once all output has been taken. Never throws. */
export async function main(argv: readonly string[], edge: Edge = processEdge()): Promise<number> {
  const json = asksForJson(argv);
  const stopping = new AbortController();
  let interrupted: number | undefined;
  const stop = (exitCode: number, why: string) => {
    interrupted ??= exitCode;
    stopping.abort(new DOMException(why, 'AbortError'));
  };
  const interrupt = new Interrupt();
  const stdout = makeOutput(edge.stdout, () => stop(0, 'the reader of stdout has gone'));
  const stderr = makeOutput(edge.stderr, () => undefined);
  const unlisten = edge.onSignal((name) => {
    // The second signal does not wait for a command that is slow to stop.
    if (stopping.signal.aborted) edge.exit(SIGNAL_EXITS[name]);
    const end = () => stop(SIGNAL_EXITS[name], name);
    if (name === 'SIGINT') interrupt.came(end);
    else end();
  });
  const program = buildProgram(
    {
      io: (command) =>
        makeIo({
          edge,
          globals: readGlobals(command, edge.env),
          stdout,
          stderr,
          signal: stopping.signal,
          interrupt,
        }),
    },
    { stdout, stderr, json },
  );
  let exitCode = 0;
  try {
    await program.parseAsync([...argv], { from: 'user' }).catch((error: unknown) => {
      if (!hasShownHelp(error)) throw error;
    });
    await stdout.drained();
    exitCode = interrupted ?? 0;
  } catch (thrown) {
    const globals = readGlobals(program, edge.env);
    const style = makeStyle(
      wantsColor({ flag: globals.color, env: edge.env, isTTY: edge.stderr.isTTY === true }),
    );
    const result = report(thrown, { json, style, interrupted });
    exitCode = result.exitCode;
    if (result.text !== '') await stderr.write(result.text).catch(() => undefined);
  } finally {
    unlisten();
    await Promise.allSettled([stdout.drained(), stderr.drained()]);
  }
  return exitCode;
}

/** Looked for before parsing, since a command line that cannot be parsed may ask for JSON too. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}
