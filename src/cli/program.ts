// The tree of commands.
//
// To add a command:
//  1. Write `src/cli/<name>.ts` (or `src/cli/<name>/command.ts` for a family) with a builder
//       export function listCommand(cli: Cli): Command {
//         return new Command('list')
//           .description('show the questions that wait')
//           .option('--all', 'answered ones too')
//           .action(async (options: ListOptions, command: Command) => {
//             const { list } = await import('./list.ts');
//             await list(cli.io(command), options);
//           });
//       }
//     Its imports at the top are commander, types and what is just as light; everything else is imported
//     inside the action, so that `mcpx --help` loads nothing.
//  2. Add the builder to `buildProgram` below.
//
// An action gets what it needs from `cli.io(command)` (see io.ts): flags that all commands take, streams,
// signal, clock. It prints with `io.printLine`, `io.printJson` and `io.note`, fails by throwing a McpxError
// (exit.ts prints it and picks the exit code), and throws `Exit` for an exit code without a message.
// It never calls process.exit, and ends when `io.signal` aborts. Settings: see ../config/load.ts.
// What a later command needs from the others (help, usage errors, global options) is put on it here.
import { Command, type CommanderError } from 'commander';
import { completionCommand } from './completion/command.ts';
import { configCommand } from './config.ts';
import { elicitCommand } from './elicit/command.ts';
import { addGlobals } from './globals.ts';
import { HELP_TOPICS, helpCommand } from './help.ts';
import type { Cli } from './io.ts';
import type { Output } from './output.ts';
import { serveCommand } from './serve/command.ts';
import { serversCommand } from './servers.ts';
import { tuiCommand } from './tui/command.ts';
import { UsageError } from './usage.ts';
import { version } from './version.ts';

/**
 * Builds the tree. Nothing heavy is loaded, and nothing is done, before `parseAsync`.
 *
 * @param how.json keeps commander's help for a missing command off stderr, where only the JSON line may stand.
 */
export function buildProgram(
  cli: Cli,
  how: { readonly stdout: Output; readonly stderr: Output; readonly json: boolean },
): Command {
  const program = new Command('mcpx')
    .description("An MCP gateway that carries a server's questions to the person who can answer them.")
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void how.stdout.write(text),
      writeErr: (text) => void (how.json || how.stderr.write(text)),
      // main prints it, as it prints every other failure.
      outputError: () => undefined,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  addGlobals(program);
  program.addCommand(serveCommand(cli));
  program.addCommand(elicitCommand(cli));
  program.addCommand(tuiCommand(cli));
  program.addCommand(serversCommand(cli));
  program.addCommand(demoCommand(cli));
  program.addCommand(configCommand(cli));
  program.addCommand(completionCommand(program, cli, HELP_TOPICS));
  program.addCommand(helpCommand(program, cli));
  settle(program);
  return program;
}

/** Gives every command the settings of its parent, and errors that know which command they are about. */
function settle(command: Command): void {
  command.exitOverride((error: CommanderError) => {
    throw error.exitCode === 0 ? error : new UsageError(error, command);
  });
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    // `mcpx help elicit list` is the one spelling.
    child.helpCommand(false);
    settle(child);
  }
}

/** Builds the command; the demo is loaded only when it runs. */
export function demoCommand(cli: Cli): Command {
  return new Command('demo')
    .description('show a question on its way: a bundled server asks, you answer')
    .action(async (_options: unknown, command: Command) => {
      const { demo } = await import('../demo/run.ts');
      await demo(cli.io(command));
    });
}
