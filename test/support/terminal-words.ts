// What terminals say of themselves, unasked or long after another program has asked (C44), and ways to cut it into reads.

/** The list of C44, and more of the same kinds. */
export const TERMINAL_WORDS: readonly (readonly [name: string, bytes: Buffer])[] = (
  [
    ['version (kitty)', '\u001bP>|kitty(0.35.2)\u001b\\'],
    ['version (tmux)', '\u001bP>|tmux 3.4\u001b\\'],
    ['background colour, ST', '\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\'],
    ['background colour, BEL', '\u001b]11;rgb:1e1e/1e1e/1e1e\u0007'],
    ['background colour, C1', '\u009d11;rgb:1e1e/yyyy/1e1e\u009c'],
    ['clipboard', '\u001b]52;c;aGVsbG8=\u0007'],
    ['title', '\u001b]lyes\u001b\\'],
    ['terminfo', '\u001bP1+r524742=38\u001b\\'],
    ['setting', '\u001bP1$r0y\u001b\\'],
    ['graphics', '\u001b_Gi=31;OK\u001b\\'],
    ['privacy message', '\u001b^yes\u001b\\'],
    ['string', '\u001bXyes\u001b\\'],
    ['mode', '\u001b[?2026;2$y'],
    ['device attributes', '\u001b[>1;10;0c'],
    ['kind', '\u001b[?62;22c'],
    ['cursor', '\u001b[12;40R'],
    ['size', '\u001b[8;26;90t'],
    ['release (kitty)', '\u001b[97;1:3u'],
    ['text (kitty)', '\u001b[97;;98u'],
    ['press of y (kitty)', '\u001b[121u'],
    ['Enter (kitty)', '\u001b[13;1:1u'],
    ['Ctrl+J (xterm)', '\u001b[27;5;106~'],
    ['release of an arrow', '\u001b[1;1:3A'],
    ['colour by a C1 control', '\u009b31m'],
    ['focus', '\u001b[I'],
    ['focus lost', '\u001b[O'],
    ['mouse (SGR)', '\u001b[<0;10;10M'],
    ['mouse (SGR), release', '\u001b[<0;10;10m'],
    ['mouse (urxvt)', '\u001b[32;10;10M'],
    ['keypad', '\u001bOy'],
    ['F5', '\u001b[15~'],
    ['F2', '\u001bOQ'],
    ['Shift+F3', '\u001b[1;2R'],
  ] as const
)
  .map(([name, text]): readonly [string, Buffer] => [name, Buffer.from(text)])
  .concat([
    ['mouse (X10)', Buffer.from([0x1b, 0x5b, 0x4d, 0x20, 0x79, 0x6f])],
    ['mouse (X10), far right', Buffer.from([0x1b, 0x5b, 0x4d, 0x23, 0xc3, 0x0d])],
    ['8-bit colour', Buffer.from([0x9b, 0x33, 0x31, 0x6d])],
  ]);

interface Cut {
  readonly name: string;
  readonly reads: readonly Buffer[];
  /** Milliseconds between two reads. */
  readonly pause: number;
}

/** The bytes whole, at every place in two, in two with a pause between, and byte by byte with and without one. */
export function cuts(bytes: Buffer): Cut[] {
  const places = [...bytes.keys()].slice(1);
  const single = [...bytes].map((byte) => Buffer.of(byte));
  const inTwo = (pause: number): Cut[] =>
    places.map((at) => ({
      name: `cut at ${at}, ${pause} ms`,
      reads: [bytes.subarray(0, at), bytes.subarray(at)],
      pause,
    }));
  return [
    { name: 'whole', reads: [bytes], pause: 0 },
    ...inTwo(0),
    ...inTwo(101),
    { name: 'byte by byte', reads: single, pause: 0 },
    { name: 'byte by byte, 101 ms', reads: single, pause: 101 },
  ];
}

/** Numbers from 0 to less than `below`, the same for the same seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
