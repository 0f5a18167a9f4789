// `__proto__` under another name: ajv passes over properties of that name, so schema and content are given to it
// renamed.
import { isObject, type Json } from './json.ts';

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
