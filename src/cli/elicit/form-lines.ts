// The fields of a form as a table, with what else is known about each below it.
import { initialDraft } from '../../form/draft.ts';
import type { Field, Form } from '../../form/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import { choiceWords, kindWords, valueWords } from '../../terminal/field-words.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { width } from '../../text/columns.ts';
import { wrap } from '../../text/wrap.ts';
import type { Io } from '../io.ts';
import { columnsOf, tableLines } from './table.ts';

/** Choices of one field that are shown; a list of countries would push all else off the screen. */
const MOST_CHOICES = 20;

/**
 * Name, kind, whether it is required, default and choices of every field, all of it inert; columns in which nothing
 * stands are left out, and of more than 20 choices the rest is counted unless `all` are wanted.
 */
export function formLines(io: Io, form: Form, all = false): string[] {
  if (form.fields.length === 0) return ['The question has no fields: accepting it sends {}.'];
  const defaults = initialDraft(form);
  const choicesOf = (field: Field): string => {
    const words = choiceWords(field);
    const more = words.length - MOST_CHOICES;
    if (all || more <= 0) return words.join(', ');
    const rest = `${io.glyphs.ellipsis} and ${more} more; --all-choices or --json lists them`;
    return `${words.slice(0, MOST_CHOICES).join(', ')}, ${rest}`;
  };
  const rows = form.fields.map((field) => [
    oneLine(field.name),
    kindWords(field),
    field.required ? 'yes' : 'no',
    defaultWords(field, defaults.get(field.name)),
    choicesOf(field),
  ]);
  // Nothing is cut: where the choices do not fit beside the rest they stand below it.
  const columns = columnsOf(io);
  const whole = filledColumns(HEADER, rows);
  const fits = whole.every((line) => width(line) <= columns);
  const [head = '', ...lines] = fits
    ? whole
    : filledColumns(
        HEADER.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      );
  const notes = form.fields.flatMap((field) => {
    const label = field.label === field.name ? '' : oneLine(field.label);
    const words = choicesOf(field);
    const choices = fits || words === '' ? '' : `choices: ${words}`;
    const said = [label, oneLine(field.description ?? ''), choices].filter((words) => words !== '');
    return said.length === 0
      ? []
      : wrap(`${oneLine(field.name)}: ${said.join('; ')}`, columns - 4).map((line, at) =>
          at === 0 ? line : `  ${line}`,
        );
  });
  return [io.style.bold(head), ...lines, ...notes.map((line) => `  ${line}`)];
}

/** The table without the columns that are empty in every row. */
function filledColumns(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const isFilled = (_cell: string, column: number): boolean => rows.some((row) => (row[column] ?? '') !== '');
  return tableLines(
    header.filter(isFilled),
    rows.map((row) => row.filter(isFilled)),
  );
}

const HEADER = ['FIELD', 'KIND', 'REQUIRED', 'DEFAULT', 'CHOICES'];

function defaultWords(field: Field, value: JsonText | undefined): string {
  return value === undefined ? '' : valueWords(field, value);
}
