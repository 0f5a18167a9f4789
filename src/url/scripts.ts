// Host labels whose letters are meant to be taken for others: mixed scripts, and letters that look Latin and are
// not.

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Cherokee',
  'Georgian',
  'Devanagari',
  'Thai',
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
].map((name) => ({ name, expression: new RegExp(`\\p{Script=${name}}`, 'u') }));

/**
 * Scripts that are written together; with each set Latin letters are usual too (Unicode UTS 39, "highly
 * restrictive").
 */
const TOGETHER = [
  ['Han', 'Hiragana', 'Katakana', 'Latin'],
  ['Han', 'Bopomofo', 'Latin'],
  ['Han', 'Hangul', 'Latin'],
];

/** Small letters by the ASCII letter they are drawn like: Cyrillic, Greek, Armenian and rare Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  b: '\u044c\u0432\u03b2',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u0451\u04bd\u03b5',
  f: '\u0192',
  g: '\u0581\u0261',
  h: '\u04bb\u043d\u0570',
  i: '\u0456\u0457\u03b9\u0131',
  j: '\u0458\u03f3\u0575',
  k: '\u043a\u03ba',
  l: '\u04cf\u056c',
  m: '\u043c',
  n: '\u043f\u03b7\u0578',
  o: '\u043e\u03bf\u03c3\u0585',
  p: '\u0440\u03c1',
  q: '\u051b\u0566',
  r: '\u0433',
  s: '\u0455\u017f',
  t: '\u0442\u03c4',
  u: '\u03c5\u057d',
  v: '\u0475\u03bd\u028b',
  w: '\u051d\u03c9\u0448',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03b3',
};
const LATIN_FOR = new Map(
  Object.entries(LOOKALIKES).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
);

/** Whether one label mixes scripts that no language writes together. */
export function isMixed(label: string): boolean {
  const found = SCRIPTS.filter(({ expression }) => expression.test(label)).map(({ name }) => name);
  if (found.length < 2) return false;
  return !TOGETHER.some((set) => found.every((name) => set.includes(name)));
}

/**
 * The ASCII word that a label can be taken for, where every letter of it is ASCII or drawn like an ASCII one and
 * at least one is not ASCII; `undefined` for other labels. Latin letters with accents are not taken for others:
 * half of Europe writes them.
 */
export function takenFor(label: string): string | undefined {
  if (/^[\x20-\x7e]*$/.test(label)) return undefined;
  let out = '';
  for (const letter of label.normalize('NFKC').toLowerCase()) {
    const ascii = /[\x21-\x7e]/.test(letter) ? letter : LATIN_FOR.get(letter);
    if (ascii === undefined) return undefined;
    out += ascii;
  }
  return out;
}
