// Generated JSON texts for property tests: any nesting, spacing, escapes, repeated keys, odd numbers. Same for a seed.

/** A random number generator (mulberry32) that gives the same numbers for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Rng = () => number;

function pick<T>(rng: Rng, from: readonly T[]): T {
  return from[Math.floor(rng() * from.length)] as T;
}

const SPACES = ['', '', '', ' ', '\n', '\r\n', '\t', '  \n '];
const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1.0',
  '-12.5e-3',
  '1E+2',
  '1152921504606846976',
  '12345678901234567890123',
  '1e400',
];
const STRINGS = [
  '',
  'a',
  'b',
  '__proto__',
  'constructor',
  '10',
  '2',
  'line\\nbreak',
  '\\"',
  '\\\\',
  '\\\\\\"',
  '\\/',
  '\\u0061',
  '\\ud83d\\ude00',
  '\\ud800',
  '確認 🙂',
  '\u2028',
  '{\\"not\\":[an object]}',
  'x'.repeat(60),
];

function text(rng: Rng, depth: number): string {
  const space = (): string => pick(rng, SPACES);
  const kind = rng();
  const count = Math.floor(rng() * 4);
  if (depth > 0 && kind < 0.4) {
    const members = Array.from(
      { length: count },
      () => `${space()}"${pick(rng, STRINGS)}"${space()}:${space()}${text(rng, depth - 1)}${space()}`,
    );
    return `{${members.join(',') || space()}}`;
  }
  if (depth > 0 && kind < 0.6) {
    const values = Array.from({ length: count }, () => `${space()}${text(rng, depth - 1)}${space()}`);
    return `[${values.join(',') || space()}]`;
  }
  return kind < 0.8 ? `"${pick(rng, STRINGS)}"` : pick(rng, SCALARS);
}

/** That many documents, objects more often than not. */
export function documents(count: number, seed = 1): string[] {
  const rng = random(seed);
  return Array.from({ length: count }, () => {
    const space = pick(rng, SPACES);
    return `${space}${text(rng, 4)}${space}`;
  });
}

const STRAY = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '1',
  '-',
  '.',
  'e',
  'n',
  't',
  ' ',
  '\n',
  '\u0001',
  'u',
];

/** Texts that differ from the given one in a single place; most of them are no JSON any more. */
export function mutations(document: string, rng: Rng): string[] {
  const at = Math.floor(rng() * document.length);
  const stray = pick(rng, STRAY);
  return [
    document.slice(0, at) + document.slice(at + 1),
    document.slice(0, at) + stray + document.slice(at),
    document.slice(0, at) + stray + document.slice(at + 1),
    document.slice(0, at),
  ];
}
