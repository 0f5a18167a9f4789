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
  /** Options with a value; `choices` is empty where it is not one of a fixed set (a file, a number). */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
}

/** How a shell asks for the pending ids, one a line. */
export const LIST_IDS = 'mcpx elicit list -q 2>/dev/null';

export function completionTree(program: Command): Tree {
  const nodes: Node[] = [];
  const values = new Map<string, readonly string[]>();
  const visit = (command: Command, path: string): void => {
    const help = command.createHelp();
    const options = [...help.visibleOptions(command), ...(path === '' ? [] : help.visibleOptions(program))];
    for (const option of options) {
      for (const { word } of option.required ? spellings(option) : []) {
        values.set(word, option.argChoices ?? []);
      }
    }
    const commands = help.visibleCommands(command);
    const [argument] = command.registeredArguments;
    nodes.push({
      path,
      commands: commands.map((child) => ({ word: child.name(), description: child.description() })),
      options: unique(options.flatMap(spellings)),
      choices: argument?.argChoices ?? [],
      takesId: argument?.name() === 'id',
    });
    for (const child of commands) visit(child, `${path} ${child.name()}`.trim());
  };
  visit(program, '');
  return { nodes, values: [...values].map(([option, choices]) => ({ option, choices })) };
}

function spellings({ long, short, description }: Option): Word[] {
  return [long, short].flatMap((word) => (word ? [{ word, description }] : []));
}

function unique(words: readonly Word[]): Word[] {
  return [...new Map(words.map((one) => [one.word, one])).values()];
}
