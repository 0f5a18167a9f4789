// A text being typed: every edit gives a new value, and the cursor never stands inside what a person sees as one character.
import { graphemes } from '../../text/graphemes.ts';
import type { Typing } from './types.ts';

/** A grapheme is looked for in this many code units; none that a person types is longer. */
const WINDOW = 128;

/** A text with the cursor behind it. */
export function typingOf(text: string): Typing {
  return { text, at: text.length };
}

export function insert({ text, at }: Typing, added: string): Typing {
  return { text: text.slice(0, at) + added + text.slice(at), at: at + added.length };
}

/** Takes away one visible character before the cursor (C30). */
export function erase(typing: Typing): Typing {
  return cut(typing, before(typing.text, typing.at), typing.at);
}

export function eraseAfter(typing: Typing): Typing {
  return cut(typing, typing.at, after(typing.text, typing.at));
}

/** As Ctrl+W does in readline: back to the last blank. */
export function eraseBlankWord(typing: Typing): Typing {
  const kept = typing.text.slice(0, typing.at).replace(/\S+\s*$|\s+$/u, '');
  return cut(typing, kept.length, typing.at);
}

/** As Alt+Backspace does: back to where Alt+B would go. */
export function eraseWord(typing: Typing): Typing {
  return cut(typing, wordLeft(typing).at, typing.at);
}

export function eraseWordAfter(typing: Typing): Typing {
  return cut(typing, typing.at, wordRight(typing).at);
}

/** Everything before the cursor in its line; at the start of a line the line end before it. */
export function eraseLine(typing: Typing): Typing {
  const start = lineStart(typing).at;
  return cut(typing, start < typing.at ? start : before(typing.text, typing.at), typing.at);
}

/** Everything behind the cursor in its line; at the end of a line that end. */
export function eraseLineAfter(typing: Typing): Typing {
  const end = lineEnd(typing).at;
  return cut(typing, typing.at, end > typing.at ? end : after(typing.text, typing.at));
}

export function left({ text, at }: Typing): Typing {
  return { text, at: before(text, at) };
}

export function right({ text, at }: Typing): Typing {
  return { text, at: after(text, at) };
}

/** To the start of the word that the cursor is in or behind; a word is letters, digits and `_`, as in readline. */
export function wordLeft({ text, at }: Typing): Typing {
  let to = at;
  let isInside = false;
  while (to > 0) {
    const next = before(text, to);
    const isWord = WORD.test(text.slice(next, to));
    if (isInside && !isWord) break;
    isInside ||= isWord;
    to = next;
  }
  return { text, at: to };
}

/** To the end of the word that the cursor is in or before. */
export function wordRight({ text, at }: Typing): Typing {
  let to = at;
  let isInside = false;
  while (to < text.length) {
    const next = after(text, to);
    const isWord = WORD.test(text.slice(to, next));
    if (isInside && !isWord) break;
    isInside ||= isWord;
    to = next;
  }
  return { text, at: to };
}

export function lineStart({ text, at }: Typing): Typing {
  return { text, at: at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1 };
}

export function lineEnd({ text, at }: Typing): Typing {
  const end = text.indexOf('\n', at);
  if (end < 0) return { text, at: text.length };
  // A line end of two code units is one character.
  return { text, at: end > at && text[end - 1] === '\r' ? end - 1 : end };
}

/** The same place in the line above, or `undefined` where there is none. */
export function lineUp(typing: Typing): Typing | undefined {
  const { text, at } = typing;
  const start = lineStart(typing).at;
  if (start === 0) return undefined;
  const above = lineStart({ text, at: before(text, start) });
  return { text, at: placed(lineOf(above), above.at, graphemes(text.slice(start, at)).length) };
}

/** The same place in the line below, or `undefined` where there is none. */
export function lineDown(typing: Typing): Typing | undefined {
  const { text, at } = typing;
  const end = lineEnd(typing).at;
  if (end === text.length) return undefined;
  const below = after(text, end);
  const count = graphemes(text.slice(lineStart(typing).at, at)).length;
  return { text, at: placed(lineOf({ text, at: below }), below, count) };
}

/** Pasted text for a field of one line: line ends become spaces, so that none acts as a key or gets in unseen. */
export function folded(pasted: string): string {
  return pasted.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/\r\n|[\r\n\t]/g, ' ');
}

const WORD = /^[\p{L}\p{N}_]/u;

function cut({ text, at }: Typing, from: number, to: number): Typing {
  if (from === to) return { text, at };
  return { text: text.slice(0, from) + text.slice(to), at: from };
}

/** The rest of the line from a place. */
function lineOf(typing: Typing): string {
  return typing.text.slice(typing.at, lineEnd(typing).at);
}

function placed(line: string, start: number, count: number): number {
  return start + graphemes(line).slice(0, count).join('').length;
}

function before(text: string, at: number): number {
  const last = graphemes(text.slice(Math.max(0, at - WINDOW), at)).at(-1) ?? '';
  return at - last.length;
}

function after(text: string, at: number): number {
  return at + (graphemes(text.slice(at, at + WINDOW))[0] ?? '').length;
}
