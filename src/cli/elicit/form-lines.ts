// The fields of a form as a table, with what else is known about each below it.
import { initialDraft } from '../../form/draft.ts';
import type { Field, Form } from '../../form/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import { choiceWords, kindWords, valueWords } from '../../terminal/field-words.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { width } from '../../text/columns.ts';
import { wrap } from '../../text/wrap.ts';
import type { Io } from '../io.ts';
import { columnsOf } from './layout.ts';
import { tableLines } from './table.ts';

/** Name, kind, whether it is required, default and choices of every field, all of it inert. */
export function formLines(io: Io, form: Form): string[] {
  if (form.fields.length === 0) return ['The question has no fields: accepting it sends {}.'];
  const defaults = initialDraft(form);
  const rows = form.fields.map((field) => [
    oneLine(field.name),
    kindWords(field),
    field.required ? 'yes' : 'no',
    defaultWords(field, defaults.get(field.name)),
    choiceWords(field).join(', '),
  ]);
  // Nothing is cut: where the choices do not fit beside the rest they stand below it.
  const columns = columnsOf(io);
  const whole = tableLines(HEADER, rows);
  const fits = whole.every((line) => width(line) <= columns);
  const [head = '', ...lines] = fits
    ? whole
    : tableLines(
        HEADER.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      );
  const notes = form.fields.flatMap((field) => {
    const label = field.label === field.name ? '' : oneLine(field.label);
    const choices =
      fits || choiceWords(field).length === 0 ? '' : `choices: ${choiceWords(field).join(', ')}`;
    const said = [label, oneLine(field.description ?? ''), choices].filter((words) => words !== '');
    return said.length === 0
      ? []
      : wrap(`${oneLine(field.name)}: ${said.join('; ')}`, columns - 4).map((line, at) =>
          at === 0 ? line : `  ${line}`,
        );
  });
  return [io.style.bold(head), ...lines, ...notes.map((line) => `  ${line}`)];
}

const HEADER = ['FIELD', 'KIND', 'REQUIRED', 'DEFAULT', 'CHOICES'];

function defaultWords(field: Field, value: JsonText | undefined): string {
  return value === undefined ? '' : valueWords(field, value);
}
