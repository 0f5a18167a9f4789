// One field of a form: its name and kind, its value or the means to enter one, and what is wrong with it.
import { optionText } from '../../form/options.ts';
import type { Field } from '../../form/types.ts';
import { kindWords } from '../../terminal/field-words.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { width } from '../../text/columns.ts';
import { inert } from '../../text/inert.ts';
import { wrap } from '../../text/wrap.ts';
import { chosenValues, typingFor } from '../state/answers.ts';
import type { Question } from '../state/types.ts';
import { choiceBody } from './choices.ts';
import type { Body, FieldPlace } from './frame.ts';
import { BLANK, ends, type Line, line, lineWidth, paragraph, type Span, span } from './span.ts';
import { textBox } from './text-box.ts';

const INDENT = 4;

/** The lines of a field; ranges and cursor count from its first line. */
export function fieldBody(question: Question, field: Field, place: FieldPlace): Body {
  const { columns, isFocused } = place;
  const head = [...titleLines(question, field, place), ...descriptionLines(field, columns)];
  const value = valueBody(question, field, place);
  const problem = question.problems.get(field.name);
  const tail =
    problem === undefined
      ? []
      : paragraph(`! ${oneLine(problem)}`, columns - 1, isFocused ? 'warn' : 'error', INDENT);
  const lines = [...head, ...value.lines, ...tail, BLANK];
  const shift = head.length;
  const { cursor, spot } = value;
  return {
    lines,
    block: { from: 0, to: lines.length - 1 },
    spot:
      spot === undefined
        ? { from: 0, to: Math.min(lines.length, 3) }
        : { from: spot.from + shift, to: spot.to + shift },
    cursor: cursor === undefined ? undefined : { line: cursor.line + shift, column: cursor.column },
  };
}

function titleLines(question: Question, field: Field, { columns, glyphs, isFocused }: FieldPlace): Line[] {
  const pointer = isFocused ? span(`${glyphs.pointer} `, 'focus') : span('  ');
  const label = oneLine(field.label);
  const name = oneLine(field.name);
  const title = span(label, isFocused ? 'focus' : 'strong');
  const own = span(label === name ? '' : ` (${name})`, 'dim');
  const kind = span(`  ${kindWords(field)}${countWords(question, field, glyphs)}`, 'dim');
  const status = statusSpan(question, field, glyphs);
  const whole = [pointer, title, own, kind];
  if (lineWidth(whole) + width(status.text) + 2 <= columns) {
    return [ends(whole, [status, span(' ')], columns, glyphs.ellipsis)];
  }
  const [first = '', ...rest] = wrap(label + own.text, columns - 3);
  return [
    [pointer, span(first, title.tone)],
    ...rest.map((part) => line(`  ${part}`, title.tone)),
    ...paragraph(`${status.text}, ${kind.text.trim()}`, columns - 1, 'dim', INDENT),
  ];
}

/** How many are taken, of how many that may be: `, 2 of 1–3`. */
function countWords(question: Question, field: Field, glyphs: Glyphs): string {
  if (field.kind !== 'multiselect') return '';
  const { minItems: least, maxItems: most } = field;
  const count = chosenValues(question, field).size;
  if (least === undefined && most === undefined) return `, ${count} of ${field.options.length} taken`;
  if (most === undefined) return `, ${count} of at least ${least} taken`;
  return least === undefined
    ? `, ${count} of at most ${most} taken`
    : `, ${count} of ${least}${glyphs.dash}${most} taken`;
}

function statusSpan(question: Question, field: Field, glyphs: Glyphs): Span {
  if (question.problems.has(field.name)) return span('! not yet', 'warn');
  if (question.draft.has(field.name)) return span(`${glyphs.done} ok`, 'ok');
  return field.required ? span('* required', 'warn') : span('optional', 'dim');
}

function descriptionLines(field: Field, columns: number): Line[] {
  return field.description === undefined
    ? []
    : paragraph(inert(field.description), columns - 1, 'dim', INDENT);
}

function valueBody(question: Question, field: Field, place: FieldPlace): Body {
  switch (field.kind) {
    case 'boolean':
      return { lines: [booleanLine(question, field, place)] };
    case 'select':
    case 'multiselect':
      return choiceBody(question, field, place);
    default:
      return place.isFocused
        ? typingBody(question, field, place)
        : { lines: restLines(question, field, place) };
  }
}

function typingBody(question: Question, field: Field, { columns, glyphs }: FieldPlace): Body {
  const bar = `  ${glyphs.bar} `;
  const mask = field.secret ? '*' : undefined;
  const box = textBox(typingFor(question, field), columns - INDENT - 1, { newline: glyphs.newline, mask });
  return {
    lines: box.lines.map((text) => [span(bar, 'focus'), span(text, 'field')]),
    spot: { from: box.cursor.line, to: box.cursor.line + 1 },
    cursor: { line: box.cursor.line, column: box.cursor.column + INDENT },
  };
}

function restLines(question: Question, field: Field, { columns, glyphs }: FieldPlace): Line[] {
  const typing = typingFor(question, field);
  if (typing.text === '') {
    const isEmpty = question.draft.has(field.name);
    return [line(`    ${isEmpty ? '(an empty text)' : '(nothing entered)'}`, 'dim')];
  }
  const mask = field.secret ? '*' : undefined;
  return textBox(typing, columns - INDENT - 1, { newline: glyphs.newline, mask }).lines.map((text) =>
    line(`    ${text}`, 'field'),
  );
}

function booleanLine(question: Question, field: Field, { glyphs, isFocused }: FieldPlace): Line {
  const value = question.draft.get(field.name);
  const choices: [string | undefined, string][] = [
    [optionText({ value: true, label: '' }), 'yes'],
    [optionText({ value: false, label: '' }), 'no'],
    [undefined, 'not answered'],
  ];
  return [
    span(isFocused ? `  ${glyphs.bar} ` : '    ', 'focus'),
    ...choices.flatMap(([text, word]) => {
      const isOn = value === text;
      return [span(`${isOn ? glyphs.chosen : glyphs.open} ${word}   `, isOn ? 'field' : 'dim')];
    }),
  ];
}
