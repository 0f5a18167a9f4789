// Values in HTTP headers of 2026-07-28: plain where they can be, else Base64 between two marks ("Value Encoding").
import { isUtf8 } from 'node:buffer';

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
