// Measuring, cutting and wrapping by columns (C30).
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { padEnd, truncate, width } from '../../src/text/columns.ts';
import { graphemes } from '../../src/text/graphemes.ts';
import { similar } from '../../src/text/similar.ts';
import { wrap } from '../../src/text/wrap.ts';

const FAMILY = '👨\u200d👩\u200d👧\u200d👦';

test.each([
  ['', 0],
  ['abc', 3],
  ['한글中文ABC', 11],
  [FAMILY, 2],
  ['e\u0301', 1],
  ['é', 1],
  ['🙂🙂', 4],
  ['🇫🇷', 2],
  ['❤️', 2],
  ['1️⃣', 2],
  ['ｆｕｌｌ', 8],
  ['ﾊﾝ', 2],
])('%j is %i columns wide', (text, columns) => {
  expect(width(text)).toBe(columns);
});

test.each([
  ['abc', ['a', 'b', 'c']],
  ['', []],
  [`a${FAMILY}e\u0301🇫🇷`, ['a', FAMILY, 'e\u0301', '🇫🇷']],
  ['각', ['각']],
  ['a\r\nb', ['a', '\r\n', 'b']],
])('%j has the characters %j', (text, expected) => {
  expect(graphemes(text)).toEqual(expected);
});

test('long texts are cut into the same characters as short ones', () => {
  const unit = `é${FAMILY}🇫🇷🇯🇵각e\u0301क्\u200dष👍🏽x`;
  const expected = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(unit)].map(
    ({ segment }) => segment,
  );
  for (const lead of ['', 'a', 'ab', 'é', '日本']) {
    expect(graphemes(lead + unit.repeat(200)).slice(lead.length)).toEqual(
      Array.from({ length: 200 }, () => expected).flat(),
    );
  }
});

test('a character longer than any window is one', () => {
  const long = `e${'\u0301'.repeat(10_000)}`;
  expect(graphemes(`${long}a${long}`)).toEqual([long, 'a', long]);
});

test('the short cuts measure as string-width does', () => {
  const letters = ['é', 'ʯ', 'Ω', 'я', 'ԯ', 'あ', 'ヺ', '漢', '각', '힣', 'ß', 'ƿ', 'ͳ'];
  for (const letter of letters) expect([letter, width(letter)]).toEqual([letter, stringWidth(letter)]);
});

test('styling takes no columns', () => {
  expect(width('\u001b[31mé\u001b[39m')).toBe(1);
});

test.each<[string, number, string]>([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['abcd', 1, '…'],
  ['abcd', 0, ''],
  ['abcd', -1, ''],
  ['', 5, ''],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  [`${FAMILY}${FAMILY}`, 3, `${FAMILY}…`],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
])('%j cut to %i columns is %j', (text, columns, expected) => {
  expect(truncate(text, columns)).toBe(expected);
});

test('the ellipsis can be another, and counts', () => {
  expect(truncate('abcdef', 5, '...')).toBe('ab...');
  expect(truncate('abcdef', 2, '...')).toBe('');
  expect(truncate('abcdef', 3, '')).toBe('abc');
});

test('padding counts columns', () => {
  expect(padEnd('日本', 6)).toBe('日本  ');
  expect(padEnd('abc', 3)).toBe('abc');
  expect(padEnd('abcd', 3)).toBe('abcd');
});

describe('wrap', () => {
  test.each<[string, number, string[]]>([
    ['', 10, ['']],
    ['abc', 10, ['abc']],
    ['one two three', 7, ['one two', 'three']],
    ['one two three', 8, ['one two', 'three']],
    ['one  two', 3, ['one', 'two']],
    ['a\n\nb', 10, ['a', '', 'b']],
    ['  indented text here', 10, ['  indented', 'text here']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['ab abcdefgh', 4, ['ab', 'abcd', 'efgh']],
    ['日本語のテキスト', 6, ['日本語', 'のテキ', 'スト']],
    ['日本語', 5, ['日本', '語']],
    ['see 日本語', 7, ['see 日', '本語']],
    [`${FAMILY}${FAMILY}`, 3, [FAMILY, FAMILY]],
    ['日本', 1, ['日', '本']],
    ['ab', 0, ['a', 'b']],
    ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301', 'e\u0301']],
    ['          ', 4, ['']],
    ['word            ', 6, ['word']],
  ])('%j to %i columns', (text, columns, expected) => {
    expect(wrap(text, columns)).toEqual(expected);
  });

  test('a URL is wrapped, never cut', () => {
    const url = `https://example.com/${'path/'.repeat(40)}?q=${'a'.repeat(90)}`;
    for (const columns of [1, 7, 40, 78]) {
      const lines = wrap(url, columns);
      expect(lines.join('')).toBe(url);
      expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns);
    }
  });

  test('no line is wider than asked for, and no word is lost', () => {
    const text = `Prüfe — 確認 🙂 ${FAMILY} e\u0301tude long-winded words and 한글中文ABC mixed`.repeat(5);
    for (let columns = 2; columns <= 40; columns += 1) {
      const lines = wrap(text, columns);
      expect(Math.max(...lines.map(width))).toBeLessThanOrEqual(columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }
  });

  test('a large message is wrapped at once', () => {
    const start = performance.now();
    wrap('é'.repeat(65_536), 80);
    wrap('é '.repeat(32_768), 80);
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});

test.each<[string, string[], string | undefined]>([
  ['titel', ['title', 'repo'], 'title'],
  ['Title', ['title'], 'title'],
  ['repos', ['title', 'repo'], 'repo'],
  ['x', ['y'], undefined],
  ['X', ['x'], 'x'],
  ['nothing', ['title', 'repo'], undefined],
  ['', ['a'], undefined],
  ['name1', ['name2', 'name'], 'name2'],
  ['a'.repeat(100), ['a'.repeat(99)], undefined],
])('%j is closest to %j: %j', (word, candidates, expected) => {
  expect(similar(word, candidates)).toBe(expected);
});
