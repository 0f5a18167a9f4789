// Reads and edits JSON text without parsing and printing it: what is not touched stays byte for byte as it came.
import {
  type Item,
  isKey,
  items,
  JsonTextError,
  kindOf,
  skipScalar,
  skipSpace,
  skipString,
  slice,
  trustedJson,
  unquote,
  walk,
} from './json-scan.ts';
import type { JsonText } from './types.ts';

export { JsonTextError, trustedJson } from './json-scan.ts';

/** The value of a top-level member; the last one where a key appears twice, as JSON.parse has it. */
export function member(text: JsonText, key: string): JsonText | undefined {
  let from = 0;
  let to = 0;
  walk(text, (keyStart, keyEnd, start, end) => {
    if (!isKey(text, keyStart, keyEnd, key)) return;
    from = start;
    to = end;
  });
  return to === 0 ? undefined : slice(text, from, to);
}

/** As `member` for several keys at once: one walk, where the text may be large. */
export function membersOf<K extends string>(
  text: JsonText,
  keys: readonly K[],
): Readonly<Partial<Record<K, JsonText>>> {
  const found: Partial<Record<K, JsonText>> = {};
  walk(text, (keyStart, keyEnd, start, end) => {
    for (const key of keys) if (isKey(text, keyStart, keyEnd, key)) found[key] = slice(text, start, end);
  });
  return found;
}

/** The value under a path of keys. */
export function at(text: JsonText, path: readonly string[]): JsonText | undefined {
  let value: JsonText | undefined = text;
  for (const key of path) {
    if (value === undefined) return undefined;
    value = member(value, key);
  }
  return value;
}

/** The top-level members in their order, repeated keys included; none where the text is not an object. */
export function entries(text: JsonText): readonly (readonly [key: string, value: JsonText])[] {
  const found = items(text);
  if (!isObject(text)) return [];
  return found.map((item) => [item.key, slice(text, item.valueStart, item.end)] as const);
}

/** The elements in their order; none where the text is not an array. */
export function elements(text: JsonText): readonly JsonText[] {
  const found = items(text);
  if (!isArray(text)) return [];
  return found.map((item) => slice(text, item.valueStart, item.end));
}

/** How many items the outermost object or array has, counted up to `most` and one more; 0 for another value. */
export function countItems(text: JsonText, most: number): number {
  let count = 0;
  try {
    walk(text, () => {
      count += 1;
      if (count > most) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return count;
}

/** Ends a walk whose rest is of no interest. */
const ENOUGH = new Error('enough is known');

/** Whether the text, known to be JSON, is an object. */
export function isObject(text: JsonText): boolean {
  return kindOf(text) === 'object';
}

/** Whether the text, known to be JSON, is an array. */
export function isArray(text: JsonText): boolean {
  return kindOf(text) === 'array';
}

/** The string that the text stands for; undefined where it is not a string, or a malformed one. */
export function stringOf(text: JsonText | undefined): string | undefined {
  if (text === undefined || kindOf(text) !== 'string') return undefined;
  try {
    return read(text) as string;
  } catch {
    return undefined;
  }
}

/** What `mapMembers` and `mapElements` do with an item: other text in its place, or undefined to take it out. */
type Change = (value: JsonText, key: string, index: number) => JsonText | undefined;

/** Rewrites the values of an object's members; keys, order and spacing stay. Other values are returned as they are. */
export function mapMembers(text: JsonText, change: Change): JsonText {
  return isObject(text) ? mapItems(text, change) : text;
}

/** Rewrites the elements of an array; order and spacing stay. Other values are returned as they are. */
export function mapElements(text: JsonText, change: Change): JsonText {
  return isArray(text) ? mapItems(text, change) : text;
}

function mapItems(text: JsonText, change: Change): JsonText {
  const all = items(text);
  let out = '';
  /** Everything of `text` before this offset is in `out`, or left out of it. */
  let done = 0;
  let kept = 0;
  let changed = false;
  for (const [index, item] of all.entries()) {
    const old = slice(text, item.valueStart, item.end);
    const value = change(old, item.key, index);
    if (value === old) {
      kept += 1;
      continue;
    }
    changed = true;
    if (value === undefined) {
      // The first item takes the comma after it along, any other the comma before it.
      const next = all[index + 1];
      const previous = all[index - 1];
      const from = kept === 0 || previous === undefined ? item.start : previous.end;
      out += text.slice(done, Math.max(done, from));
      done = kept === 0 && next !== undefined ? next.start : item.end;
    } else {
      kept += 1;
      out += text.slice(done, item.valueStart) + value;
      done = item.end;
    }
  }
  return changed ? trustedJson(out + text.slice(done)) : text;
}

/**
 * Sets a top-level member: in its place, or at the end where it is absent. Where the key appears twice only the last
 * one stays, so that no reader sees the old value.
 */
export function withMember(text: JsonText, key: string, value: JsonText): JsonText {
  expectObject(text);
  const all = items(text);
  const last = all.findLastIndex((item) => item.key === key);
  if (last === -1) return appended(text, all, `${quote(key)}:${value}`);
  return mapItems(text, (old, other, index) => {
    if (other !== key) return old;
    return index === last ? value : undefined;
  });
}

function appended(text: JsonText, all: readonly Item[], addition: string): JsonText {
  const end = all.at(-1)?.end ?? text.indexOf('{') + 1;
  return trustedJson(`${text.slice(0, end)}${all.length === 0 ? '' : ','}${addition}${text.slice(end)}`);
}

function expectObject(text: JsonText): void {
  if (!isObject(text)) throw new JsonTextError('an object was expected', 0);
}

/** Takes top-level members out; the same string where there are none of them. */
export function withoutMembers(text: JsonText, keys: readonly string[]): JsonText {
  return mapMembers(text, (value, key) => (keys.includes(key) ? undefined : value));
}

/**
 * Sets the value under a path of keys, making the objects that are missing on the way (in place of values that are
 * none); undefined takes it out.
 */
export function withAt(text: JsonText, path: readonly string[], value: JsonText | undefined): JsonText {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? text;
  const base = isObject(text) ? text : '{}';
  if (rest.length === 0) {
    if (value !== undefined) return withMember(base, key, value);
    return withoutMembers(text, [key]);
  }
  const inner = member(base, key);
  if (value === undefined) {
    return inner === undefined ? text : withMember(text, key, withAt(inner, rest, undefined));
  }
  return withMember(base, key, withAt(inner ?? '{}', rest, value));
}

/** An object of the given members, in their order. */
export function objectText(members: Iterable<readonly [string, JsonText]>): JsonText {
  return trustedJson(`{${Array.from(members, ([key, value]) => `${quote(key)}:${value}`).join(',')}}`);
}

export function arrayText(values: Iterable<JsonText>): JsonText {
  return trustedJson(`[${Array.from(values).join(',')}]`);
}

export function quote(value: string): JsonText {
  return jsonOf(value);
}

/** The JSON of a value; `null` where it has none, as `undefined` and functions have not. */
export function jsonOf(value: unknown): JsonText {
  return trustedJson(JSON.stringify(value) ?? 'null');
}

/** JSON whose fixed parts stand in the code and whose every hole is JSON: json`{"cursor":${quote(cursor)}}`. */
export function json(parts: TemplateStringsArray, ...holes: readonly JsonText[]): JsonText {
  let text = parts[0] ?? '';
  for (const [at, hole] of holes.entries()) text += hole + (parts[at + 1] ?? '');
  return trustedJson(text);
}

/** Text of a peer, a file or the store as JSON; undefined where it is not exactly one JSON value. */
export function checkedJson(text: string): JsonText | undefined {
  return isWhole(text) ? text : undefined;
}

/** Whether the text is exactly one JSON value, by the judgement of JSON.parse. */
export function isWhole(text: string): text is JsonText {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The text without line breaks between its tokens, since they would break the frame on stdio and SSE; the same string
 * where it has none. Throws JsonTextError where one stands inside a string.
 */
export function oneLine(text: JsonText): JsonText {
  if (!text.includes('\n') && !text.includes('\r')) return text;
  let out = '';
  let done = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      const end = skipString(text, i);
      expectUnbroken(text, i, end);
      i = end;
      continue;
    }
    if (code === 0x0a || code === 0x0d) {
      out += text.slice(done, i);
      done = i + 1;
    }
    i += 1;
  }
  return trustedJson(out + text.slice(done));
}

function expectUnbroken(text: string, start: number, end: number): void {
  const body = text.slice(start, end);
  if (body.includes('\n') || body.includes('\r'))
    throw new JsonTextError('a line break stands in a string', start);
}

interface Level {
  readonly isObject: boolean;
  readonly members: { key: string; value: string }[];
  /** The key whose value comes next, in an object. */
  key: string | undefined;
}

/**
 * The same text for any spelling of one document: keys sorted, strings escaped alike, no white space, numbers as their
 * text. Repeated keys all stay, so that two documents that some reader tells apart never compare equal.
 */
export function canonical(text: JsonText): JsonText {
  items(text); // checks the structure, which the walk below relies on
  const root: Level = { isObject: false, members: [], key: undefined };
  const levels = [root];
  let i = skipSpace(text, 0);
  while (i < text.length) {
    const level = levels.at(-1) ?? root;
    const mark = text[i];
    let end = i + 1;
    if (mark === '{' || mark === '[') {
      levels.push({ isObject: mark === '{', members: [], key: undefined });
    } else if (mark === '}' || mark === ']') {
      levels.pop();
      add(levels.at(-1) ?? root, printed(level));
    } else if (mark !== ',' && mark !== ':') {
      end = skipScalar(text, i);
      const scalar = text.slice(i, end);
      if (mark !== '"') add(level, scalar);
      else if (level.isObject && level.key === undefined) level.key = unquote(scalar);
      else add(level, quote(unquote(scalar)));
    }
    i = skipSpace(text, end);
  }
  return trustedJson(root.members[0]?.value ?? text);
}

function add(level: Level, value: string): void {
  level.members.push({ key: level.key ?? '', value });
  level.key = undefined;
}

/** Concatenates instead of joining: a join copies, which would make deep nesting quadratic. */
function printed(level: Level): string {
  const { members } = level;
  if (level.isObject) members.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  let out = level.isObject ? '{' : '[';
  for (const [index, { key, value }] of members.entries()) {
    if (index > 0) out += ',';
    out += level.isObject ? `${quote(key)}:` : '';
    out += value;
  }
  return out + (level.isObject ? '}' : ']');
}

/** A top-level key that appears twice. */
export function duplicateKey(text: JsonText): string | undefined {
  const seen = new Set<string>();
  for (const [key] of entries(text)) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}

/** The parsed value, for reading; `__proto__` is an own key like any other. */
export function read(text: JsonText): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonTextError(error instanceof Error ? error.message : 'the text is malformed', 0);
  }
}
