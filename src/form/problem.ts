// What is wrong with one field's value as far as the field itself tells: type, bounds, format, choices.
import type { JsonText } from '../protocol/types.ts';
import { isOfFormat } from './formats.ts';
import { isList, type Json, parse } from './json.ts';
import { isExact, isMultipleOf } from './number-text.ts';
import type { PatternVerdict } from './patterns.ts';
import type { Field } from './types.ts';
import { count, INEXACT, NOT_JSON, named, notAnOption, notOfFormat, REQUIRED, range } from './words.ts';

const CHARACTERS: [string, string] = ['character', 'characters'];
const CHOICES: [string, string] = ['choice', 'choices'];

/**
 * What is wrong with the value of a field, `undefined` if nothing is; an unset value is wrong only where one is
 * required. Without the checks that cost time: a text's pattern, the inside of a JSON value.
 */
export function valueProblem(field: Field, value: JsonText | undefined): string | undefined {
  if (value === undefined) return field.required ? REQUIRED : undefined;
  const parsed = parse(value);
  if (parsed === undefined) return NOT_JSON;
  switch (field.kind) {
    case 'text':
      return textProblem(field, parsed);
    case 'number':
    case 'integer':
      return numberProblem(field, parsed, value.trim());
    case 'boolean':
      return typeof parsed === 'boolean' ? undefined : 'needs yes or no';
    case 'select':
      return field.options.some((option) => option.value === parsed) ? undefined : notAnOption(field.options);
    case 'multiselect':
      return choicesProblem(field, parsed);
    case 'json':
      return undefined;
  }
}

/** The text of a text field that a pattern is to be tested against. */
export function patternValue(field: Field, value: JsonText): string | undefined {
  if (field.kind !== 'text' || field.pattern === undefined) return undefined;
  const parsed = parse(value);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** The message for a pattern's verdict; one that cannot be used says nothing about the value. */
export function patternProblem(pattern: string, verdict: PatternVerdict | undefined): string | undefined {
  switch (verdict) {
    case 'mismatch':
      return `does not match the pattern ${named(pattern)}`;
    case 'slow':
      return `could not be checked in time against the pattern ${named(pattern)}`;
    case 'match':
    case 'unusable':
    case undefined:
      return undefined;
  }
}

type Of<K extends Field['kind']> = Extract<Field, { kind: K }>;

function textProblem(field: Of<'text'>, value: Json): string | undefined {
  if (typeof value !== 'string') return 'needs text';
  const length = codePoints(value);
  const { minLength, maxLength, format } = field;
  if ((minLength !== undefined && length < minLength) || (maxLength !== undefined && length > maxLength)) {
    return count(minLength, maxLength, CHARACTERS);
  }
  return format !== undefined && !isOfFormat(format, value) ? notOfFormat(format) : undefined;
}

function numberProblem(field: Of<'number' | 'integer'>, value: Json, text: string): string | undefined {
  if (typeof value !== 'number') return field.kind === 'integer' ? 'needs a whole number' : 'needs a number';
  if (!isExact(text)) return INEXACT;
  if (field.kind === 'integer' && !Number.isInteger(value)) return 'needs a whole number';
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = field;
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) {
    return range(minimum, maximum);
  }
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf))
    return `must be a multiple of ${multipleOf}`;
  return undefined;
}

function choicesProblem(field: Of<'multiselect'>, value: Json): string | undefined {
  if (!isList(value)) return 'needs a list of choices';
  const known = new Set<Json>(field.options.map((option) => option.value));
  const wrong = value.find((item) => !known.has(item));
  if (wrong !== undefined) return `${named(JSON.stringify(wrong))} is ${notAnOption(field.options)}`;
  if (new Set(value).size < value.length) return 'has the same choice twice';
  const { minItems, maxItems } = field;
  const isFew = minItems !== undefined && value.length < minItems;
  const isMany = maxItems !== undefined && value.length > maxItems;
  return isFew || isMany ? count(minItems, maxItems, CHOICES) : undefined;
}

/** JSON Schema counts code points: an emoji is one, however many code units it takes (C30). */
function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
