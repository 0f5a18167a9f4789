// Completion for bash: `source <(mcpx completion bash)`.
import { LIST_IDS, type Node, type Tree } from './tree.ts';

export function bashScript({ nodes, values }: Tree): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# Completion of mcpx for bash: source <(mcpx completion bash)
_mcpx() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= word words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -- ]] && return
    case "\${at:+$at }$word" in
      ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case $prev in
${values.map(value).join('\n')}
  esac
  case $at in
${nodes.map(branch).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _mcpx mcpx
`;
}

function branch({ path, commands, options, choices, takesId }: Node): string {
  const dashed = options.map(({ word }) => word).join(' ');
  const plain = [...commands.map(({ word }) => word), ...choices].join(' ');
  const ids = takesId ? ` $(${LIST_IDS})` : '';
  return `    '${path}') if [[ $cur == -* ]]; then words='${dashed}'; else words="${plain}${ids}"; fi ;;`;
}

// Without an answer bash falls back to file names.
function value({ option, choices }: Tree['values'][number]): string {
  const fill = choices.length === 0 ? '' : `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); `;
  return `    ${option}) ${fill}return ;;`;
}
