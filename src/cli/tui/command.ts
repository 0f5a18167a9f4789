// `mcpx tui`: the inbox.
import { Command } from 'commander';
import { plainNo } from '../globals.ts';
import type { Cli } from '../io.ts';
import type { TuiFlags } from './run.ts';

/** Builds the command; Ink is loaded only when it runs on a terminal. */
export function tuiCommand(cli: Cli): Command {
  return new Command('tui')
    .description('an inbox of the open questions, to answer them')
    .option('--accessible', 'ask with plain lines that are never redrawn (also ACCESSIBLE=1)')
    .addOption(plainNo('--no-bell', 'do not ring on new questions (also MCPX_NO_BELL)'))
    .addHelpText('after', HELP)
    .action(async (options: TuiFlags, command: Command) => {
      const { tui } = await import('./run.ts');
      await tui(cli.io(command), options);
    });
}

const HELP = `
Opening a question, going back and quitting send nothing. An answer is sent from the review only, after you have
seen what is sent. Press ? for the keys. Without a terminal use "mcpx elicit list" and "mcpx elicit accept".`;
