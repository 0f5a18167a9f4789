// `mcpx demo`: everything at once, without any set-up.
import { Command } from 'commander';
import type { Cli } from './io.ts';

/** Builds the command; the demo is loaded only when it runs. */
export function demoCommand(cli: Cli): Command {
  return new Command('demo')
    .description('show a question on its way: a bundled server asks, you answer')
    .action(async (_options: unknown, command: Command) => {
      const { demo } = await import('../demo/run.ts');
      await demo(cli.io(command));
    });
}
