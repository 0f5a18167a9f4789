// What a URL that a server sends really points at, and whether it may be opened (docs/security.md,
// "URLs"; C25).

import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { inert } from '../text/inert.ts';
import { readUrl } from './read-url.ts';
import { isMixed, takenFor } from './scripts.ts';

export type UrlWarningCode =
  | 'http'
  | 'userinfo'
  | 'punycode'
  | 'mixed-scripts'
  | 'confusable'
  | 'ip'
  | 'port'
  | 'backslash'
  | 'long';

/** One reason to look twice, as a sentence. What it quotes of the URL is inert. */
export interface UrlWarning {
  readonly code: UrlWarningCode;
  readonly message: string;
}

export type UrlVerdict =
  | { readonly valid: false; readonly reason: string }
  | {
      readonly valid: true;
      /** Only http and https can be opened; anything else is shown and can be declined. */
      readonly openable: boolean;
      /** Without the colon. */
      readonly scheme: string;
      /** For display: Unicode where the host is an internationalised name. Empty for a scheme without hosts. */
      readonly host: string;
      readonly asciiHost: string;
      /** The port as far as it is not the scheme's own. */
      readonly port: number | undefined;
      readonly warnings: readonly UrlWarning[];
      /** The URL as a browser reads it; this spelling is shown and opened. */
      readonly href: string;
    };

const OPENABLE = ['http', 'https'];
/** Characters; a longer URL cannot be read at a glance, and its end is easily missed. */
const LONG = 500;

/** The verdict on a URL. Pure: nothing is resolved or fetched. */
export function verdictOf(url: string): UrlVerdict {
  const reason = invalidity(url);
  if (reason !== undefined) return { valid: false, reason };
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  const asciiHost = parsed.hostname;
  const host = domainToUnicode(asciiHost) || asciiHost;
  const port = parsed.port === '' ? undefined : Number(parsed.port);
  const warnings = OPENABLE.includes(scheme) ? warningsFor(url, parsed, host) : [];
  return {
    valid: true,
    openable: OPENABLE.includes(scheme),
    scheme,
    host,
    asciiHost,
    port,
    warnings,
    href: parsed.href,
  };
}

function invalidity(url: string): string | undefined {
  if (url === '') return 'it is empty';
  // The URL parser drops some of these silently, and the URL would not be the one that was read.
  if (/[\s\p{Cc}\p{Cs}]/u.test(url)) return 'it contains white space or control characters';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'it is not absolute';
  if (OPENABLE.includes(scheme) && !/^[a-z]+:\/\/[^/?#\\]/i.test(url)) return 'it names no host';
  return readUrl(url) === undefined ? 'it cannot be read as a URL' : undefined;
}

function warningsFor(url: string, parsed: URL, host: string): UrlWarning[] {
  const found: UrlWarning[] = [];
  const warn = (code: UrlWarningCode, message: string): void => {
    found.push({ code, message: inert(message, { oneLine: true }) });
  };
  const local = isLoopbackHost(parsed.hostname);
  if (parsed.protocol === 'http:' && !local) {
    warn('http', 'It is not encrypted (http): what you enter there can be read on the way.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    warn('userinfo', `What stands before the @ is a user name, not the site: the site is ${host}.`);
  }
  for (const { code, message } of hostWarnings(parsed.hostname, host)) warn(code, message);
  if (isIpHost(parsed.hostname)) warn('ip', ipSentence(writtenHost(url), parsed.hostname, local));
  if (parsed.port !== '' && !local) warn('port', `It uses the unusual port ${parsed.port}.`);
  if (url.slice(0, url.search(/[?#]|$/)).includes('\\')) {
    warn('backslash', 'It contains a backslash, which programs read differently.');
  }
  if (parsed.href.length > LONG) warn('long', `It is very long (${parsed.href.length} characters).`);
  return found;
}

function hostWarnings(asciiHost: string, host: string): UrlWarning[] {
  const found: UrlWarning[] = [];
  if (asciiHost.split('.').some((label) => label.startsWith('xn--'))) {
    found.push({
      code: 'punycode',
      message: `The name has letters beyond plain Latin: ${host}, written out as ${asciiHost}.`,
    });
  }
  const labels = host.split('.');
  const mixed = labels.filter(isMixed);
  if (mixed.length > 0) {
    found.push({
      code: 'mixed-scripts',
      message: `The name mixes letters of different scripts: ${mixed.join(', ')}.`,
    });
  }
  const looks = labels.map((label) => takenFor(label) ?? label).join('.');
  if (looks !== host) {
    found.push({
      code: 'confusable',
      message: `The name ${host} (${asciiHost}) looks like ${looks} and is another.`,
    });
  }
  return found;
}

function ipSentence(written: string, asciiHost: string, local: boolean): string {
  const what = local ? 'this machine' : 'an IP address, not a name';
  const spelled = written.toLowerCase() === asciiHost ? asciiHost : `${asciiHost}, written as ${written}`;
  return `The host is ${what}: ${spelled}.`;
}

/**
 * The host as it stands in the text, before the parser turned decimal, hexadecimal and short spellings into one.
 */
function writtenHost(url: string): string {
  const authority = /^[a-z]+:[/\\]*([^/?#\\]*)/i.exec(url)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
}

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
