// The headers of requests to a server of 2026-07-28 over HTTP: those of every request, and those that mirror a tool's
// arguments, learnt from the tool lists that pass or asked for when a call needs them.
import type { Log } from '../../log.ts';
import {
  at,
  isObject,
  json,
  mapElements,
  mapMembers,
  member,
  quote,
  read,
  stringOf,
} from '../../protocol/json-text.ts';
import { MODERN_METHODS } from '../../protocol/methods.ts';
import { encodeHeaderValue, type ParamHeader, paramHeaders } from '../../protocol/param-headers.ts';
import type { JsonText, Reply, Revision } from '../../protocol/types.ts';
import { inert } from '../../text/inert.ts';
import { orAborted } from '../../waiting.ts';

/** A server that never stops paging is left after this many pages, and one that does not answer after this many ms. */
const MOST_PAGES = 100;
const LIST_MS = 10_000;
/** So many names are remembered at once; a server that makes up ever new ones costs time, not memory. */
const MOST_NAMES = 10_000;

export interface ToolHeadersOptions {
  readonly server: string;
  readonly log: Log;
  /** Asks for one page of the tool list. */
  list(params: JsonText | undefined, signal: AbortSignal): Promise<Reply>;
}

export class ToolHeaders {
  readonly #options: ToolHeadersOptions;
  readonly #known = new Map<string, readonly ParamHeader[]>();
  readonly #refused = new Set<string>();
  #listing: Promise<void> | undefined;
  /** The whole list has been seen, so that a tool that is not known is in none of its pages. */
  #complete = false;

  constructor(options: ToolHeadersOptions) {
    this.#options = options;
  }

  /**
   * The mirrored arguments of a tool; asks for the list where the tool has not been seen. Rejects with the
   * signal's reason only.
   */
  async of(tool: string, signal: AbortSignal): Promise<readonly ParamHeader[]> {
    if (!this.#known.has(tool) && !this.#complete) await this.#wholeList(signal);
    return this.#known.get(tool) ?? [];
  }

  /** What was known may hold no longer. */
  forget(): void {
    this.#known.clear();
    this.#complete = false;
  }

  /**
   * Takes note of a tool list on its way to a host, and takes the tools out whose annotations are wrong (basic/transports/
   * streamable-http, "Schema Extension"). The same string where none is.
   */
  learn(result: JsonText): JsonText {
    if (!isObject(result)) return result;
    return mapMembers(result, (value, key) =>
      key === 'tools' ? mapElements(value, (tool) => (this.#sound(tool) ? tool : undefined)) : value,
    );
  }

  #sound(tool: JsonText): boolean {
    const name = isObject(tool) ? stringOf(member(tool, 'name')) : undefined;
    if (name === undefined) return true;
    // Reading a whole schema is expensive, and almost none has the word.
    const schema = tool.includes('x-mcp-header') ? member(tool, 'inputSchema') : undefined;
    const found = schema === undefined ? undefined : paramHeaders(read(schema));
    if (found?.ok === false) {
      this.#warn(name, found.reason);
      return false;
    }
    if (this.#known.size >= MOST_NAMES) this.forget();
    this.#known.set(name, found?.headers ?? []);
    return true;
  }

  #warn(name: string, reason: string): void {
    if (this.#refused.has(name)) return;
    if (this.#refused.size >= MOST_NAMES) this.#refused.clear();
    this.#refused.add(name);
    const tool = inert(name, { oneLine: true, max: 100 });
    this.#options.log.warn(
      { server: this.#options.server, tool, reason: inert(reason, { oneLine: true, max: 200 }) },
      'left out a tool whose x-mcp-header annotations are wrong',
    );
  }

  /** One listing serves all calls that wait for it; a call that is cancelled does not end it for the others. */
  #wholeList(signal: AbortSignal): Promise<void> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return orAborted(this.#listing, signal);
  }

  async #list(): Promise<void> {
    const signal = AbortSignal.timeout(LIST_MS);
    let params: JsonText | undefined;
    try {
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const reply = await this.#options.list(params, signal);
        if ('error' in reply) break;
        this.learn(reply.result);
        const cursor = stringOf(member(reply.result, 'nextCursor'));
        if (cursor === undefined) break;
        params = json`{"cursor":${quote(cursor)}}`;
      }
    } catch {
      // The call itself will say what is wrong with the server.
    }
    this.#complete = true;
  }
}

type Headers = Readonly<Record<string, string>>;

/** `MCP-Protocol-Version`, `Mcp-Method` and, where the method has one, `Mcp-Name`. */
export function standardHeaders(revision: Revision, method: string, params: JsonText | undefined): Headers {
  const key = MODERN_METHODS.get(method)?.named;
  const name = key === undefined || params === undefined ? undefined : stringOf(member(params, key));
  return {
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': encodeHeaderValue(name) }),
  };
}

/** `Mcp-Param-*` of a call; an argument that is absent, null or of a kind that no header carries has none. */
export function paramHeaderValues(mirrored: readonly ParamHeader[], params: JsonText): Headers {
  const args = member(params, 'arguments') ?? '{}';
  const headers: Record<string, string> = {};
  for (const { path, name } of mirrored) {
    const value = inWords(at(args, path));
    if (value !== undefined) headers[`mcp-param-${name.toLowerCase()}`] = encodeHeaderValue(value);
  }
  return headers;
}

/** Servers compare numbers as numbers, so `1.0` may be told as `1`; beyond 2^53 no two readers agree. */
function inWords(value: JsonText | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parsed = read(value);
  if (typeof parsed === 'string') return parsed;
  if (typeof parsed === 'boolean') return String(parsed);
  if (typeof parsed !== 'number' || !Number.isFinite(parsed)) return undefined;
  return Number.isInteger(parsed) && !Number.isSafeInteger(parsed) ? undefined : String(parsed);
}
