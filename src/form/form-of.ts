// A requestedSchema turned into the fields that every surface draws.
import { entries, member } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { fieldOf } from './field-of.ts';
import { isList, isObject, type JsonObject, own, parse } from './json.ts';
import { testPatterns } from './patterns.ts';
import { patternProblem, patternValue, valueProblem } from './problem.ts';
import type { Field, Form } from './types.ts';
import { unusualOf } from './unusual.ts';
import { contentProblems } from './validator.ts';

/**
 * The form for a schema: fields in the order of its text, defaults kept where they fit their own field (C05), and
 * sentences on what is unusual. Never throws, whatever the schema is; one without properties is an empty form, a
 * plain confirm (C03). The text itself is untouched in `schema` (C02).
 */
export function formOf(requestedSchema: JsonText): Form {
  const parsed = parse(requestedSchema);
  if (!isObject(parsed)) {
    return {
      fields: [],
      schema: requestedSchema,
      unusual: ['The schema of this question is not a JSON object.'],
    };
  }
  const properties = propertyTexts(requestedSchema);
  const required = requiredNames(parsed);
  const bare = [...properties].map(([name, text]) => fieldOf(name, text, required.has(name)));
  for (const name of required) {
    // Without a field for it nobody could answer: the content would never be complete.
    if (!properties.has(name)) bare.push({ ...fieldOf(name, 'true', true), ...UNDESCRIBED });
  }
  const fields = withDefaults(bare, properties, requestedSchema);
  return { fields, schema: requestedSchema, unusual: unusualOf(parsed, fields) };
}

const UNDESCRIBED = { kind: 'json', why: 'it is required but not described', schema: undefined } as const;

/** The text of each property; where a name stands twice the last one counts, as for every reader of JSON. */
export function propertyTexts(schema: JsonText): Map<string, JsonText> {
  return new Map(entries(member(schema, 'properties') ?? '{}'));
}

function requiredNames(schema: JsonObject): Set<string> {
  const names = own(schema, 'required');
  return new Set(isList(names) ? names.filter((name) => typeof name === 'string') : []);
}

function withDefaults(
  fields: readonly Field[],
  properties: ReadonlyMap<string, JsonText>,
  schema: JsonText,
): Field[] {
  const fitting = new Map<string, JsonText>();
  for (const field of fields) {
    const text = member(properties.get(field.name) ?? '{}', 'default');
    if (text !== undefined && valueProblem(field, text) === undefined) fitting.set(field.name, text);
  }
  dropMismatches(fields, fitting);
  dropUnfitJson(fields, fitting, schema);
  return fields.map((field) => {
    const text = fitting.get(field.name);
    return text === undefined ? field : { ...field, initial: parse(text) };
  });
}

/** All patterns in one go, so that many slow ones take no longer than one. */
function dropMismatches(fields: readonly Field[], fitting: Map<string, JsonText>): void {
  const tests = fields.flatMap((field) => {
    const text = fitting.get(field.name);
    const value = text === undefined ? undefined : patternValue(field, text);
    return value === undefined || field.kind !== 'text'
      ? []
      : [{ field, pattern: field.pattern ?? '', value }];
  });
  for (const [index, verdict] of testPatterns(tests).entries()) {
    const test = tests[index];
    if (test !== undefined && patternProblem(test.pattern, verdict) !== undefined)
      fitting.delete(test.field.name);
  }
}

/** A default of a JSON field fits if the whole schema says so; one compilation serves all of them. */
function dropUnfitJson(fields: readonly Field[], fitting: Map<string, JsonText>, schema: JsonText): void {
  const raw = fields.filter((field) => field.kind === 'json' && fitting.has(field.name));
  if (raw.length === 0) return;
  const content = Object.fromEntries(
    raw.map(({ name }) => [name, parse(fitting.get(name) ?? 'null') ?? null]),
  );
  const problems = contentProblems(schema, JSON.stringify(content), new Set()) ?? [];
  const wrong = new Set(problems.map(({ path }) => path.split('/')[1]));
  for (const { name } of raw) if (wrong.has(token(name))) fitting.delete(name);
}

function token(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
