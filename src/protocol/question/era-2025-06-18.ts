// Questions to a host of 2025-06-18: a flat form of that revision's four kinds of property, and nothing else.

import type { QuestionCodec } from '../elicitation.ts';
import {
  arrayText,
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

function only(text: JsonText, keys: Keys): JsonText {
  return mapMembers(text, (value, key) => (keys.get(key)?.(value) ? value : undefined));
}

/** A url question and a form with a multi-select have no equivalent, and are not sendable (ELI-04, ELI-09). */
export const spell20250618: QuestionCodec = (params) => {
  const mode = member(params, 'mode');
  const schema = member(params, 'requestedSchema');
  if ((mode !== undefined && stringOf(mode) !== 'form') || schema === undefined) return undefined;
  const properties = member(schema, 'properties') ?? '{}';
  if (entries(properties).some(([, property]) => typeOf(property) === 'array')) return undefined;
  return mapMembers(only(params, PARAMS), (value, key) =>
    key === 'requestedSchema' ? spellSchema(value) : value,
  );
};

function spellSchema(schema: JsonText): JsonText {
  let out = mapMembers(only(schema, SCHEMA), (value, key) =>
    key === 'properties' ? mapMembers(value, spellProperty) : value,
  );
  if (member(out, 'type') === undefined) out = withMember(out, 'type', '"object"');
  if (member(out, 'properties') === undefined) out = withMember(out, 'properties', '{}');
  return out;
}

function typeOf(property: JsonText): string | undefined {
  return isObject(property) ? stringOf(member(property, 'type')) : undefined;
}

/**
 * A property of a kind that no revision defines (nested objects, no type) goes on as it came: the host decides, as it
 * would without mcpx (ELI-02, C04).
 */
function spellProperty(property: JsonText): JsonText {
  const type = typeOf(property);
  const keys = type === undefined ? undefined : PROPERTY.get(type);
  if (keys === undefined) return property;
  if (type !== 'string') return only(property, keys);
  const plain = member(property, 'enum');
  if (plain !== undefined && isTexts(plain)) return only(property, ENUM);
  const choices = titledChoices(member(property, 'oneOf'));
  return choices === undefined ? only(property, keys) : withEnum(property, choices);
}

/** The const/title pairs of a titled single-select; a choice without a title is called what it is. */
function titledChoices(oneOf: JsonText | undefined): (readonly [value: string, name: string])[] | undefined {
  if (oneOf === undefined || !isArray(oneOf)) return undefined;
  const choices: (readonly [string, string])[] = [];
  for (const choice of elements(oneOf)) {
    const value = isObject(choice) ? stringOf(member(choice, 'const')) : undefined;
    if (value === undefined) return undefined;
    choices.push([value, stringOf(member(choice, 'title')) ?? value]);
  }
  return choices;
}

/** Puts `enum` and `enumNames` where `oneOf` stood. */
function withEnum(property: JsonText, choices: readonly (readonly [string, string])[]): JsonText {
  const members = entries(property).flatMap(([key, value]): (readonly [string, JsonText])[] => {
    if (key === 'oneOf') {
      return [
        ['enum', arrayText(choices.map(([choice]) => quote(choice)))],
        ['enumNames', arrayText(choices.map(([, name]) => quote(name)))],
      ];
    }
    return COMMON.some(([known, fits]) => known === key && fits(value)) ? [[key, value]] : [];
  });
  return objectText(members);
}
