// Where a `$ref` inside a schema leads: JSON pointers and anchors of the same document, and nothing beyond it.
import { elements, entries, isArray, isObject, jsonOf, member, read, stringOf } from '../json-text.ts';
import type { JsonText } from '../types.ts';

/**
 * Characters that may be read while one question is put together: a small schema can refer to one large part again and
 * again, and what comes of it is sent. Reading this much takes a few milliseconds.
 */
const MOST_CHARACTERS = 1_000_000;
/** Keywords that hold definitions; all members of them are found in one pass. */
const DEFINITIONS: readonly string[] = ['$defs', 'definitions'];
/** Keywords that hold the name of a schema; `$id` did so in draft-07 where it begins with `#`. */
const NAMES: readonly string[] = ['$anchor', '$dynamicAnchor', '$id'];

/** One schema whose references are looked up, with the work that is still allowed for it. */
export class References {
  readonly #root: JsonText;
  readonly #known = new Map<string, JsonText | undefined>();
  readonly #definitions = new Map<string, ReadonlyMap<string, JsonText>>();
  #anchors: ReadonlyMap<string, object | undefined> | undefined;
  #left = MOST_CHARACTERS;

  constructor(root: JsonText) {
    this.#root = root;
  }

  /** Takes `characters` from what may still be read; false when that is used up. */
  spend(characters: number): boolean {
    this.#left -= characters + 1;
    return this.#left >= 0;
  }

  /** The schema that a reference names; undefined for one that leads out of the document or nowhere. */
  resolve(reference: string): JsonText | undefined {
    if (this.#known.has(reference)) return this.#known.get(reference);
    const found = this.#find(reference);
    this.#known.set(reference, found);
    return found;
  }

  #find(reference: string): JsonText | undefined {
    const base = stringOf(member(this.#root, '$id'))?.replace(/#$/, '') ?? '';
    const local = base !== '' && reference.startsWith(`${base}#`) ? reference.slice(base.length) : reference;
    if (!local.startsWith('#')) return undefined;
    const fragment = decoded(local.slice(1));
    if (fragment === undefined) return undefined;
    if (fragment === '') return this.#root;
    return fragment.startsWith('/') ? this.#at(fragment) : this.#named(fragment);
  }

  /** RFC 6901. */
  #at(pointer: string): JsonText | undefined {
    const [first = '', ...rest] = pointer
      .slice(1)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const [name, ...deeper] = rest;
    const isDefinition = DEFINITIONS.includes(first) && name !== undefined;
    let found = isDefinition ? this.#definition(first, name) : this.#child(this.#root, first);
    for (const token of isDefinition ? deeper : rest) found = found && this.#child(found, token);
    return found;
  }

  #definition(keyword: string, name: string): JsonText | undefined {
    const known =
      this.#definitions.get(keyword) ?? new Map(entries(this.#child(this.#root, keyword) ?? '{}'));
    this.#definitions.set(keyword, known);
    return known.get(name);
  }

  #child(text: JsonText, token: string): JsonText | undefined {
    if (!this.spend(text.length)) return undefined;
    if (isObject(text)) return member(text, token);
    return isArray(text) && /^(0|[1-9]\d{0,8})$/.test(token) ? elements(text)[Number(token)] : undefined;
  }

  #named(name: string): JsonText | undefined {
    if (!this.spend(this.#root.length)) return undefined;
    try {
      this.#anchors ??= anchorsIn(this.#root);
      const schema = this.#anchors.get(name);
      return schema === undefined ? undefined : jsonOf(schema);
    } catch {
      // Nested deeper than can be printed.
      return undefined;
    }
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** The named schemas; a name that appears twice names none. Keeps its own stack, so that no nesting is too deep. */
function anchorsIn(root: JsonText): ReadonlyMap<string, object | undefined> {
  const found = new Map<string, object | undefined>();
  const waiting: unknown[] = [read(root)];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next)) {
      if (typeof value === 'object') waiting.push(value);
      if (typeof value !== 'string' || !NAMES.includes(key)) continue;
      const name = key === '$id' ? (value.startsWith('#') ? value.slice(1) : undefined) : value;
      if (name !== undefined) found.set(name, found.has(name) ? undefined : next);
    }
  }
  return found;
}
