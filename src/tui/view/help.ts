// The help, printed from the table of keys.

import { padEnd, width } from '../../text/columns.ts';
import type { Place } from '../state/key-row.ts';
import { KEYS } from '../state/keys.ts';
import type { State } from '../state/types.ts';
import { BLANK, type Line, labelled, line, span } from './span.ts';

const PARTS: readonly (readonly [title: string, places: readonly Place[]])[] = [
  ['In the inbox', ['inbox', 'answered']],
  [
    'In a form',
    [
      'read',
      'text',
      'boolean',
      'select',
      'multiselect',
      'long-select',
      'long-multiselect',
      'filter-select',
      'filter-multiselect',
    ],
  ],
  ['In the review', ['review', 'review-back', 'ask', 'ask-yes']],
  ['With a URL', ['consent', 'unopenable', 'waiting']],
  ['When it is over', ['over']],
];

const NAMES: Readonly<Record<string, string>> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift+tab': 'Shift+Tab',
  space: 'Space',
  backspace: 'Backspace',
  delete: 'Del',
};

export function helpBody(state: State): Line[] {
  const { columns } = state.size;
  const lines: Line[] = [];
  for (const [title, places] of PARTS) {
    lines.push(line(` ${title}`, 'strong'));
    for (const row of KEYS.filter((key) => key.in.some((place) => places.includes(place)))) {
      const keys = row.keys.length === 9 ? `1${state.glyphs.dash}9` : row.keys.map(keyName).join(', ');
      lines.push(...labelled(span(keys, 'key'), span(row.help), columns - 1, 20, 3));
    }
    lines.push(BLANK);
  }
  return lines;
}

/** A stroke as it stands on a keyboard: `ctrl+d` is `Ctrl+D`. */
export function keyName(stroke: string): string {
  const [, held, key = ''] = /^(ctrl|alt)\+(.+)$/.exec(stroke) ?? [];
  if (held === undefined) return NAMES[stroke] ?? stroke;
  return `${held === 'ctrl' ? 'Ctrl' : 'Alt'}+${NAMES[key] ?? key.toUpperCase()}`;
}

/** The keys of a place for the footer, over as many lines as they take. */
export function keyLines(
  entries: readonly (readonly [string, string])[],
  columns: number,
  most: number,
): Line[] {
  const lines: Line[] = [];
  let current: Line = [span(' ')];
  let used = 1;
  for (const [keys, words] of entries) {
    const wide = width(keys) + 1 + width(words) + 2;
    if (used > 1 && used + wide > columns) {
      lines.push(current);
      current = [span(' ')];
      used = 1;
    }
    current = [...current, span(keys, 'key'), span(padEnd(` ${words}`, 0), 'dim'), span('  ')];
    used += wide;
  }
  return [...lines, current].slice(0, most);
}
