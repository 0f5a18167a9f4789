// The params of a request: the keys that mcpx reads are found in one walk, and asked as often as needed.
import { isKey, kindOf, slice, trustedJson, walk } from './json-scan.ts';
import { member, withAt } from './json-text.ts';
import { META } from './meta.ts';
import type { JsonText } from './types.ts';

/** Keys that mcpx decides on: two parsers must not see two requests in one (docs/relay.md, "Slices of text"). */
const KEYS = [
  'name',
  'uri',
  '_meta',
  'requestId',
  'progressToken',
  'cursor',
  'ref',
  'level',
  'mode',
  'message',
  'requestedSchema',
  'url',
  'elicitationId',
  'protocolVersion',
  'capabilities',
  'arguments',
  'inputResponses',
  'requestState',
  'notifications',
];
/** And those in objects that it reads too. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  _meta: ['progressToken', ...Object.values(META)],
  ref: ['type', 'name', 'uri'],
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What has params: a message, an exchange, a call. */
interface Holder {
  readonly params?: JsonText | undefined;
}

const KNOWN = new WeakMap<Holder, Params>();

/** The index of a request's params, made when it is first asked for; undefined where it has none. */
export function paramsOf(holder: Holder): Params | undefined {
  const { params } = holder;
  if (params === undefined) return undefined;
  let known = KNOWN.get(holder);
  if (known === undefined) {
    known = new Params(params);
    KNOWN.set(holder, known);
  }
  return known;
}

/** Hands the index on to what carries the same params. */
export function shareParams(from: Holder, to: Holder): void {
  const known = KNOWN.get(from);
  if (known !== undefined && known.text === to.params) KNOWN.set(to, known);
}

export class Params {
  readonly text: JsonText;
  readonly #keys: readonly string[];
  readonly #spans = new Map<string, Span>();
  readonly #inside = new Map<string, Params>();
  /** The first of the keys that appears twice, here or in an object that mcpx reads too. */
  readonly repeated: string | undefined;

  constructor(text: JsonText, keys: readonly string[] = KEYS) {
    this.text = text;
    this.#keys = keys;
    let repeated: string | undefined;
    walk(text, (keyStart, keyEnd, start, end) => {
      const key = keys.find((one) => isKey(text, keyStart, keyEnd, one));
      if (key === undefined) return;
      if (this.#spans.has(key)) repeated ??= key;
      this.#spans.set(key, { start, end });
    });
    for (const key of keys) if (INSIDE[key] !== undefined) repeated ??= this.in(key)?.repeated;
    this.repeated = repeated;
  }

  /** The value of a member. */
  get(key: string): JsonText | undefined {
    const span = this.#spans.get(key);
    if (span !== undefined) return slice(this.text, span.start, span.end);
    return this.#keys.includes(key) ? undefined : member(this.text, key);
  }

  /** The value of a member, where that is an object. */
  in(key: string): Params | undefined {
    const known = this.#inside.get(key);
    if (known !== undefined) return known;
    const text = this.get(key);
    if (text === undefined || kindOf(text) !== 'object') return undefined;
    const inner = new Params(text, INSIDE[key] ?? []);
    this.#inside.set(key, inner);
    return inner;
  }

  /** The value under a path of one or two keys. */
  at([key = '', inner]: readonly string[]): JsonText | undefined {
    return inner === undefined ? this.get(key) : this.in(key)?.get(inner);
  }

  #spanIn(key: string, inner: string): Span | undefined {
    const outer = this.#spans.get(key);
    const nested = this.in(key);
    const span = nested === undefined ? undefined : nested.#spans.get(inner);
    if (outer === undefined || span === undefined) return undefined;
    return { start: outer.start + span.start, end: outer.start + span.end };
  }

  /** The text with another value under a path of one or two keys; undefined takes it out. */
  with(path: readonly string[], value: JsonText | undefined): JsonText {
    const [key = '', inner] = path;
    const span = inner === undefined ? this.#spans.get(key) : this.#spanIn(key, inner);
    if (value === undefined || span === undefined) return withAt(this.text, path, value);
    return trustedJson(this.text.slice(0, span.start) + value + this.text.slice(span.end));
  }
}
