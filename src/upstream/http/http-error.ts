// What went wrong over HTTP, said for a person: the server, the status, a little of the body, what to do.
import { type ErrorCode, McpxError } from '../../errors.ts';
import { isObject, isWhole, member, stringOf } from '../../protocol/json-text.ts';
import { inert } from '../../text/inert.ts';

/** How much of an error body is read, in bytes, and how much of it is shown, in characters. */
export const ERROR_BODY_BYTES = 4096;
const SHOWN = 200;

/** The upstream answered with a status that is no success. `body` is untrusted. */
export function statusError(server: string, status: number, contentType: string, body: string): McpxError {
  const said = reasonIn(contentType, body);
  const message = `${server}: answered HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  return new McpxError('upstream', message, statusHint(server, status));
}

/** The server wants other credentials, whatever it is asked. */
export function isAccess(status: number): boolean {
  return status === 401 || status === 403 || status === 407;
}

function reasonIn(contentType: string, body: string): string {
  if (contentType.includes('html')) return '';
  const error = isWhole(body) && isObject(body) ? member(body, 'error') : undefined;
  const message = error !== undefined && isObject(error) ? stringOf(member(error, 'message')) : undefined;
  return inert(message ?? body, { oneLine: true, max: SHOWN });
}

function statusHint(server: string, status: number): string | undefined {
  const where = `mcpServers.${server}`;
  if (status === 401) {
    return `It wants credentials: set "headers": { "authorization": "Bearer …" } under ${where}.`;
  }
  if (status === 403) return `It refuses these credentials: look at "headers" under ${where}.`;
  if (status === 404 || status === 405) return `Look at "url" under ${where}; most servers end it in /mcp.`;
  return undefined;
}

/** The upstream points somewhere else, where the configured headers must not follow. */
export function redirectError(server: string, status: number, target: URL | undefined): McpxError {
  const to = target === undefined ? 'nowhere' : inert(target.href, { oneLine: true, max: SHOWN });
  return new McpxError(
    'upstream',
    `${server}: answered HTTP ${status} and points to ${to}, which mcpx does not follow`,
    `If you trust that address, set it as "url" under mcpServers.${server}.`,
  );
}

/** No connection, or it broke. `code` is `unreachable` while opening, `upstream` later. */
export function connectionError(server: string, url: URL, cause: unknown, code: ErrorCode): McpxError {
  const known = cause instanceof Error ? cause : new Error(String(cause));
  const reason = known.message === '' && 'code' in known ? String(known.code) : known.message;
  return new McpxError(
    code,
    `${server}: no connection to ${url.origin}: ${inert(reason, { oneLine: true, max: SHOWN })}`,
    `Check that the server runs, and "url" under mcpServers.${server}.`,
    { cause },
  );
}

/** Whether nothing listens at the address any more. */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof McpxError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

export function tooLarge(server: string, frameBytes: number): McpxError {
  return new McpxError(
    'upstream',
    `${server}: sent a message larger than limits.frameBytes (${frameBytes} bytes)`,
    'Raise limits.frameBytes if the server is right to send so much.',
  );
}
