// What can be completed where, read from the commander tree so that it never falls behind it.
import type { Command, Option } from 'commander';

export interface Word {
  readonly word: string;
  readonly description: string;
}

export interface Node {
  /** `''` for mcpx itself, else `elicit list`. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** What its first argument can be, where that is a fixed set. */
  readonly choices: readonly string[];
  /** Its first argument is the id of a question. */
  readonly takesId: boolean;
}

export interface Tree {
  readonly nodes: readonly Node[];
  /**
   * Options with a value; `choices` is empty where it is not one of a fixed set (a file, a number), and `asks` says
   * that mcpx knows what it can be (offer.ts).
   */
  readonly values: readonly {
    readonly option: string;
    readonly choices: readonly string[];
    readonly asks: boolean;
  }[];
}

/** Options whose values are asked for: which there are changes while mcpx runs. */
const ASKED = new Set(['--server', '--field']);

/** @param topics what `mcpx help` takes besides commands */
export function completionTree(program: Command, topics: readonly string[] = []): Tree {
  const nodes: Node[] = [];
  const values = new Map<string, { readonly choices: readonly string[]; readonly asks: boolean }>();
  const visit = (command: Command, path: string): void => {
    const help = command.createHelp();
    const options = [...help.visibleOptions(command), ...(path === '' ? [] : help.visibleOptions(program))];
    for (const option of options) {
      for (const { word } of option.required ? spellings(option) : []) {
        values.set(word, { choices: option.argChoices ?? [], asks: ASKED.has(option.long ?? '') });
      }
    }
    const commands = help.visibleCommands(command);
    const [argument] = command.registeredArguments;
    nodes.push({
      path,
      commands: commands.map((child) => ({ word: child.name(), description: child.description() })),
      options: unique(options.flatMap(spellings)),
      choices: path === 'help' ? topics : (argument?.argChoices ?? []),
      takesId: argument?.name() === 'id',
    });
    for (const child of commands) visit(child, `${path} ${child.name()}`.trim());
  };
  visit(program, '');
  return { nodes: withHelp(nodes), values: [...values].map(([option, facts]) => ({ option, ...facts })) };
}

/** `mcpx help` takes the words of every command. */
function withHelp(nodes: readonly Node[]): Node[] {
  const help = nodes.find(({ path }) => path === 'help');
  if (help === undefined) return [...nodes];
  const { options } = help;
  const mirrored = nodes.map(({ path, commands }) => ({
    path: `help ${path}`.trim(),
    commands,
    options,
    choices: path === '' ? help.choices : [],
    takesId: false,
  }));
  return [...nodes.filter((node) => node !== help), ...mirrored];
}

function spellings({ long, short, description }: Option): Word[] {
  return [long, short].flatMap((word) => (word ? [{ word, description }] : []));
}

function unique(words: readonly Word[]): Word[] {
  return [...new Map(words.map((one) => [one.word, one])).values()];
}
