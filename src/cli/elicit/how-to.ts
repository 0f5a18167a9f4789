// The commands that answer a question, ready to be copied: what a person types next.

import type { Row } from '../../broker/types.ts';
import type { Field, Form } from '../../form/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Given } from './fields.ts';

/** `mcpx elicit accept <id>` with the values already given and a word for each field still to be filled. */
export function acceptCommand(
  row: Row,
  form: Form,
  given: readonly Given[],
  missing: ReadonlySet<string>,
): string {
  const parts = ['mcpx elicit accept', row.id];
  for (const field of form.fields) {
    const name = oneLine(field.name);
    // A name that cannot be shown as it is cannot be typed either.
    if (name !== field.name) continue;
    const values = missing.has(name)
      ? [blankFor(field)]
      : given.filter((one) => one.name === name).map(shownValue);
    parts.push(...values.map((value) => `-F ${shellWord(`${name}=${value ?? blankFor(field)}`)}`));
  }
  return parts.join(' ');
}

/** As it was typed, if it can be shown so. */
function shownValue({ typed }: Given): string | undefined {
  return oneLine(typed) === typed ? typed : undefined;
}

/** What stands for the value of a field in a command that is shown. */
function blankFor(field: Field): string {
  if (field.secret) return '@-';
  switch (field.kind) {
    case 'text':
      return 'TEXT';
    case 'number':
    case 'integer':
      return 'NUMBER';
    case 'boolean':
      return 'TRUE_OR_FALSE';
    case 'select':
    case 'multiselect':
      return 'CHOICE';
    case 'json':
      return 'JSON';
  }
}

/** Names come from the server: one that means something to a shell must not do so when the command is pasted. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
