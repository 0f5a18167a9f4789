// ajv's errors in the words a person reads.
import type { ErrorObject } from 'ajv';
import type { FieldProblem } from '../errors.ts';
import { type TextFormat, textFormat } from './formats.ts';
import { isObject, type Json, pointer } from './json.ts';
import { count, list, named, notOfFormat, REQUIRED, range } from './words.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
};

/** One error as a path and a sentence; `undefined` for those that only repeat others. */
export function problemOf(error: ErrorObject): FieldProblem | undefined {
  const params = new Map<string, unknown>(Object.entries(error.params));
  const at = trueName(error.instancePath);
  const child = (name: unknown): string => at + pointer(trueName(String(name)));
  switch (error.keyword) {
    case 'required':
      return { path: child(params.get('missingProperty')), message: REQUIRED };
    case 'additionalProperties':
      return { path: child(params.get('additionalProperty')), message: 'unknown field' };
    case 'unevaluatedProperties':
      return { path: child(params.get('unevaluatedProperty')), message: 'unknown field' };
    case 'dependentRequired':
    case 'dependencies':
      return {
        path: child(params.get('missingProperty')),
        message: `required where ${named(trueName(String(params.get('property'))))} is given`,
      };
    case 'if':
      return undefined;
    default:
      return { path: at, message: sentence(error, params) };
  }
}

function sentence(error: ErrorObject, params: ReadonlyMap<string, unknown>): string {
  const limit = Number(params.get('limit'));
  switch (error.keyword) {
    case 'type':
      return `needs ${typeNames(params.get('type'))}`;
    case 'enum':
      return `not one of: ${list(asList(params.get('allowedValues')).map(shown))}`;
    case 'const':
      return `must be ${named(shown(params.get('allowedValue')))}`;
    case 'format': {
      const format: TextFormat | undefined = textFormat(String(params.get('format')));
      return format === undefined ? `not a ${named(String(params.get('format')))}` : notOfFormat(format);
    }
    case 'pattern':
      return `does not match the pattern ${named(String(params.get('pattern')))}`;
    case 'minLength':
      return count(limit, undefined, ['character', 'characters']);
    case 'maxLength':
      return count(undefined, limit, ['character', 'characters']);
    case 'minItems':
      return count(limit, undefined, ['entry', 'entries']);
    case 'maxItems':
      return count(undefined, limit, ['entry', 'entries']);
    case 'minProperties':
      return count(limit, undefined, ['field filled in', 'fields filled in']);
    case 'maxProperties':
      return count(undefined, limit, ['field filled in', 'fields filled in']);
    case 'minimum':
      return range(limit, undefined);
    case 'maximum':
      return range(undefined, limit);
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params.get('multipleOf')}`;
    case 'uniqueItems':
      return 'has the same entry twice';
    case 'anyOf':
      return 'fits none of the shapes that are allowed';
    case 'oneOf':
      return 'must fit exactly one of the shapes that are allowed';
    case 'not':
      return 'has a shape that is not allowed';
    case 'false schema':
      return 'is not allowed';
    default:
      return named(error.message ?? `does not fit (${error.keyword})`);
  }
}

function typeNames(type: unknown): string {
  const types = asList(type).flatMap((item) => String(item).split(','));
  return types.map((name) => TYPES[name] ?? named(name)).join(' or ');
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : trueName(JSON.stringify(value) ?? '');
}

const HOSTILE = '__proto__';
const STAND_IN = '__proto__\u0000';

/** A copy of a JSON value with every key `__proto__`, and every such name in a `required` list, renamed. */
export function renamed(value: Json): Json {
  if (Array.isArray(value)) return value.map(renamed);
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) {
    const isNames = key === 'required' && Array.isArray(inner);
    copy[standIn(key)] = isNames
      ? inner.map((name) => (name === HOSTILE ? STAND_IN : renamed(name)))
      : renamed(inner);
  }
  return copy;
}

/** The text with the stand-in's true name. */
export function trueName(text: string): string {
  return text.replaceAll(STAND_IN, HOSTILE);
}

function standIn(key: string): string {
  return key === HOSTILE ? STAND_IN : key;
}
