// Walks JSON text by character codes: where a value, a string, a member ends. Knows nothing of what they mean.

import type { JsonText } from './types.ts';

/** Text that is not JSON: `offset` is where the walk found out. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`);
    this.offset = offset;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;

/**
 * How much of a string is looked at character by character. Beyond it only the closing quote is searched for, since
 * looking at every character of a large string costs as much as parsing it.
 */
export const LOOKED_AT = 4096;

/** The offset of the first character at or after `at` that is no JSON white space. */
export function skipSpace(text: string, at: number): number {
  let i = at;
  for (;;) {
    const code = text.charCodeAt(i);
    // The end of the text is NaN, which no comparison but this one lets out.
    if (!(code <= 0x20) || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return i;
    i += 1;
  }
}

/** A run of characters that mean themselves; but for the short strings, matching is faster than a loop over them. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SHORT = 24;

/** The offset after the string that opens at `at`. */
export function skipString(text: string, at: number): number {
  if (text.charCodeAt(at) !== QUOTE) throw new JsonTextError('a string was expected', at);
  let i = at + 1;
  const near = i + SHORT;
  while (i < near) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code === BACKSLASH || !(code >= 0x20)) break;
    i += 1;
  }
  const end = at + LOOKED_AT;
  if (text.indexOf('"', i) > end) return skipLongString(text, i);
  while (i <= end) {
    PLAIN.lastIndex = i;
    PLAIN.test(text);
    i = PLAIN.lastIndex;
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code !== BACKSLASH) {
      throw new JsonTextError(
        i < text.length ? 'a control character stands in a string' : 'a string does not end',
        i,
      );
    }
    i = skipEscape(text, i);
  }
  return skipLongString(text, i);
}

/** `from` is inside the string and not inside an escape. */
function skipLongString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote !== -1) {
    let first = quote;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  throw new JsonTextError('a string does not end', text.length);
}

function skipEscape(text: string, at: number): number {
  switch (text.charCodeAt(at + 1)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2;
    case 0x75:
      for (let i = at + 2; i < at + 6; i += 1) {
        if (!isHex(text.charCodeAt(i))) throw new JsonTextError('an escape is malformed', at);
      }
      return at + 6;
    default:
      throw new JsonTextError('an escape is malformed', at);
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHex(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function skipDigits(text: string, at: number): number {
  let i = at;
  while (isDigit(text.charCodeAt(i))) i += 1;
  if (i === at) throw new JsonTextError('a digit was expected', at);
  return i;
}

function skipNumber(text: string, at: number): number {
  let i = text.charCodeAt(at) === 0x2d ? at + 1 : at;
  i = text.charCodeAt(i) === 0x30 ? i + 1 : skipDigits(text, i);
  if (text.charCodeAt(i) === 0x2e) i = skipDigits(text, i + 1);
  if ((text.charCodeAt(i) | 0x20) === 0x65) {
    const sign = text.charCodeAt(i + 1);
    i = skipDigits(text, sign === 0x2b || sign === 0x2d ? i + 2 : i + 1);
  }
  return i;
}

/** The offset after the string, number or literal at `at`. */
export function skipScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return skipString(text, at);
  if (code === 0x2d || isDigit(code)) return skipNumber(text, at);
  if (code === 0x74 && text.startsWith('true', at)) return at + 4;
  if (code === 0x66 && text.startsWith('false', at)) return at + 5;
  if (code === 0x6e && text.startsWith('null', at)) return at + 4;
  throw new JsonTextError(at >= text.length ? 'the text ends early' : 'a value was expected', at);
}

/** The offset of the value of the member whose key opens at `at`. */
function skipKey(text: string, at: number): number {
  return skipColon(text, skipString(text, at));
}

function skipColon(text: string, at: number): number {
  const colon = skipSpace(text, at);
  if (text.charCodeAt(colon) !== COLON) throw new JsonTextError('a colon was expected', colon);
  return skipSpace(text, colon + 1);
}

/** The offset after the value that starts at `at`. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(text, at);
  return skipWithin(text, at, [], Number.POSITIVE_INFINITY);
}

/**
 * The offset after the object or array that starts at `at`; or, from `until` on, that of a value in it with which this
 * can go on: then `closers` is not empty. It is the stack of what is open, so that no nesting is too deep.
 */
function skipWithin(text: string, at: number, closers: number[], until: number): number {
  let i = at;
  for (;;) {
    if (i >= until) return i;
    const code = text.charCodeAt(i);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const closer = code + 2;
      i = skipSpace(text, i + 1);
      if (text.charCodeAt(i) !== closer) {
        closers.push(closer);
        if (closer === CLOSE_OBJECT) i = skipKey(text, i);
        continue;
      }
      i += 1;
    } else {
      i = skipScalar(text, i);
    }
    for (;;) {
      const closer = closers[closers.length - 1];
      if (closer === undefined) return i;
      i = skipSpace(text, i);
      const next = text.charCodeAt(i);
      if (next === COMMA) {
        i = skipSpace(text, i + 1);
        if (closer === CLOSE_OBJECT) i = skipKey(text, i);
        break;
      }
      if (next !== closer) throw new JsonTextError(`'${String.fromCharCode(closer)}' was expected`, i);
      i += 1;
      closers.pop();
    }
  }
}

/** As `skipValue`, with a pause about every `stretch` characters. */
function* skipping(text: string, at: number, stretch: number): Generator<void, number> {
  const first = text.charCodeAt(at);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(text, at);
  const closers: number[] = [];
  let end = skipWithin(text, at, closers, at + stretch);
  while (closers.length > 0) {
    yield;
    end = skipWithin(text, end, closers, end + stretch);
  }
  return end;
}

/** What the outermost value is. */
export type Kind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** The kind of the value in `text`, told by its first character alone. */
export function kindOf(text: string): Kind {
  const code = text.charCodeAt(skipSpace(text, 0));
  switch (code) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    case 0x6e:
      return 'null';
    case 0x74:
    case 0x66:
      return 'boolean';
    default:
      return 'number';
  }
}

/**
 * Told of one item of an object or array: where its key is, quotes included (for an element, `keyEnd` is `keyStart`),
 * and where its value is.
 */
export type Visit = (keyStart: number, keyEnd: number, start: number, end: number) => void;

/** Visits the items of the outermost object or array in order. Walks, and so checks, the whole text. */
export function walk(text: string, visit: Visit): void {
  atOnce(walking(text, visit, Number.POSITIVE_INFINITY));
}

/** What work that can be done in parts comes to, done at once. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** As `walk`, with a pause about every `stretch` characters: the walk through a large text takes long (C48). */
export function* walking(text: string, visit: Visit, stretch: number): Generator<void, void> {
  const open = skipSpace(text, 0);
  const code = text.charCodeAt(open);
  if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) {
    expectEnd(text, skipScalar(text, open));
    return;
  }
  const closer = code + 2;
  let i = skipSpace(text, open + 1);
  let pause = open + stretch;
  if (text.charCodeAt(i) !== closer) {
    for (;;) {
      const keyStart = i;
      let keyEnd = i;
      if (closer === CLOSE_OBJECT) {
        keyEnd = skipString(text, i);
        i = skipColon(text, keyEnd);
      }
      const end = text.length - i <= stretch ? skipValue(text, i) : yield* skipping(text, i, stretch);
      visit(keyStart, keyEnd, i, end);
      if (end >= pause) {
        yield;
        pause = end + stretch;
      }
      i = skipSpace(text, end);
      const next = text.charCodeAt(i);
      if (next === closer) break;
      if (next !== COMMA) throw new JsonTextError(`'${String.fromCharCode(closer)}' was expected`, i);
      i = skipSpace(text, i + 1);
    }
  }
  expectEnd(text, i + 1);
}

/** The value between two offsets of `walk`. */
export function slice(text: string, start: number, end: number): JsonText {
  return trustedJson(text.slice(start, end));
}

/** Vouches for a text: for slices of what has been walked, and for what is put together of such slices. */
export function trustedJson(text: string): JsonText {
  return text as JsonText;
}

/** One member of an object or element of an array; for an element `start` is where its value starts. */
export interface Item {
  /** The key, unescaped; `''` for an element. */
  readonly key: string;
  /** Where the key's quote, or the element, starts. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** The items of the outermost object or array, in order; none for another value. */
export function items(text: string): Item[] {
  const found: Item[] = [];
  walk(text, (start, keyEnd, valueStart, end) => {
    found.push({ key: keyAt(text, start, keyEnd), start, valueStart, end });
  });
  return found;
}

function expectEnd(text: string, at: number): void {
  const end = skipSpace(text, at);
  if (end < text.length) throw new JsonTextError('more than one value', end);
}

/** The key between two offsets of `walk`, unescaped. */
export function keyAt(text: string, keyStart: number, keyEnd: number): string {
  return keyEnd === keyStart ? '' : unquote(text.slice(keyStart, keyEnd));
}

/** Whether the key between two offsets of `walk` is this one. */
export function isKey(text: string, keyStart: number, keyEnd: number, key: string): boolean {
  const length = keyEnd - keyStart - 2;
  if (length === key.length) return text.startsWith(key, keyStart + 1) && !key.includes('\\');
  // An escape is longer than what it stands for, so a key of another spelling is longer than `key`.
  if (length < key.length) return false;
  const first = text.charCodeAt(keyStart + 1);
  return (first === BACKSLASH || first === key.charCodeAt(0)) && keyAt(text, keyStart, keyEnd) === key;
}

/**
 * The string that a JSON string stands for. Only the part of a long string that is not looked at can be malformed by
 * now; such a string stands for its own text.
 */
export function unquote(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
