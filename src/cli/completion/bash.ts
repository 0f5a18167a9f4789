// Completion for bash: `source <(mcpx completion bash)`.
import type { Node, Tree } from './tree.ts';

// Fields and their choices come from servers: they are never expanded as shell text (compgen -W would), and quoted.
export function bashScript({ nodes, values }: Tree): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  return `# Completion of mcpx for bash: source <(mcpx completion bash)
_mcpx() {
  local raw=\${COMP_WORDS[COMP_CWORD]} cur= prev= at= word words= ask= pre= head= i before=
  local -a line
  line=()
  COMPREPLY=()
  # bash takes words apart at = and :, which belong to them.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((\${#line[@]})) && [[ $word =~ ^[=:]+$ || $before =~ ^[=:]+$ ]] &&
      ! [[ -z $word && \${COMP_LINE:COMP_POINT-1:1} == ' ' ]]; then
      line[\${#line[@]}-1]+=$word
    else
      line+=("$word")
    fi
    before=$word
  done
  ((\${#line[@]})) && cur=\${line[\${#line[@]}-1]}
  ((\${#line[@]} > 1)) && prev=\${line[\${#line[@]}-2]}
  # What stands before the piece that bash replaces.
  if [[ $raw =~ ^[=:]+$ ]]; then head=$cur; else head=\${cur%"$raw"}; fi
  for ((i = 0; i < \${#line[@]} - 1; i++)); do
    word=\${line[i]}
    [[ $word == -- ]] && return
    case "\${at:+$at }$word" in
      ${paths.join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $cur == --*=* ]]; then pre=\${cur%%=*}= prev=\${cur%%=*}; fi
  case $prev in
${values.map(value).join('\n')}
    *)
      case $at in
${nodes.map(branch).join('\n')}
      esac ;;
  esac
  while IFS= read -r word; do
    [[ -n $word && $pre$word == "$cur"* ]] || continue
    word=$pre$word
    printf -v word %q "\${word#"$head"}"
    COMPREPLY+=("$word")
    [[ $word == *= ]] && compopt -o nospace 2>/dev/null
  done < <(
    [[ -n $words ]] && printf '%s\\n' $words
    [[ -n $ask ]] && mcpx completion bash "\${line[@]/#/--offer=}" 2>/dev/null
  )
}
complete -o default -F _mcpx mcpx
`;
}

function branch({ path, commands, options, choices, takesId }: Node): string {
  const dashed = options.map(({ word }) => word).join(' ');
  const plain = [...commands.map(({ word }) => word), ...choices].join(' ');
  const ask = takesId ? ' ask=1;' : '';
  return `        '${path}') if [[ $cur == -* ]]; then words='${dashed}'; else words='${plain}';${ask} fi ;;`;
}

// Without an answer bash falls back to file names.
function value({ option, choices, asks }: Tree['values'][number]): string {
  if (asks) return `    ${option}) ask=1 ;;`;
  return `    ${option}) ${choices.length === 0 ? 'return' : `words='${choices.join(' ')}'`} ;;`;
}
