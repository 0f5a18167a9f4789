// Untrusted text: nothing a terminal obeys or an eye misses gets through, and ordinary writing is left alone (C26).
import { describe, expect, test } from 'vitest';
import { inert } from '../../src/text/inert.ts';

describe('shown as marks', () => {
  test.each<[string, string, string]>([
    ['clear screen', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['title change', '\u001b]0;x\u0007', '\\u{1b}]0;x\\u{7}'],
    ['hidden link', '\u001b]8;;https://x.test\u001b\\y', '\\u{1b}]8;;https://x.test\\u{1b}\\y'],
    ['clipboard write', '\u001b]52;c;eA==\u0007', '\\u{1b}]52;c;eA==\\u{7}'],
    ['overwriting the line', 'safe\revil', 'safe\\u{d}evil'],
    ['a backspace', 'ab\bc', 'ab\\u{8}c'],
    ['NUL', '\u0000', '\\u{0}'],
    ['DEL', 'a\u007f', 'a\\u{7f}'],
    ['C1 CSI', '\u009b2J', '\\u{9b}2J'],
    ['next line', 'a\u0085b', 'a\\u{85}b'],
    ['form feed and vertical tab', '\f\v', '\\u{c}\\u{b}'],
    ['right-to-left override', 'a\u202egnp.exe', 'a\\u{202e}gnp.exe'],
    ['embedding and its end', '\u202ax\u202c', '\\u{202a}x\\u{202c}'],
    ['isolates', '\u2066\u2067\u2068\u2069', '\\u{2066}\\u{2067}\\u{2068}\\u{2069}'],
    ['direction marks', 'a\u200eb\u200fc\u061cd', 'a\\u{200e}b\\u{200f}c\\u{61c}d'],
    ['zero-width space', 'pa\u200by', 'pa\\u{200b}y'],
    ['zero-width joiners between Latin letters', 'a\u200cb\u200dc', 'a\\u{200c}b\\u{200d}c'],
    ['word joiner and invisible operators', '\u2060\u2061\u2064', '\\u{2060}\\u{2061}\\u{2064}'],
    ['byte order mark', '\ufeffa', '\\u{feff}a'],
    ['soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['Hangul fillers', '\u3164\u115f\uffa0', '\\u{3164}\\u{115f}\\u{ffa0}'],
    ['grapheme joiner', 'a\u034fb', 'a\\u{34f}b'],
    ['line and paragraph separator', 'a\u2028b\u2029c', 'a\\u{2028}b\\u{2029}c'],
    ['a lone high surrogate', 'a\ud800b', 'a\\u{d800}b'],
    ['a lone low surrogate', '\udc00', '\\u{dc00}'],
    ['interlinear annotation', '\ufff9a\ufffb', '\\u{fff9}a\\u{fffb}'],
    ['noncharacters', '\ufffe\u{1ffff}', '\\u{fffe}\\u{1ffff}'],
    ['tags', 'a\u{e0061}\u{e0062}', 'a\\u{e0061}\\u{e0062}'],
    [
      'tags hidden behind a flag',
      '\u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0021}\u{e007f}',
      '🏴\\u{e0069}\\u{e0067}\\u{e006e}\\u{e006f}\\u{e0072}\\u{e0065}\\u{e0021}\\u{e007f}',
    ],
    ['a variation selector on a letter', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a digit with a selector and no keycap', '1\ufe0f2', '1\\u{fe0f}2'],
    ['data in variation selectors', '😀\u{e0148}\u{e0155}', '😀\\u{e0148}\\u{e0155}'],
    ['a selector twice', '❤\ufe0f\ufe0f', '❤\ufe0f\\u{fe0f}'],
    ['a joiner after an emoji and before a letter', '😀\u200da', '😀\\u{200d}a'],
    ['a joiner at the end', '😀\u200d', '😀\\u{200d}'],
    ['a mark with nothing to sit on', '\u0301a', '\\u{301}a'],
    ['a mark after a space', 'a \u0301', 'a \\u{301}'],
    ['a mark at the start of a line', 'a\n\u0301b', 'a\n\\u{301}b'],
    ['a mark after what is shown as a mark', '\u200b\u0301', '\\u{200b}\\u{301}'],
    ['a pile of marks', `e${'\u0301'.repeat(8)}`, `e${'\u0301'.repeat(6)}\\u{301}\\u{301}`],
    ['Mongolian selectors', '\u180b\u180e', '\\u{180b}\\u{180e}'],
  ])('%s', (_name, text, expected) => {
    expect(inert(text)).toBe(expected);
  });

  test('no control, format or ignorable character at all survives alone', () => {
    const survivors: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const point = String.fromCodePoint(code);
      if (!/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u.test(point) || point === '\n') continue;
      // Between letters no hidden character has a purpose; the drawn Arabic signs are not hidden.
      if (inert(`x${point}x`) === `x${point}x`) survivors.push(code.toString(16));
    }
    expect(survivors).toEqual([
      '600',
      '601',
      '602',
      '603',
      '604',
      '605',
      '6dd',
      '70f',
      '890',
      '891',
      '8e2',
      '110bd',
      '110cd',
    ]);
  });

  test('a long chain of joined emoji ends somewhere', () => {
    const chain = Array.from({ length: 40 }, () => '👨').join('\u200d');
    expect(inert(chain).match(/\u200d/g)).toHaveLength(7);
  });
});

describe('left as it is', () => {
  test.each([
    'plain text, with "quotes" & <tags> \\n %s $(id)',
    'Grüße, žluťoučký kůň, naïve, Ørsted',
    'e\u0301a\u0300\u0323 decomposed',
    '日本語のテキスト、中文，한국어',
    '葛\u{e0100}城',
    'привет мир, Ελληνικά',
    'שלום עולם',
    'שָׁלוֹם',
    'مرحبا بالعالم',
    'می\u200cخواهم',
    'क्\u200dष हिन्दी தமிழ்',
    'ภาษาไทย ที่',
    '😀 👍🏽 ❤️ ☎︎ ✈️',
    '👨\u200d👩\u200d👧\u200d👦',
    '👩🏽\u200d❤️\u200d💋\u200d👨🏿',
    '🏳️\u200d🌈 🏴\u200d☠️',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England',
    '1️⃣ #️⃣ *️⃣',
    '🇫🇷🇯🇵',
    'line one\nline two\n\n  indented',
    'no-break\u00a0space, ideographic\u3000space',
    '\u0600\u06dd Arabic signs',
    'ﬁ ligature, ½, €, →, █, ─',
    '',
  ])('%s', (text) => {
    expect(inert(text)).toBe(text);
    expect(inert(inert(text))).toBe(text);
  });
});

test('tabs become spaces, CRLF a newline', () => {
  expect(inert('a\tb\r\nc')).toBe('a    b\nc');
});

describe('one line', () => {
  test.each([
    ['a\nb', 'a b'],
    ['  a \r\n\t b\n', 'a b'],
    ['a\rb', 'a b'],
    ['a\u2028b', 'a\\u{2028}b'],
    ['a\u0085b', 'a\\u{85}b'],
    ['\u001b[2J\n', '\\u{1b}[2J'],
    ['\n\n', ''],
  ])('%j', (text, expected) => {
    expect(inert(text, { oneLine: true })).toBe(expected);
  });
});

describe('at most so many characters', () => {
  test.each<[string, number, string]>([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['abc', 1, '…'],
    ['👨\u200d👩\u200d👧👨\u200d👩\u200d👧', 2, '👨\u200d👩\u200d👧👨\u200d👩\u200d👧'],
    ['👨\u200d👩\u200d👧👨\u200d👩\u200d👧a', 2, '👨\u200d👩\u200d👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['\u001babc', 4, '\\u{…'],
    ['', 3, ''],
  ])('%j to %i', (text, max, expected) => {
    expect(inert(text, { max })).toBe(expected);
  });

  test('a megabyte costs no more than what is shown', () => {
    const start = performance.now();
    for (let round = 0; round < 50; round += 1)
      inert('\u001be\u0301'.repeat(300_000), { max: 60, oneLine: true });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test('the largest message is made inert at once', () => {
    const start = performance.now();
    inert('\u0301'.repeat(65_536));
    inert('👨\u200d'.repeat(20_000));
    inert('\u001b'.repeat(65_536));
    inert(`a${' '.repeat(65_536)}`, { oneLine: true });
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
