// What the person sees before sending: every field with the value that will be sent, and what is still wrong.
import type { FieldProblem } from '../errors.ts';
import type { Draft, Form } from '../form/types.ts';
import { valueWords } from '../terminal/field-words.ts';
import { oneLine } from '../terminal/one-line.ts';
import { padEnd, width } from '../text/columns.ts';

/** One line a field, in schema order, with JSON types; a field that is not set is said not to be sent. */
export function reviewLines(form: Form, draft: Draft): string[] {
  if (form.fields.length === 0) return ['  {}  (the question has no fields)'];
  const names = form.fields.map((field) => oneLine(field.name));
  const column = Math.min(30, Math.max(...names.map(width)));
  return form.fields.map((field, index) => {
    const value = draft.get(field.name);
    const shown = value === undefined ? '(not sent)' : valueWords(field, value);
    return `  ${padEnd(names[index] ?? '', column)}  ${shown}`;
  });
}

/** What is wrong, one line each, with the field in front where it is one field's. */
export function problemLines(problems: readonly FieldProblem[]): string[] {
  return problems.map(({ path, message }) => {
    const name = path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
    return `  ! ${name === '' ? '' : `${oneLine(name)}: `}${oneLine(message)}`;
  });
}
