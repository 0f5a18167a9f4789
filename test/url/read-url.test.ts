// A URL stays one however often it is read: the compiled `URL.canParse` of Node 20 gives up on letters of Latin-1.
import { expect, test } from 'vitest';
import { readUrl } from '../../src/url/read-url.ts';
import { verdictOf } from '../../src/url/verdict.ts';

const URL_OF_BOOKS = 'https://bücher.example/über?q=ä';

test('an internationalised URL is read the same the ten-thousandth time', () => {
  let refused = 0;
  for (let count = 0; count < 10_000; count += 1) if (!verdictOf(URL_OF_BOOKS).valid) refused += 1;
  expect(refused).toBe(0);
});

test.each([
  ['https://example.com', undefined, 'https://example.com/'],
  ['/sse?id=1', 'https://example.com/mcp', 'https://example.com/sse?id=1'],
  ['', 'https://example.com/mcp', 'https://example.com/mcp'],
  ['nothing', undefined, undefined],
  ['http://[', undefined, undefined],
])('%j on %j is %j', (text, base, expected) => {
  expect(readUrl(text, base === undefined ? undefined : new URL(base))?.href).toBe(expected);
});
