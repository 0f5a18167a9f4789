// Parsed schema values read by own keys only: a server may name a property or a keyword `__proto__` or
// `constructor`.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * The value of a JSON text, or `undefined` where the text is not JSON. Hostile keys become plain own properties.
 */
export function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** True for a JSON object, false for arrays and `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own member of an object, never an inherited one. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** An own member that is a string. */
export function ownString(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** An own member that is a finite number. */
export function ownNumber(object: JsonObject, key: string): number | undefined {
  const value = own(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A JSON pointer (RFC 6901) of one or more tokens. */
export function pointer(...tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
