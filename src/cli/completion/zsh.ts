// Completion for zsh: `source <(mcpx completion zsh)`, or a file `_mcpx` in a folder of $fpath.
import { LIST_IDS, type Node, type Tree, type Word } from './tree.ts';

export function zshScript({ nodes, values }: Tree): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `#compdef mcpx
# Completion of mcpx for zsh: source <(mcpx completion zsh), after compinit
_mcpx() {
  local at= word
  local -a commands options ids
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ $word == -- ]]; then _normal; return; fi
    case "\${at:+$at }$word" in
      ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case $words[CURRENT-1] in
${values.map(value).join('\n')}
  esac
  case $at in
${nodes.map(branch).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  elif (( $#ids )); then
    compadd -- $ids
  else
    _files
  fi
}
if [[ $funcstack[1] == _mcpx ]]; then _mcpx "$@"; else compdef _mcpx mcpx; fi
`;
}

function branch({ path, commands, options, choices, takesId }: Node): string {
  const plain = [...commands.map(described), ...choices.map(quote)].join(' ');
  const ids = takesId ? `; ids=(\${(f)"$(${LIST_IDS})"})` : '';
  return `    '${path}') commands=(${plain}); options=(${options.map(described).join(' ')})${ids} ;;`;
}

function value({ option, choices }: Tree['values'][number]): string {
  return `    ${option}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.join(' ')}`}; return ;;`;
}

function described({ word, description }: Word): string {
  return quote(`${word.replaceAll(':', '\\:')}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
