// `-F name=value` flags read into a draft by the question's schema (docs/terminal.md, "Commands").

import type { FieldProblem } from '../errors.ts';
import { quote } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { initialDraft, setValue } from './draft.ts';
import { pointer } from './json.ts';
import { unknownName } from './names.ts';
import { readChoices, readTyped, type Typed } from './typed.ts';
import type { Draft, Field, Form } from './types.ts';

export interface Flag {
  readonly name: string;
  readonly value: string;
}

/**
 * A draft of the flags, on top of the defaults unless `defaults` is false. Choices of a multi-select may be repeated and take the place of
 * its default; any other name may stand once. `name=` is the empty text for a text field, no choice for a
 * multi-select, unset for the rest. The draft has every flag that could be read; `problems` has one entry for each
 * name that could not.
 */
export function readFlags(
  form: Form,
  flags: readonly Flag[],
  { defaults = true }: { readonly defaults?: boolean } = {},
): { readonly draft: Draft; readonly problems: readonly FieldProblem[] } {
  const given = new Map<string, string[]>();
  for (const flag of flags) given.set(flag.name, [...(given.get(flag.name) ?? []), flag.value]);
  const fields = new Map(form.fields.map((field) => [field.name, field]));
  const problems: FieldProblem[] = [];
  let draft: Draft = defaults ? initialDraft(form) : new Map();
  for (const [name, values] of given) {
    const field = fields.get(name);
    const read: Typed = field === undefined ? wrong(unknownName(name, form)) : readValues(field, values);
    if (read.ok) draft = setValue(draft, name, read.value);
    else problems.push({ path: pointer(name), message: read.message });
  }
  return { draft, problems };
}

function readValues(field: Field, values: readonly string[]): Typed {
  const [first = '', ...more] = values;
  if (field.kind === 'multiselect') {
    if (more.length > 0) return readChoices(field.options, values);
    return first === '' ? ok('[]') : readTyped(field, first);
  }
  if (more.length > 0) return wrong('given more than once, but takes one value');
  return field.kind === 'text' && first === '' ? ok(quote('')) : readTyped(field, first);
}

function ok(value: JsonText): Typed {
  return { ok: true, value };
}

function wrong(message: string): Typed {
  return { ok: false, message };
}
