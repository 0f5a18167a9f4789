// Who may speak to a local HTTP server: a web page of another site may not (C27; basic/transports, "Security Warning").

import { McpxError } from '../errors.ts';
import { readUrl } from '../url/read-url.ts';

export interface GuardOptions {
  /** Host names (with or without a port) that are allowed beside the loopback ones. */
  readonly allowedHosts: readonly string[];
  /** Origins (`https://app.example.com`) that are allowed beside those on loopback. */
  readonly allowedOrigins: readonly string[];
}

/**
 * Checks the `Host` and `Origin` of a request. A page that rebinds its name to 127.0.0.1 still sends its own name, and
 * a page that posts across sites still sends its own origin. Returns what is wrong, or undefined.
 */
export function guard(
  host: string | undefined,
  origin: string | undefined,
  { allowedHosts, allowedOrigins }: GuardOptions,
): McpxError | undefined {
  const asked = host?.toLowerCase();
  if (asked === undefined || !(isLoopback(nameOf(asked)) || listed(asked, allowedHosts))) {
    return new McpxError(
      'forbidden',
      'The Host header of this request is not one that mcpx answers to.',
      'Use http://127.0.0.1 or http://localhost, or add the name to serve.allowedHosts.',
    );
  }
  if (origin === undefined || listedOrigin(origin, allowedOrigins)) return undefined;
  return new McpxError(
    'forbidden',
    'Requests from the web page this one comes from are not allowed.',
    'If that page is yours, add its origin to serve.allowedOrigins.',
  );
}

/** Whether a host name stands for this machine alone; IPv6 addresses in brackets. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The host name in a `Host` header, lower case, without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '');
}

function listed(host: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === nameOf(host));
}

function listedOrigin(origin: string, allowed: readonly string[]): boolean {
  // `null` is what sandboxed frames and local files send: anybody.
  const url = readUrl(origin);
  if (url === undefined) return false;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return allowed.includes(origin);
  return isLoopback(url.hostname) || allowed.some((entry) => readUrl(entry)?.origin === url.origin);
}
