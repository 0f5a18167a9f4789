// IP addresses in the host of a URL, and which hosts are this machine.
import { isIP } from 'node:net';

/**
 * Whether the ASCII host of a parsed URL is an IP address; the URL parser has already turned every spelling into
 * one.
 */
export function isIpHost(asciiHost: string): boolean {
  return isIP(bare(asciiHost)) !== 0;
}

/**
 * Whether a host is this machine: `localhost` and names under it, 127.0.0.0/8, `::1`, and 127.0.0.0/8 written as
 * IPv6.
 */
export function isLoopbackHost(asciiHost: string): boolean {
  const host = bare(asciiHost).replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return (isIP(host) === 4 && host.startsWith('127.')) || /^::ffff:7f[0-9a-f]{2}:/.test(host);
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
