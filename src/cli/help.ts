// `mcpx help`: help on a command, and the two topics that belong to no command.
import { Command } from 'commander';
import { McpxError } from '../errors.ts';
import type { Cli } from './io.ts';

const EXIT_CODES_TOPIC = `Exit codes

    0  done
    1  failure
    2  usage, or an invalid configuration
    3  not allowed
    4  gateway or upstream unreachable
    5  the upstream or its tool failed
    6  no such question
    7  already answered, expired, withdrawn or lost
    8  the answer does not fit the question
    9  needs a person and there is none
   75  the call waits for an answer
  124  timed out
  129  hung up (SIGHUP)
  130  interrupted (Ctrl+C)
  143  told to end (SIGTERM)

With --json a failure is one line on stderr: {"error":{"code","message","hint"}}.`;

const ENVIRONMENT_TOPIC = `Environment

  MCPX_CONFIG      configuration file, where --config is not given
  MCPX_PORT        port of the gateway, where --port is not given
  MCPX_STATE_DIR   where questions are kept, where --state-dir is not given
  MCPX_STATE_KEY   key that seals what hosts of 2026-07-28 carry; else state.key in the state directory
  MCPX_NO_INPUT    never ask anything, as --no-input
  MCPX_NO_BELL     mcpx tui does not ring on new questions, as --no-bell
  ACCESSIBLE       every question is asked in plain lines that are never redrawn
  VISUAL, EDITOR   the editor for long texts in mcpx tui
  MCPX_URL         the gateway to act on, where neither --url nor --state-dir is given
  MCPX_TOKEN       the token for that gateway: the content of "token" in its state directory
  NO_COLOR         no colour, whatever the terminal
  FORCE_COLOR      colour also through a pipe; 0 for none
  XDG_CONFIG_HOME  where mcpx/mcpx.json is looked for last (~/.config)
  XDG_STATE_HOME   where mcpx/ keeps questions (~/.local/state)

A flag wins over the environment, the environment over the file, the file over the default;
"mcpx config" shows every value and where it came from.`;

const TOPICS = new Map([
  ['exit-codes', EXIT_CODES_TOPIC],
  ['environment', ENVIRONMENT_TOPIC],
]);

/** The names that `mcpx help` takes besides commands. */
export const HELP_TOPICS: readonly string[] = [...TOPICS.keys()];

export function helpCommand(program: Command, cli: Cli): Command {
  return new Command('help')
    .description(`show help on a command, or on ${HELP_TOPICS.join(' or ')}`)
    .argument('[name...]', 'a command or a topic')
    .action(async (names: readonly string[], _options: unknown, command: Command) => {
      const topic = TOPICS.get(names.join(' '));
      if (topic !== undefined) return cli.io(command).printLine(topic);
      find(program, names).outputHelp();
      return undefined;
    });
}

function find(program: Command, names: readonly string[]): Command {
  let at = program;
  for (const name of names) {
    const next = at.commands.find((child) => child.name() === name || child.aliases().includes(name));
    if (next === undefined) {
      throw new McpxError(
        'usage',
        `There is no command or topic "${names.join(' ')}".`,
        `Run "mcpx help" to see the commands; topics are ${HELP_TOPICS.join(' and ')}.`,
      );
    }
    at = next;
  }
  return at;
}
