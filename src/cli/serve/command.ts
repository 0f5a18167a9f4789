// `mcpx serve`: the gateway, over HTTP or on its own pipes.
import { Command, Option } from 'commander';
import { LOG_LEVELS } from '../../log.ts';
import type { Cli } from '../io.ts';
import type { ServeOptions } from './run.ts';

/** Builds the command; the gateway is loaded only when it runs. */
export function serveCommand(cli: Cli): Command {
  return new Command('serve')
    .description('run the gateway between hosts and their MCP servers')
    .argument('[command...]', 'after --: start this one server, without a configuration file')
    .option('--port <number>', 'listen on this port; 0 picks one (also MCPX_PORT; default 7331)')
    .option('--host <address>', 'listen on this address (default 127.0.0.1)')
    .option('--stdio', 'speak MCP on standard input and output instead of HTTP')
    .option('--prompt', 'ask the questions right here, one after the other')
    .addOption(
      new Option('--log-level <level>', 'how much is logged on stderr (default info)').choices(LOG_LEVELS),
    )
    .action(async (words: string[], options: ServeOptions, command: Command) => {
      const { serve } = await import('./run.ts');
      await serve(cli.io(command), options, words);
    });
}
