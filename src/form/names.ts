// A name the form lacks, and the name that was probably meant.
import { similar } from '../text/similar.ts';
import type { Form } from './types.ts';
import { list, named } from './words.ts';

/** The message for a name that is no field of the form. */
export function unknownName(name: string, form: Form): string {
  const names = form.fields.map((field) => field.name);
  if (names.length === 0) return 'is not asked for: this question has no fields';
  const meant = similar(name, names);
  const guess = meant === undefined ? '' : `; did you mean ${named(meant)}?`;
  return `is not asked for (there is ${list(names)})${guess}`;
}
