// The symbols drawn in the terminal, each with an ASCII twin of the same meaning.

const TABLE = {
  pending: ['●', '*'],
  done: ['✓', '+'],
  failed: ['✗', 'x'],
  warning: ['⚠', '!'],
  pointer: ['❯', '>'],
  arrow: ['→', '->'],
  ellipsis: ['…', '...'],
  bullet: ['•', '-'],
  checked: ['◉', '[x]'],
  unchecked: ['◯', '[ ]'],
  chosen: ['●', '(*)'],
  open: ['○', '( )'],
  newline: ['↵', '\\n'],
  updown: ['↑↓', 'Up/Down'],
  dash: ['–', '-'],
  line: ['─', '-'],
  bar: ['│', '|'],
} as const;

export type GlyphName = keyof typeof TABLE;
export type Glyphs = { readonly [name in GlyphName]: string };

/** The table for terminals with or without unicode. */
export function glyphs(unicode: boolean): Glyphs {
  const pick = (name: GlyphName) => TABLE[name][unicode ? 0 : 1];
  return {
    pending: pick('pending'),
    done: pick('done'),
    failed: pick('failed'),
    warning: pick('warning'),
    pointer: pick('pointer'),
    arrow: pick('arrow'),
    ellipsis: pick('ellipsis'),
    bullet: pick('bullet'),
    checked: pick('checked'),
    unchecked: pick('unchecked'),
    chosen: pick('chosen'),
    open: pick('open'),
    newline: pick('newline'),
    updown: pick('updown'),
    dash: pick('dash'),
    line: pick('line'),
    bar: pick('bar'),
  };
}
