// What a URL points at, and what a person is warned of.
import { describe, expect, test } from 'vitest';
import { type UrlVerdict, verdictOf } from '../../src/url/verdict.ts';

const valid = (url: string): Extract<UrlVerdict, { valid: true }> => {
  const verdict = verdictOf(url);
  if (!verdict.valid) throw new Error(`${url}: ${verdict.reason}`);
  return verdict;
};
const codes = (url: string): string[] => valid(url).warnings.map(({ code }) => code);

test.each([
  ['', 'it is empty'],
  ['not a url', 'it contains white space or control characters'],
  ['example.com', 'it is not absolute'],
  ['/path', 'it is not absolute'],
  ['//example.com/x', 'it is not absolute'],
  ['?q', 'it is not absolute'],
  ['https:', 'it names no host'],
  ['https:example.com', 'it names no host'],
  ['https:/example.com', 'it names no host'],
  ['https:///example.com', 'it names no host'],
  ['https://?x', 'it names no host'],
  ['https:\\\\example.com', 'it names no host'],
  ['https://exa mple.com', 'it contains white space or control characters'],
  [' https://example.com', 'it contains white space or control characters'],
  ['https://example.com/\n', 'it contains white space or control characters'],
  ['java\tscript:alert(1)', 'it contains white space or control characters'],
  ['https://example.com/\u001b[2J', 'it contains white space or control characters'],
  ['https://example.com/\ud800', 'it contains white space or control characters'],
  ['https://example.com:99999/', 'it cannot be read as a URL'],
  ['https://exa<mple.com/', 'it cannot be read as a URL'],
  ['https://[::1', 'it cannot be read as a URL'],
  ['https://xn--a/', 'it cannot be read as a URL'],
  ['https://1.2.3.400/', 'it cannot be read as a URL'],
])('%j is not valid: %s', (url, reason) => {
  expect(verdictOf(url)).toEqual({ valid: false, reason });
});

test.each([
  ['https://example.com/?s=a&calc', true, 'https', 'example.com'],
  ['https://example.com/$(id)', true, 'https', 'example.com'],
  ['HTTPS://EXAMPLE.com/', true, 'https', 'example.com'],
  ['http://example.com/', true, 'http', 'example.com'],
  ['javascript:alert(1)', false, 'javascript', ''],
  ['JavaScript:alert(1)', false, 'javascript', ''],
  ['file:///etc/passwd', false, 'file', ''],
  ['data:text/html,x', false, 'data', ''],
  ['vscode://x', false, 'vscode', 'x'],
  ['mailto:me@example.com', false, 'mailto', ''],
  ['ws://example.com/', false, 'ws', 'example.com'],
  ['ftp://example.com/', false, 'ftp', 'example.com'],
  ['blob:https://example.com/x', false, 'blob', ''],
  ['view-source:https://example.com/', false, 'view-source', ''],
])('%s: openable %s (C25)', (url, openable, scheme, host) => {
  expect(valid(url)).toMatchObject({ openable, scheme, host });
});

describe('warnings', () => {
  test.each<[string, string[]]>([
    ['https://example.com/', []],
    ['https://example.com:443/', []],
    ['https://example.com/?s=a&calc', []],
    ['https://example.com/a@b', []],
    ['https://example.com/?q=a\\b', []],
    ['http://example.com/', ['http']],
    ['http://localhost:3000/cb', []],
    ['http://LOCALHOST./cb', []],
    ['http://app.localhost/', []],
    ['http://localhost.example.com/', ['http']],
    ['http://127.0.0.1:9/x', ['ip']],
    ['http://127.8.9.1/', ['ip']],
    ['http://[::1]:8080/', ['ip']],
    ['http://[::ffff:127.0.0.1]/', ['ip']],
    ['http://0.0.0.0/', ['http', 'ip']],
    ['https://10.0.0.1/', ['ip']],
    ['https://2130706433/', ['ip']],
    ['https://0x7f000001/', ['ip']],
    ['https://0x7f.1/', ['ip']],
    ['https://0177.0.0.1/', ['ip']],
    ['https://3232235777/', ['ip']],
    ['https://[2001:db8::1]/', ['ip']],
    ['https://user@example.com/', ['userinfo']],
    ['https://google.com:pw@evil.example/', ['userinfo']],
    ['https://google.com%2f@evil.example/', ['userinfo']],
    ['https://example.com:8443/', ['port']],
    ['https://example.com:80/', ['port']],
    ['http://example.com:443/', ['http', 'port']],
    ['https://example.com\\@evil.example/', ['backslash']],
    [`https://example.com/${'a'.repeat(600)}`, ['long']],
    ['https://b\u00fccher.example/', ['punycode']],
    ['https://xn--bcher-kva.example/', ['punycode']],
    ['https://\u4f8b\u3048.example/', ['punycode']],
    ['https://\u041f\u0440\u0438\u0432\u0435\u0442.example/', ['punycode']],
    ['https://p\u0430ypal.example/', ['punycode', 'mixed-scripts', 'confusable']],
    ['https://\u0430\u0440\u0440\u04cf\u0435.example/', ['punycode', 'confusable']],
    ['https://xn--80ak6aa92e.com/', ['punycode', 'confusable']],
    ['https://\u03bf\u03c1en.example/', ['punycode', 'mixed-scripts', 'confusable']],
    ['https://\u0261oogle.example/', ['punycode', 'confusable']],
    ['https://\u3042a\u6f22.example/', ['punycode']],
    ['https://\ud55c\uae00a.example/', ['punycode']],
    ['https://\u0430\u6f22.example/', ['punycode', 'mixed-scripts']],
    ['javascript:alert(1)', []],
  ])('%s: %j', (url, expected) => {
    expect(codes(url)).toEqual(expected);
  });

  test('name both spellings, the real site and the real address', () => {
    const said = (url: string): string =>
      valid(url)
        .warnings.map(({ message }) => message)
        .join(' ');
    expect(said('https://p\u0430ypal.example/')).toContain('p\u0430ypal.example');
    expect(said('https://p\u0430ypal.example/')).toContain('xn--pypal-4ve.example');
    expect(said('https://p\u0430ypal.example/')).toContain('looks like paypal.example');
    expect(said('https://google.com:pw@evil.example/')).toContain('the site is evil.example');
    expect(said('https://2130706433/')).toBe('The host is this machine: 127.0.0.1, written as 2130706433.');
    expect(said('https://u@0xa000001:99/')).toContain(
      'an IP address, not a name: 10.0.0.1, written as 0xa000001.',
    );
    expect(said('https://[2001:DB8::1]/')).toContain('[2001:db8::1].');
  });
});

test('the parts of an internationalised host', () => {
  expect(valid('https://B\u00fccher.example:8443/x?y#z')).toMatchObject({
    host: 'b\u00fccher.example',
    asciiHost: 'xn--bcher-kva.example',
    port: 8443,
    href: 'https://xn--bcher-kva.example:8443/x?y#z',
  });
});

test('href has no character that a terminal could obey or an eye miss', () => {
  expect(valid('https://example.com/\u202egnp.exe?\u200b#\u2066').href).toBe(
    'https://example.com/%E2%80%AEgnp.exe?%E2%80%8B#%E2%81%A6',
  );
});
