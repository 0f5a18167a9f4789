// What a person has entered so far, as a value that is replaced, never changed.
import { duplicateKey, entries, isObject, member, objectText } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { propertyTexts } from './outline.ts';
import type { Draft, Form } from './types.ts';

/**
 * A draft with the defaults that fit filled in, as the very text the schema has for them; the rest is unset
 * (ELI-05, C05).
 */
export function initialDraft(form: Form): Draft {
  const draft = new Map<string, JsonText>();
  if (form.fields.length === 0) return draft;
  const properties = propertyTexts(form.schema);
  for (const field of form.fields) {
    const text =
      field.initial === undefined ? undefined : member(properties.get(field.name) ?? '{}', 'default');
    if (text !== undefined) draft.set(field.name, text);
  }
  return draft;
}

/**
 * A content given as JSON with the defaults of the fields that it leaves out, in the order of the schema: what the
 * same values give by `-F` or in a form. Values keep their own text, and where nothing is left out so does the whole.
 * What is no object, or has a name twice, is given back for `checkContent` to refuse.
 */
export function fillDefaults(form: Form, content: JsonText): JsonText {
  if (!isObject(content) || duplicateKey(content) !== undefined) return content;
  const given = new Map(entries(content));
  const missing = [...initialDraft(form)].filter(([name]) => !given.has(name));
  if (missing.length === 0) return content;
  const filled = new Map([...missing, ...given]);
  const ordered = form.fields.flatMap(({ name }): [string, JsonText][] => {
    const value = filled.get(name);
    return value !== undefined && filled.delete(name) ? [[name, value]] : [];
  });
  return objectText([...ordered, ...filled]);
}

/** The draft with one value set; `undefined` unsets it, so that it will be absent from the content. */
export function setValue<Value extends string>(
  draft: ReadonlyMap<string, Value>,
  name: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  const changed = new Map(draft);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed;
}
