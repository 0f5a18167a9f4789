// Which arguments of a tool are mirrored into `Mcp-Param-*` headers: the `x-mcp-header` annotations of its inputSchema.
import { isUtf8 } from 'node:buffer';

/** One argument that goes into a header. */
export interface ParamHeader {
  /** The keys that lead to it in `arguments`. */
  readonly path: readonly string[];
  /** What follows `Mcp-Param-`. */
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
}

/** The annotations, or why a client must leave the tool out (basic/transports/streamable-http, "Schema Extension"). */
export type ParamHeaders =
  | { readonly ok: true; readonly headers: readonly ParamHeader[] }
  | { readonly ok: false; readonly reason: string };

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVE: readonly string[] = ['string', 'integer', 'boolean'];
/** Keywords whose members are schemas under names of their own choice. */
const MAPS: ReadonlySet<string> = new Set(['$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
/** Keywords whose values are data: nothing in them annotates anything. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'required']);

interface Place {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The last key on the way to it; the ones before are those of `outer`. */
  readonly key: string | undefined;
  readonly outer: Place | undefined;
  /** Whether only `properties` lead to it. */
  readonly reachable: boolean;
}

/** Reads the annotations of a parsed inputSchema. */
export function paramHeaders(inputSchema: unknown): ParamHeaders {
  const headers: ParamHeader[] = [];
  const names = new Set<string>();
  const places = under(inputSchema, undefined, undefined, true);
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (Object.hasOwn(place.schema, ANNOTATION)) {
      const header = annotated(place);
      if (typeof header === 'string') return { ok: false, reason: header };
      const name = header.name.toLowerCase();
      if (names.has(name)) return { ok: false, reason: `two parameters are annotated with "${header.name}"` };
      names.add(name);
      headers.push(header);
    }
    places.push(...within(place));
  }
  return { ok: true, headers };
}

function annotated(place: Place): ParamHeader | string {
  const { schema, reachable } = place;
  const path = pathTo(place);
  const name = schema[ANNOTATION];
  const type = schema['type'];
  const at = path.length === 0 ? 'the whole' : `"${path.join('.')}"`;
  if (typeof name !== 'string' || !TOKEN.test(name)) return `the header of ${at} is not an HTTP field name`;
  if (!reachable || path.length === 0) return `${at} is annotated where no argument can be told`;
  if (typeof type !== 'string' || !PRIMITIVE.includes(type))
    return `${at} is annotated, but is not a string, integer or boolean`;
  return { path, name, type: type as ParamHeader['type'] };
}

function pathTo(place: Place): string[] {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.outer)
    if (at.key !== undefined) keys.push(at.key);
  return keys.reverse();
}

function within(place: Place): Place[] {
  return Object.entries(place.schema).flatMap(([keyword, value]) => {
    if (keyword === 'properties') return members(value, place, place.reachable);
    if (MAPS.has(keyword)) return members(value, place, false);
    return DATA.has(keyword) ? [] : under(value, undefined, place, false);
  });
}

function members(value: unknown, outer: Place, reachable: boolean): Place[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, schema]) => under(schema, key, outer, reachable));
}

/** The schema that a value is, or those in an array of them. */
function under(
  value: unknown,
  key: string | undefined,
  outer: Place | undefined,
  reachable: boolean,
): Place[] {
  if (isRecord(value)) return [{ schema: value, key, outer, reachable }];
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((schema) => ({ schema, key, outer, reachable: false }));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OPEN = '=?base64?';
const CLOSE = '?=';
/** Visible ASCII, space and tab: all that a field value may hold (RFC 9110, 5.5). */
const PLAIN = /^[\t\x20-\x7e]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The value as it goes into an `Mcp-Name` or `Mcp-Param-*` header (basic/transports/streamable-http). */
export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && value.trim() === value && !isMarked(value)) return value;
  return OPEN + Buffer.from(value, 'utf8').toString('base64') + CLOSE;
}

/** The value that a header stands for; undefined where it holds characters, Base64 or UTF-8 that is none. */
export function decodeHeaderValue(header: string): string | undefined {
  const value = header.replace(/^[\t ]+|[\t ]+$/g, '');
  if (!isMarked(value)) return PLAIN.test(value) ? value : undefined;
  const base64 = value.slice(OPEN.length, -CLOSE.length);
  // Node's decoder takes anything; a proxy that reads the header strictly must come to the same value.
  if (!BASE64.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function isMarked(value: string): boolean {
  return value.length >= OPEN.length + CLOSE.length && value.startsWith(OPEN) && value.endsWith(CLOSE);
}
