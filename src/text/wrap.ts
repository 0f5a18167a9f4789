// Text wrapped to a width: at spaces and between wide characters where it can, inside a long word where it must.
import { graphemeWidth, width } from './columns.ts';
import { graphemes } from './graphemes.ts';

/**
 * The lines of a text, each no wider than `columns` (a single wide character on a one-column screen excepted).
 * Newlines end a line, indentation stays, and but for the spaces at a break nothing is lost, so that a wrapped URL
 * is whole.
 */
export function wrap(text: string, columns: number): string[] {
  const most = Math.max(1, columns);
  return text.split('\n').flatMap((line) => wrapLine(line, most));
}

function wrapLine(line: string, columns: number): string[] {
  if (width(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  const flush = (): void => {
    lines.push(current.trimEnd());
    current = '';
    used = 0;
  };
  for (const piece of pieces(line)) {
    const isSpace = piece.text.trim() === '';
    // Spaces at a break are dropped; indentation that fills the whole line is not worth a line.
    if (isSpace && (used + piece.width > columns || (used === 0 && lines.length > 0))) {
      if (used > 0) flush();
      continue;
    }
    if (used > 0 && used + piece.width > columns) flush();
    if (piece.width <= columns) {
      current += piece.text;
      used += piece.width;
      continue;
    }
    for (const grapheme of graphemes(piece.text)) {
      const wide = graphemeWidth(grapheme);
      if (used > 0 && used + wide > columns) flush();
      current += grapheme;
      used += wide;
    }
  }
  if (current !== '' || lines.length === 0) lines.push(current.trimEnd());
  return lines;
}

interface Piece {
  readonly text: string;
  readonly width: number;
}

/** Runs of spaces, words, and wide characters one by one: CJK text may break between any two. */
function pieces(line: string): Piece[] {
  const found: Piece[] = [];
  let run = '';
  let runWidth = 0;
  let isSpaces = false;
  const close = (): void => {
    if (run !== '') found.push({ text: run, width: runWidth });
    run = '';
    runWidth = 0;
  };
  for (const grapheme of graphemes(line)) {
    const columns = graphemeWidth(grapheme);
    const isSpace = grapheme === ' ' || grapheme === '\u3000';
    if (isSpace !== isSpaces || (columns > 1 && !isSpace)) close();
    isSpaces = isSpace;
    run += grapheme;
    runWidth += columns;
    if (columns > 1 && !isSpace) close();
  }
  close();
  return found;
}
