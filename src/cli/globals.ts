// The options every command takes, before or after its name.
import { type Command, Option } from 'commander';
import { COLOR_CHOICES, type ColorChoice } from '../terminal/color.ts';
import { type Env, isSet } from '../terminal/facts.ts';

export interface Globals {
  /** One JSON value on stdout, errors as one JSON line on stderr. */
  readonly json: boolean;
  /** Ids only, and no notes. */
  readonly quiet: boolean;
  /** Never ask (`--no-input`, MCPX_NO_INPUT). */
  readonly noInput: boolean;
  readonly color: ColorChoice | undefined;
  /** `--state-dir` as typed; the environment is looked at by `config/paths.ts`. */
  readonly stateDir: string | undefined;
  /** `--config` as typed; the environment is looked at by `config/find.ts`. */
  readonly config: string | undefined;
  /** `--url` as typed: the gateway whose questions are meant, instead of this machine's. */
  readonly url: string | undefined;
}

/** Declares them on the program; commander then takes them at any place before `--`. */
export function addGlobals(program: Command): void {
  program
    .option('--json', 'print one JSON value on stdout; errors are one JSON line on stderr')
    .option('-q, --quiet', 'print ids only')
    .addOption(plainNo('--no-input', 'never ask anything (also MCPX_NO_INPUT)'))
    .addOption(new Option('--color <when>', 'colour the output').choices(COLOR_CHOICES))
    .addOption(plainNo('--no-color', 'the same as --color never (also NO_COLOR)'))
    .option('--config <file>', 'use this configuration file (also MCPX_CONFIG)')
    .option('--state-dir <dir>', 'where questions are kept (also MCPX_STATE_DIR)')
    .option('--url <url>', 'act on the questions of this gateway (also MCPX_URL; its token is MCPX_TOKEN)');
}

/** Reads them from the command that runs, or from the program. */
export function readGlobals(command: Command, env: Env): Globals {
  const options: Record<string, unknown> = command.optsWithGlobals();
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  return {
    json: options['json'] === true,
    quiet: options['quiet'] === true,
    noInput: options['noInput'] === true || isSet(env['MCPX_NO_INPUT']),
    color:
      options['noColor'] === true ? 'never' : COLOR_CHOICES.find((choice) => choice === options['color']),
    stateDir: text('stateDir'),
    config: text('config'),
    url: text('url'),
  };
}

/** `--no-x` as an option of its own: commander would make it the opposite of a command's `--x`. */
export function plainNo(flag: string, description: string): Option {
  const option = new Option(flag, description);
  option.negate = false;
  return option;
}
