// Completion for zsh: `source <(mcpx completion zsh)`, or a file `_mcpx` in a folder of $fpath.
import type { Node, Tree, Word } from './tree.ts';

export function zshScript({ nodes, values }: Tree): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `#compdef mcpx
# Completion of mcpx for zsh: source <(mcpx completion zsh), after compinit
_mcpx() {
  local at= word ask= prev=$words[CURRENT-1]
  local -a commands options line offered names
  line=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ $word == -- ]]; then _normal; return; fi
    case "\${at:+$at }$word" in
      ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $PREFIX == --*=* ]]; then prev=\${PREFIX%%=*}; compset -P '*='; fi
  case $prev in
${values.map(value).join('\n')}
  esac
  [[ -z $ask ]] && case $at in
${nodes.map(branch).join('\n')}
  esac
  if [[ -n $ask ]] && [[ $ask == value || $PREFIX != -* ]]; then
    offered=(\${(f)"$(mcpx completion zsh "\${(@)line/#/--offer=}" 2>/dev/null)"})
    names=(\${(M)offered:#*=})
    offered=(\${offered:#*=})
    (( $#names )) && compadd -S '' -- $names
    (( $#offered )) && compadd -- $offered
  elif [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _mcpx ]]; then _mcpx "$@"; else compdef _mcpx mcpx; fi
`;
}

function branch({ path, commands, options, choices, takesId }: Node): string {
  const plain = [...commands.map(described), ...choices.map(quote)].join(' ');
  const ids = takesId ? '; ask=id' : '';
  return `    '${path}') commands=(${plain}); options=(${options.map(described).join(' ')})${ids} ;;`;
}

function value({ option, choices, asks }: Tree['values'][number]): string {
  if (asks) return `    ${option}) ask=value ;;`;
  return `    ${option}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.join(' ')}`}; return ;;`;
}

function described({ word, description }: Word): string {
  return quote(`${word.replaceAll(':', '\\:')}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
