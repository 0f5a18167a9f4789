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
export function erase({ text, at }: Typing): Typing {
  const from = before(text, at);
  return { text: text.slice(0, from) + text.slice(at), at: from };
}

export function eraseAfter({ text, at }: Typing): Typing {
  return { text: text.slice(0, at) + text.slice(after(text, at)), at };
}

export function eraseWord({ text, at }: Typing): Typing {
  const kept = text.slice(0, at).replace(/\S+\s*$|\s+$/u, '');
  return { text: kept + text.slice(at), at: kept.length };
}

export function eraseLine({ text, at }: Typing): Typing {
  return { text: text.slice(at), at: 0 };
}

export function left({ text, at }: Typing): Typing {
  return { text, at: before(text, at) };
}

export function right({ text, at }: Typing): Typing {
  return { text, at: after(text, at) };
}

/** Pasted text for a field of one line: line ends become spaces, so that none acts as a key or gets in unseen. */
export function folded(pasted: string): string {
  return pasted.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/\r\n|[\r\n\t]/g, ' ');
}

function before(text: string, at: number): number {
  const last = graphemes(text.slice(Math.max(0, at - WINDOW), at)).at(-1) ?? '';
  return at - last.length;
}

function after(text: string, at: number): number {
  return at + (graphemes(text.slice(at, at + WINDOW))[0] ?? '').length;
}
