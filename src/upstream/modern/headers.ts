// The HTTP headers that repeat parts of a request's body (2026-07-28 basic/transports/streamable-http, "Request Metadata").

import { at, member, read, stringOf } from '../../protocol/json-text.ts';
import { MODERN_METHODS } from '../../protocol/methods.ts';
import { encodeHeaderValue, type ParamHeader } from '../../protocol/param-headers.ts';
import type { JsonText, Revision } from '../../protocol/types.ts';

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
