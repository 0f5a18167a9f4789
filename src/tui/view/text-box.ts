// A text being typed as lines of a width, and where its cursor stands among them (C30).
import { graphemeWidth, width } from '../../text/columns.ts';
import { eachGrapheme } from '../../text/graphemes.ts';
import { inert } from '../../text/inert.ts';
import type { Typing } from '../state/types.ts';

export interface TextBox {
  readonly lines: readonly string[];
  readonly cursor: { readonly line: number; readonly column: number };
}

/**
 * Breaks where the width is full and after every line end, which is shown as `newline`. What is hidden is shown as a
 * mark; with `mask` every character is shown as that.
 */
export function textBox(
  { text, at }: Typing,
  columns: number,
  show: { newline: string; mask: string | undefined },
): TextBox {
  const isPlain = inert(text) === text;
  const lines: string[] = [''];
  let used = 0;
  let offset = 0;
  let cursor: TextBox['cursor'] | undefined;
  const last = (): number => lines.length - 1;
  const put = (piece: string, wide: number): void => {
    // One column is left for the cursor behind the last character.
    if (used + wide >= columns && used > 0) {
      lines.push('');
      used = 0;
    }
    lines[last()] += piece;
    used += wide;
  };
  for (const grapheme of eachGrapheme(text)) {
    const piece = shown(grapheme, isPlain, show);
    const wide = isPlain && piece === grapheme ? graphemeWidth(piece) : width(piece);
    if (offset >= at && cursor === undefined) {
      const wraps = used + wide >= columns && used > 0;
      cursor = wraps ? { line: last() + 1, column: 0 } : { line: last(), column: used };
    }
    offset += grapheme.length;
    put(piece, wide);
    if (/^\r?\n$/.test(grapheme) && show.mask === undefined) {
      lines.push('');
      used = 0;
    }
  }
  return { lines, cursor: cursor ?? { line: last(), column: used } };
}

function shown(
  grapheme: string,
  isPlain: boolean,
  show: { newline: string; mask: string | undefined },
): string {
  if (show.mask !== undefined) return show.mask;
  if (/^\r?\n$/.test(grapheme)) return show.newline;
  return isPlain ? grapheme : inert(grapheme);
}
