// Completion for fish: `mcpx completion fish | source`.
import type { Node, Tree, Word } from './tree.ts';

export function fishScript({ nodes, values }: Tree): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# Completion of mcpx for fish: mcpx completion fish | source
function __mcpx_at
    set -l at ''
    for word in (commandline -opc)[2..]
        test "$word" = --; and return 1
        set -l next (string trim -- "$at $word")
        contains -- "$next" ${paths.join(' ')}; and set at "$next"
    end
    test "$at" = "$argv[1]"
end
function __mcpx_offer
    set -l words (commandline -opc)[2..]
    set -l typed (commandline -ct)
    mcpx completion fish --offer=$words --offer="$typed" 2>/dev/null
end
${nodes.flatMap((node) => lines(node, values)).join('\n')}
`;
}

function lines({ path, commands, options, choices, takesId }: Node, values: Tree['values']): string[] {
  const here = `complete -c mcpx -n ${quote(`__mcpx_at ${quote(path)}`)}`;
  const found = commands.map(({ word, description }) => `${here} -f -a ${word} -d ${quote(description)}`);
  if (choices.length > 0) found.push(`${here} -f -a ${quote(choices.join(' '))}`);
  if (takesId) found.push(`${here} -f -a ${quote('(__mcpx_offer)')}`);
  for (const option of options) {
    const allowed = values.find((one) => one.option === option.word);
    found.push(`${here} ${flag(option)}${value(allowed)} -d ${quote(option.description)}`);
  }
  return found;
}

function value(of: Tree['values'][number] | undefined): string {
  if (of === undefined) return '';
  const { choices, asks } = of;
  if (asks) return ` -x -a ${quote('(__mcpx_offer)')}`;
  return choices.length === 0 ? ' -r' : ` -x -a ${quote(choices.join(' '))}`;
}

function flag({ word }: Word): string {
  return word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
