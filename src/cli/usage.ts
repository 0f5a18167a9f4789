// What commander says about a command line, in the words of mcpx.
import { type Command, CommanderError } from 'commander';
import { McpxError } from '../errors.ts';

/** A McpxError `usage` (exit 2): commander's sentence, its did-you-mean, and where to read on. */
export class UsageError extends McpxError {
  constructor(error: CommanderError, command: Command) {
    const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
    const guess = rest.join(' ').match(/^\((.*)\)$/)?.[1];
    const read = `Run "${commandPath(command)} --help" to see how it is used.`;
    // Commander has shown the help instead of a sentence when a subcommand is missing.
    const message = error.code === 'commander.help' ? 'A command is missing.' : sentence(first);
    super('usage', message, guess === undefined ? read : `${guess} ${read}`);
  }
}

/** commander ends with an error also after `--help` and `--version`. */
export function hasShownHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** `mcpx elicit list`. */
export function commandPath(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return upper.endsWith('.') ? upper : `${upper}.`;
}
