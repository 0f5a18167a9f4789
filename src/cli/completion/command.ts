// `mcpx completion <shell>`: prints the script that teaches a shell the commands, options and pending ids.
import { Argument, Command } from 'commander';
import type { Cli } from '../io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function completionCommand(program: Command, cli: Cli): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      '\nExamples:\n  source <(mcpx completion bash)\n  source <(mcpx completion zsh)\n  mcpx completion fish | source',
    )
    .action(async (shell: Shell, _options: unknown, command: Command) => {
      const io = cli.io(command);
      const script = await scriptFor(shell, program);
      if (io.globals.json) await io.printJson(JSON.stringify({ shell, script }));
      else await io.stdout.write(script);
    });
}

async function scriptFor(shell: Shell, program: Command): Promise<string> {
  const { completionTree } = await import('./tree.ts');
  const tree = completionTree(program);
  switch (shell) {
    case 'bash':
      return (await import('./bash.ts')).bashScript(tree);
    case 'zsh':
      return (await import('./zsh.ts')).zshScript(tree);
    case 'fish':
      return (await import('./fish.ts')).fishScript(tree);
  }
}
