// Headers that mirror the body must say what the body says (basic/transports/streamable-http, "Request Metadata").

import { member, read, stringOf } from '../../protocol/json-text.ts';
import { MODERN_METHODS } from '../../protocol/methods.ts';
import { decodeHeaderValue, type ParamHeader, paramHeaders } from '../../protocol/param-headers.ts';
import { paramsOf } from '../../protocol/params.ts';
import type { JsonText, Request } from '../../protocol/types.ts';
import type { MirrorHeaders } from './envelope.ts';
import { headerMismatch, type StatelessResponse } from './stateless-response.ts';

/** Checks the standard headers of a request whose envelope is in order. */
export function checkHeaders(request: Request, headers: MirrorHeaders): StatelessResponse | undefined {
  if (headers.version === undefined) return headerMismatch('the MCP-Protocol-Version header is missing');
  if (headers.method === undefined) return headerMismatch('the Mcp-Method header is missing');
  const field = MODERN_METHODS.get(request.method)?.named;
  const value = field === undefined ? undefined : stringOf(paramsOf(request)?.get(field));
  // A request without a name is the relay's to refuse.
  if (field === undefined || value === undefined) return undefined;
  if (headers.name === undefined) return headerMismatch('the Mcp-Name header is missing');
  const named = decodeHeaderValue(headers.name);
  if (named === undefined) return headerMismatch('the Mcp-Name header is malformed');
  return named === value ? undefined : headerMismatch(`the Mcp-Name header is not what params.${field} says`);
}

/**
 * Checks the `Mcp-Param-*` headers of a tools/call against the tool's `inputSchema`. `header` gives a header by its name
 * in lower case.
 */
export function checkParamHeaders(
  inputSchema: JsonText,
  params: JsonText | undefined,
  header: (name: string) => string | undefined,
): StatelessResponse | undefined {
  if (!inputSchema.includes('x-mcp-header')) return undefined;
  // Where its annotations are malformed hosts leave the tool out, so that there is no header to hold it to.
  const annotated = paramHeaders(read(inputSchema));
  if (!annotated.ok) return undefined;
  const argumentsText = params === undefined ? undefined : member(params, 'arguments');
  const args = argumentsText === undefined ? undefined : read(argumentsText);
  for (const one of annotated.headers) {
    const problem = mismatch(one, args, header(`mcp-param-${one.name.toLowerCase()}`));
    if (problem !== undefined) return headerMismatch(`the Mcp-Param-${one.name} header ${problem}`);
  }
  return undefined;
}

function mismatch({ path }: ParamHeader, args: unknown, header: string | undefined): string | undefined {
  const value = valueAt(args, path);
  if (value === undefined || value === null)
    return header === undefined ? undefined : 'stands for an argument that is not there';
  // What is no such argument at all is the upstream's to refuse.
  if (typeof value === 'object') return undefined;
  if (header === undefined) return 'is missing';
  const said = decodeHeaderValue(header);
  if (said === undefined) return 'is malformed';
  const same =
    typeof value === 'number'
      ? /^-?\d+(\.\d+)?$/.test(said) && Number(said) === value
      : said === String(value);
  return same ? undefined : 'is not what the arguments say';
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}
