// A property without references and combinations: what `$ref`, `allOf`, `anyOf` and `oneOf` say, put in its place.
import {
  arrayText,
  canonical,
  elements,
  entries,
  isArray,
  isObject,
  quote,
  read,
  stringOf,
} from '../json-text.ts';
import type { JsonText } from '../types.ts';
import type { References } from './references.ts';

/** The keywords of one schema; a Map, since a key may be `__proto__`. */
type Keywords = Map<string, JsonText>;

/** Deeper chains than any honest schema has; a circle ends here too. */
export const MOST_DEEP = 32;

/** Keywords that refer to schemas, combine them, or fix the value: never simply left out. */
const WEIGHTY: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const', 'enum'],
]);
/** Those that no flat schema can say. */
const BEYOND: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef', 'not', 'if']);
/** What a branch may say that is nothing but a choice. */
const CHOICE: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'enumNames',
  'title',
  'description',
  '$comment',
]);

/** Whether a schema is more than a list of words that can be looked at one by one, as `flatKeywords` gives them. */
export function isWeighty(schema: JsonText): boolean {
  let typed = false;
  for (const [key, value] of entries(schema)) {
    if (key === 'type') typed = stringOf(value) !== undefined;
    else if (key === 'enum') {
      if (!isArray(value) || elements(value).some((one) => stringOf(one) === undefined)) return true;
    } else if (WEIGHTY.has(key)) return true;
  }
  return !typed;
}

/**
 * The keywords that mean the same as the schema, or allow less: a choice between a value and null is the value, since a
 * host that leaves the field out has said null. Choices become `enum` and `enumNames`. Undefined where there are none:
 * the reference leads nowhere, outside or in a circle, the parts contradict each other, or the work is too much.
 */
export function flatKeywords(schema: JsonText, references: References, depth = 0): Keywords | undefined {
  if (depth > MOST_DEEP || !isObject(schema) || !references.spend(schema.length)) return undefined;
  const own: Keywords = new Map(entries(schema));
  // A schema with an id of its own is another document, where references lead elsewhere.
  if (depth > 0 && stringOf(own.get('$id') ?? quote('#'))?.startsWith('#') !== true) return undefined;
  const flat: Keywords = new Map();
  for (const [key, value] of own) {
    if (BEYOND.has(key)) return undefined;
    if (WEIGHTY.has(key) || (key === 'enumNames' && own.has('enum'))) continue;
    const plain = key === 'type' ? plainType(value) : value;
    if (plain === undefined) return undefined;
    flat.set(key, plain);
  }
  for (const part of partsOf(own, references, depth)) {
    if (part === undefined || !merge(flat, part)) return undefined;
  }
  return flat;
}

/** What a schema says by other means than its own plain words; undefined for what cannot be said plainly. */
function* partsOf(own: Keywords, references: References, depth: number): Generator<Keywords | undefined> {
  const constant = own.get('const');
  if (constant !== undefined) yield choice([[constant, undefined]]);
  const values = own.get('enum');
  if (values !== undefined) {
    const names = listed(own.get('enumNames'));
    yield choice(listed(values).map((value, index) => [value, names[index]] as const));
  }
  const reference = own.get('$ref');
  if (reference !== undefined) {
    const target = references.resolve(stringOf(reference) ?? '');
    yield target === undefined ? undefined : flatKeywords(target, references, depth + 1);
  }
  for (const branch of listed(own.get('allOf'))) yield flatKeywords(branch, references, depth + 1);
  for (const key of ['anyOf', 'oneOf'] as const) {
    const alternatives = own.get(key);
    if (alternatives === undefined) continue;
    const branches: Keywords[] = [];
    for (const branch of listed(alternatives)) {
      const flat = flatKeywords(branch, references, depth + 1);
      if (flat === undefined) return yield undefined;
      branches.push(flat);
    }
    yield oneOfThese(branches, key === 'oneOf');
  }
}

function listed(text: JsonText | undefined): readonly JsonText[] {
  return text === undefined ? [] : elements(text);
}

/** The one type, without null; undefined where several are left. */
function plainType(value: JsonText): JsonText | undefined {
  if (!isArray(value)) return value;
  const types = elements(value).map(stringOf);
  const [only, ...others] = types.length === 1 ? types : types.filter((type) => type !== 'null');
  return only === undefined || others.length > 0 ? undefined : quote(only);
}

/** What is left of alternatives: the only one that is not null, or the choices of all of them. */
function oneOfThese(branches: readonly Keywords[], exclusive: boolean): Keywords | undefined {
  const [only, ...others] = branches.filter((branch) => stringOf(branch.get('type')) !== 'null');
  if (only === undefined) return undefined;
  if (others.length === 0 && !(only.has('title') && listed(only.get('enum')).length === 1)) return only;
  const choices = new Map<string, readonly [value: JsonText, name: JsonText | undefined]>();
  for (const branch of [only, ...others]) {
    const type = branch.get('type');
    const values = listed(branch.get('enum'));
    // One that says more than which texts it takes is more than a list of choices.
    if (values.length === 0 || (type !== undefined && stringOf(type) !== 'string')) return undefined;
    if (![...branch.keys()].every((key) => CHOICE.has(key))) return undefined;
    const names = listed(branch.get('enumNames'));
    for (const [index, value] of values.entries()) {
      const text = stringOf(value) ?? '';
      // What two alternatives take is not allowed by `oneOf`.
      if (choices.has(text) && exclusive) return undefined;
      const name = names[index] ?? (values.length === 1 ? branch.get('title') : undefined);
      if (!choices.has(text)) choices.set(text, [value, name]);
    }
  }
  return choice([...choices.values()]);
}

/** `enum` and, where one has a name, `enumNames`; a choice without a title is called what it is. Only texts are choices. */
function choice(
  choices: readonly (readonly [value: JsonText, name: JsonText | undefined])[],
): Keywords | undefined {
  const texts = choices.filter(([value]) => value !== 'null');
  if (texts.length === 0 || !texts.every(([value]) => stringOf(value) !== undefined)) return undefined;
  const flat: Keywords = new Map([['enum', arrayText(texts.map(([value]) => value))]]);
  if (texts.some(([, name]) => name !== undefined))
    flat.set(
      'enumNames',
      arrayText(texts.map(([value, name]) => quote(stringOf(name) ?? stringOf(value) ?? ''))),
    );
  return flat;
}

/** Adds what another schema says of the same value; false where no value fits both, or none that these words can say. */
function merge(into: Keywords, part: Keywords): boolean {
  for (const [key, value] of part) {
    const known = into.get(key);
    const both = known === undefined ? value : together(key, known, value);
    if (both === undefined) return false;
    into.set(key, both);
  }
  return true;
}

function together(key: string, one: JsonText, other: JsonText): JsonText | undefined {
  if (canonical(one) === canonical(other)) return one;
  switch (key) {
    case 'type': {
      const types = [stringOf(one), stringOf(other)];
      return types.every((type) => type === 'integer' || type === 'number') ? quote('integer') : undefined;
    }
    case 'minLength':
    case 'minimum':
      return Number(read(one)) >= Number(read(other)) ? one : other;
    case 'maxLength':
    case 'maximum':
      return Number(read(one)) <= Number(read(other)) ? one : other;
    case 'enum':
    case 'format':
    case 'properties':
    case 'required':
      return undefined;
    default:
      // Of words for people, and of those that are not sent, the nearer ones stand.
      return one;
  }
}
