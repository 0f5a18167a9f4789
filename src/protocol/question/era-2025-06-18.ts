// Questions to a host of 2025-06-18: a flat form of that revision's four kinds of property, and nothing else.

import type { QuestionCodec } from '../elicitation.ts';
import {
  arrayText,
  canonical,
  elements,
  entries,
  isArray,
  isObject,
  mapMembers,
  member,
  objectText,
  quote,
  read,
  stringOf,
  withMember,
} from '../json-text.ts';
import type { JsonText } from '../types.ts';
import { flatKeywords, isWeighty, MOST_DEEP } from './flat-property.ts';
import { References } from './references.ts';

/** The keys that an object may have, each with what its value must be; other members are taken out. */
type Keys = ReadonlyMap<string, (value: JsonText) => boolean>;

const anything = (): boolean => true;
const isText = (value: JsonText): boolean => stringOf(value) !== undefined;
const isNumber = (value: JsonText): boolean => typeof read(value) === 'number';
const isInteger = (value: JsonText): boolean => Number.isInteger(read(value));
const isBoolean = (value: JsonText): boolean => typeof read(value) === 'boolean';
const isTexts = (value: JsonText): boolean => isArray(value) && elements(value).every(isText);
const isFormat = (value: JsonText): boolean =>
  ['email', 'uri', 'date', 'date-time'].includes(stringOf(value) ?? '');

const COMMON = [
  ['type', anything],
  ['title', isText],
  ['description', isText],
] as const;
const NUMBER: Keys = new Map([...COMMON, ['minimum', isNumber], ['maximum', isNumber]]);
const ENUM: Keys = new Map([...COMMON, ['enum', isTexts], ['enumNames', isTexts]]);

/** 2025-06-18 schema, PrimitiveSchemaDefinition: `default` is for booleans only (ELI-05). */
const PROPERTY: ReadonlyMap<string, Keys> = new Map([
  ['string', new Map([...COMMON, ['minLength', isInteger], ['maxLength', isInteger], ['format', isFormat]])],
  ['number', NUMBER],
  ['integer', NUMBER],
  ['boolean', new Map([...COMMON, ['default', isBoolean]])],
]);
const SCHEMA: Keys = new Map([
  ['type', (value) => stringOf(value) === 'object'],
  ['properties', isObject],
  ['required', isTexts],
]);
const PARAMS: Keys = new Map([
  ['message', isText],
  ['requestedSchema', isObject],
]);

/** What a schema says across its fields, or of all of them, that this revision has no word for. */
const ACROSS: readonly string[] = [
  ...['anyOf', 'oneOf', 'not', 'if', 'const', 'enum', '$dynamicRef', '$recursiveRef'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
];

/**
 * A url question, and a form with a field that this revision has no words for, are not sendable: to a host the broker is
 * the better place than half a question (ELI-04, ELI-09, C53). Local references and plain combinations are put in place
 * first. Words are left out only where the field stays what it is: those for people, and those that narrow one text or
 * number (`pattern`, `multipleOf`, exclusive bounds), which the asking server holds the answer to and can ask again for
 * (2025-06-18 client/elicitation). What says which values there are, or what one field means for another, is never left out.
 */
export const spell20250618: QuestionCodec = (params) => {
  const mode = member(params, 'mode');
  const schema = member(params, 'requestedSchema');
  if ((mode !== undefined && stringOf(mode) !== 'form') || schema === undefined) return undefined;
  const spelled = spellSchema(schema, new References(schema));
  if (spelled === undefined) return undefined;
  return withMember(only(params, PARAMS), 'requestedSchema', spelled);
};

function only(text: JsonText, keys: Keys): JsonText {
  return mapMembers(text, (value, key) => (keys.get(key)?.(value) ? value : undefined));
}

function spellSchema(schema: JsonText, references: References): JsonText | undefined {
  const joined = joinedSchema(schema, references);
  if (joined === undefined) return undefined;
  let whole = true;
  let out = mapMembers(only(joined, SCHEMA), (value, key) =>
    key !== 'properties'
      ? value
      : mapMembers(value, (property) => {
          const spelled = spellProperty(property, references);
          whole &&= spelled !== undefined;
          return spelled;
        }),
  );
  if (!whole) return undefined;
  if (member(out, 'type') === undefined) out = withMember(out, 'type', quote('object'));
  if (member(out, 'properties') === undefined) out = withMember(out, 'properties', '{}');
  return out;
}

/** The schema with the fields of those that it refers to (`$ref`, `allOf`); undefined where it is more than fields. */
function joinedSchema(schema: JsonText, references: References, depth = 0): JsonText | undefined {
  if (!isObject(schema) || depth > MOST_DEEP || !references.spend(schema.length)) return undefined;
  const own = new Map(entries(schema));
  const type = own.get('type');
  if (type !== undefined && stringOf(type) !== 'object') return undefined;
  if (ACROSS.some((key) => own.has(key))) return undefined;
  const reference = own.get('$ref');
  const parts = elements(own.get('allOf') ?? '[]').map((part): JsonText | undefined => part);
  if (reference !== undefined) parts.unshift(references.resolve(stringOf(reference) ?? ''));
  if (parts.length === 0) return schema;
  const properties = new Map(entries(own.get('properties') ?? '{}'));
  const required = new Set(elements(own.get('required') ?? '[]'));
  for (const part of parts) {
    const joined = part === undefined ? undefined : joinedSchema(part, references, depth + 1);
    if (joined === undefined) return undefined;
    for (const [name, property] of entries(member(joined, 'properties') ?? '{}')) {
      const known = properties.get(name);
      if (known !== undefined && canonical(known) !== canonical(property)) return undefined;
      properties.set(name, property);
    }
    for (const name of elements(member(joined, 'required') ?? '[]')) required.add(name);
  }
  return objectText([
    ['type', quote('object')],
    ['properties', objectText(properties)],
    ...(required.size === 0 ? [] : [['required', arrayText(required)] as const]),
  ]);
}

/** Undefined where this revision has no field for it. */
function spellProperty(property: JsonText, references: References): JsonText | undefined {
  if (!isObject(property)) return undefined;
  if (!isWeighty(property)) return known(property);
  const flat = flatKeywords(property, references);
  if (flat === undefined) return undefined;
  // Choices are texts, whether that is said or not.
  const typed = flat.has('type') || !flat.has('enum') ? flat : new Map([['type', quote('string')], ...flat]);
  return known(objectText(typed));
}

/** A field in the words that its kind has. */
function known(property: JsonText): JsonText | undefined {
  const type = stringOf(member(property, 'type'));
  const keys = type === undefined ? undefined : PROPERTY.get(type);
  if (member(property, 'enum') === undefined) return keys && only(property, keys);
  return type === 'string' ? only(property, ENUM) : undefined;
}
