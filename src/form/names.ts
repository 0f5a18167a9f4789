// A name the form lacks, and the name that was probably meant.
import { similar } from '../text/similar.ts';
import type { Form } from './types.ts';
import { list, named } from './words.ts';

/** The message for a name that is no field of the form, with what was probably meant unless `guesses` is false. */
export function unknownName(name: string, form: Form, guesses = true): string {
  const names = form.fields.map((field) => field.name);
  if (names.length === 0) return 'unknown field; this question has no fields';
  const meant = guesses ? similar(name, names) : undefined;
  const guess = meant === undefined ? '' : `; did you mean ${named(meant)}?`;
  return `unknown field; fields are: ${list(names)}${guess}`;
}
