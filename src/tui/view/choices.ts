// The rows of a select or multi-select: all of them while it has the keys, the chosen ones otherwise.
import type { Option } from '../../form/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { width } from '../../text/columns.ts';
import { wrap } from '../../text/wrap.ts';
import { type Choosable, chosenValues, highlighted, optionRows, shownRows } from '../state/answers.ts';
import { LONG_LIST } from '../state/place.ts';
import type { Question } from '../state/types.ts';
import type { Body, FieldPlace } from './frame.ts';
import { type Line, line, paragraph, span } from './span.ts';

/** At least so many rows are drawn around the highlighted one; otherwise half of the screen, so that the question stays in sight. */
const LEAST = 5;

export function choiceBody(question: Question, field: Choosable, place: FieldPlace): Body {
  if (!place.isFocused) return { lines: chosenLines(question, field, place) };
  const rows = optionRows(field);
  const chosen = chosenValues(question, field);
  const filter = question.filter.get(field.name);
  const shown = shownRows(question, field);
  const at = shown.indexOf(highlighted(question, field));
  const room = Math.max(LEAST, Math.floor(place.room / 2));
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), shown.length - room));
  const part = shown.slice(first, first + room);
  const lines: Line[] = filter === undefined ? [] : filterLines(filter, shown.length, place);
  let spot = { from: 0, to: 1 };
  if (first > 0) lines.push(line(`    ${first} more above`, 'dim'));
  for (const [index, row] of part.entries()) {
    const option = rows[row];
    const from = lines.length;
    const isOn = option === undefined ? !question.draft.has(field.name) : chosen.has(option.value);
    const number = filter === undefined ? numberOf(field, row) : '';
    lines.push(...optionLines({ field, option, number, isOn, isLit: first + index === at }, place));
    if (first + index === at) spot = { from, to: lines.length };
  }
  const below = shown.length - first - part.length;
  if (below > 0) lines.push(line(`    ${below} more below`, 'dim'));
  return { lines, spot };
}

/** What the list is filtered by, whole, and how much that leaves. */
function filterLines(filter: string, count: number, { columns }: FieldPlace): Line[] {
  const words = filter === '' ? '(type to filter)' : oneLine(filter);
  const left = count === 0 ? 'no option has that in it' : `${count} shown`;
  return paragraph(`Filter: ${words}  (${left})`, columns - 1, 'strong', 4);
}

/** The digit that picks a row. In a long list digits are a filter; a tenth row has no digit. */
function numberOf(field: Choosable, row: number): string {
  if (field.options.length >= LONG_LIST) return '';
  return row < 9 ? `${row + 1} ` : '  ';
}

interface Choice {
  readonly field: Choosable;
  readonly option: Option | undefined;
  readonly number: string;
  readonly isOn: boolean;
  readonly isLit: boolean;
}

function optionLines(
  { field, option, number, isOn, isLit }: Choice,
  { columns, glyphs }: FieldPlace,
): Line[] {
  const [on, off] =
    field.kind === 'select' ? [glyphs.chosen, glyphs.open] : [glyphs.checked, glyphs.unchecked];
  const start = `${isOn ? on : off} ${number}`;
  const margin = 4 + width(start);
  const [head = '', ...rest] = wrap(optionWords(option), Math.max(8, columns - margin - 1));
  const tone = isLit ? 'focus' : isOn ? 'field' : 'plain';
  return [
    [span(isLit ? `  ${glyphs.pointer} ` : '    ', 'focus'), span(start, tone), span(head, tone)],
    ...rest.map((text) => line(' '.repeat(margin) + text, tone)),
  ];
}

/** The label, and what is sent where that is something else. */
function optionWords(option: Option | undefined): string {
  if (option === undefined) return '(leave it out)';
  const sent = typeof option.value === 'string' ? option.value : JSON.stringify(option.value);
  const label = oneLine(option.label);
  return option.label === sent ? label : `${label}  (sends ${oneLine(sent)})`;
}

function chosenLines(question: Question, field: Choosable, { columns }: FieldPlace): Line[] {
  const values = chosenValues(question, field);
  const chosen = field.options.filter((option) => values.has(option.value)).map(optionWords);
  if (chosen.length > 0) return paragraph(chosen.join(', '), columns - 1, 'field', 4);
  return [line(question.draft.has(field.name) ? '    (an empty list)' : '    (nothing chosen)', 'dim')];
}
