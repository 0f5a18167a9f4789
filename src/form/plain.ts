// Which schemas cost no more than their length to check: the flat ones, where the fields' own checks say all there is.
import type { JsonText } from '../protocol/types.ts';
import { dialectOf } from './dialect.ts';
import { isList, isObject, type Json, type JsonObject, own, parse } from './json.ts';
import type { Field, Form } from './types.ts';

/** Characters; what is shorter is read and checked within a few milliseconds, whatever is in it. */
export const SMALL = 16_384;

const ROOT = words('$schema type properties required title description additionalProperties');
const SAID = ['type', 'title', 'description', 'default'];
const CHOICE = ['enum', 'oneOf', 'anyOf', 'const'];
const KEYWORDS: Readonly<Record<Exclude<Field['kind'], 'json'>, ReadonlySet<string>>> = {
  text: words('format minLength maxLength', SAID),
  number: words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', SAID),
  integer: words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', SAID),
  boolean: words('', SAID),
  select: words('enumNames', [...SAID, ...CHOICE]),
  multiselect: words('items minItems maxItems uniqueItems', SAID),
};
const ITEMS = words('type title description enumNames', CHOICE);
const BRANCH = words('const title description');
const BOUNDS = words(
  'minLength maxLength minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum',
);

/**
 * Whether the checks of its fields are all that a schema asks for: nothing in it has to be compiled or run, neither a
 * pattern nor a reference nor anything that ties fields together. `form` is its outline.
 */
export function isPlain(form: Form): boolean {
  if (form.schema.length > SMALL) return false;
  const schema = parse(form.schema);
  if (!isObject(schema) || !hasOnly(schema, ROOT)) return false;
  const extra = own(schema, 'additionalProperties');
  const properties = own(schema, 'properties') ?? {};
  if (dialectOf(schema) === undefined || own(schema, 'type') !== 'object' || !isObject(properties))
    return false;
  if (extra !== undefined && typeof extra !== 'boolean') return false;
  const required = own(schema, 'required');
  if (required !== undefined && !(isList(required) && isUnique(required))) return false;
  return form.fields.every((field) => isPlainField(field, own(properties, field.name)));
}

/** Whether a content is short enough to be checked in place. */
export function isSmall(content: JsonText): boolean {
  return content.length <= SMALL;
}

function isPlainField(field: Field, schema: Json | undefined): boolean {
  if (field.kind === 'json' || field.name === '__proto__') return false;
  if (!isObject(schema) || !hasOnly(schema, KEYWORDS[field.kind])) return false;
  if (![...BOUNDS].every((name) => isBound(own(schema, name)))) return false;
  const step = own(schema, 'multipleOf');
  if (step !== undefined && !(typeof step === 'number' && step > 0)) return false;
  if (field.kind === 'select') return isChoice(schema);
  if (field.kind !== 'multiselect') return true;
  const items = own(schema, 'items');
  return isObject(items) && hasOnly(items, ITEMS) && isChoice(items);
}

/** One list of choices, none twice: otherwise the schema may allow fewer than are shown. */
function isChoice(schema: JsonObject): boolean {
  const [keyword, ...more] = CHOICE.filter((name) => Object.hasOwn(schema, name));
  if (keyword === undefined || more.length > 0) return false;
  const values = own(schema, keyword);
  if (keyword === 'const') return true;
  if (!isList(values)) return false;
  if (keyword === 'enum') return isUnique(values);
  const constants = values.map((branch) =>
    isObject(branch) && hasOnly(branch, BRANCH) ? own(branch, 'const') : undefined,
  );
  return constants.every((constant) => constant !== undefined) && isUnique(constants);
}

function isBound(value: Json | undefined): boolean {
  return value === undefined || (typeof value === 'number' && value >= -Number.MAX_VALUE);
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function hasOnly(schema: JsonObject, known: ReadonlySet<string>): boolean {
  return Object.keys(schema).every((keyword) => known.has(keyword));
}

function words(text: string, more: readonly string[] = []): ReadonlySet<string> {
  return new Set([...text.split(' ').filter((word) => word !== ''), ...more]);
}
