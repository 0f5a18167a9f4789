// `mcpx completion <shell>`: prints the script that teaches a shell the commands, options and pending ids.
import { Argument, Command, Option } from 'commander';
import type { Cli } from '../io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** @param topics what `mcpx help` takes besides commands */
export function completionCommand(program: Command, cli: Cli, topics: readonly string[]): Command {
  return (
    new Command('completion')
      .description('print the completion script of a shell')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
      .addHelpText(
        'after',
        '\nExamples:\n  source <(mcpx completion bash)\n  source <(mcpx completion zsh)\n  mcpx completion fish | source',
      )
      // The scripts ask with this what to offer at the cursor: once for each word of the line, the last as far as typed.
      .addOption(new Option('--offer <word>').argParser(collect).hideHelp())
      .action(async (shell: Shell, options: { offer?: readonly string[] }, command: Command) => {
        const io = cli.io(command);
        if (options.offer !== undefined) {
          const { offer } = await import('./offer.ts');
          for (const word of await offer(io, program, options.offer)) await io.printLine(word);
          return;
        }
        const script = await scriptFor(shell, program, topics);
        if (io.globals.json) await io.printJson(JSON.stringify({ shell, script }));
        else await io.stdout.write(script);
      })
  );
}

async function scriptFor(shell: Shell, program: Command, topics: readonly string[]): Promise<string> {
  const { completionTree } = await import('./tree.ts');
  const tree = completionTree(program, topics);
  switch (shell) {
    case 'bash':
      return (await import('./bash.ts')).bashScript(tree);
    case 'zsh':
      return (await import('./zsh.ts')).zshScript(tree);
    case 'fish':
      return (await import('./fish.ts')).fishScript(tree);
  }
}

function collect(word: string, before: readonly string[] = []): string[] {
  return [...before, word];
}
