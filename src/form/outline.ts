// A requestedSchema turned into fields without running anything that a server wrote: no pattern, no schema.
import { entries, member } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { fieldOf } from './field-of.ts';
import { isList, isObject, type JsonObject, own, parse } from './json.ts';
import { valueProblem } from './problem.ts';
import type { Field, Form } from './types.ts';
import { unusualOf } from './unusual.ts';

/** A form, and what is still to be found out about it. */
export interface Outline {
  /** Defaults are kept where they fit their own field (C05), and left out where they are in doubt. */
  readonly form: Form;
  /** Defaults by field, where only a pattern or the whole schema can say whether they fit. */
  readonly doubtful: ReadonlyMap<string, JsonText>;
}

/**
 * The fields of a schema in the order of its text, and sentences on what is unusual. Never throws, whatever the schema
 * is; one without properties is an empty form, a plain confirm (C03). The text itself is untouched in `schema` (C02).
 * Takes time by the length of the schema, and no more.
 */
export function outlineOf(requestedSchema: JsonText): Outline {
  const parsed = parse(requestedSchema);
  if (!isObject(parsed)) {
    const unusual = ['The schema of this question is not a JSON object.'];
    return { form: { fields: [], schema: requestedSchema, unusual }, doubtful: new Map() };
  }
  const properties = propertyTexts(requestedSchema);
  const required = requiredNames(parsed);
  const bare = [...properties].map(([name, text]) => fieldOf(name, text, required.has(name)));
  for (const name of required) {
    // Without a field for it nobody could answer: the content would never be complete.
    if (!properties.has(name)) bare.push({ ...fieldOf(name, 'true', true), ...UNDESCRIBED });
  }
  const doubtful = new Map<string, JsonText>();
  const fields = bare.map((field) => {
    const text = member(properties.get(field.name) ?? '{}', 'default');
    if (text === undefined || valueProblem(field, text) !== undefined) return field;
    if (!isInDoubt(field)) return { ...field, initial: parse(text) };
    doubtful.set(field.name, text);
    return field;
  });
  const form = { fields, schema: requestedSchema, unusual: unusualOf(parsed, fields) };
  return { form, doubtful };
}

const UNDESCRIBED = { kind: 'json', why: 'it is required but not described', schema: undefined } as const;

/** The text of each property; where a name appears twice the last one counts, as for every reader of JSON. */
export function propertyTexts(schema: JsonText): Map<string, JsonText> {
  return new Map(entries(member(schema, 'properties') ?? '{}'));
}

/** Names that are required: all of them are asked for, described or not. */
export function requiredNames(schema: JsonObject): Set<string> {
  const names = own(schema, 'required');
  return new Set(isList(names) ? names.filter((name) => typeof name === 'string') : []);
}

/** Whether a form that `outlineOf` gave has defaults that are still in doubt. */
export function hasDoubts(form: Form): boolean {
  const open = form.fields.filter((field) => field.initial === undefined && isInDoubt(field));
  if (open.length === 0) return false;
  const properties = propertyTexts(form.schema);
  return open.some(({ name }) => member(properties.get(name) ?? '{}', 'default') !== undefined);
}

function isInDoubt(field: Field): boolean {
  return field.kind === 'json' || (field.kind === 'text' && field.pattern !== undefined);
}
