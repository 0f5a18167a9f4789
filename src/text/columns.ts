// Text measured and cut by terminal columns, never inside a character that a person sees as one (C30).
import stringWidth from 'string-width';
import { eachGrapheme, graphemes } from './graphemes.ts';

// Letters whose width is plain, so that long texts need not be looked up one by one.
const NARROW = /^[\x20-\x7e\u00c0-\u02af\u0370-\u0373\u0388-\u03ff\u0400-\u0482\u048a-\u052f]$/;
const WIDE = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;

/** The columns a text takes on a terminal: 2 for wide characters and emoji, 0 for combining marks and styling. */
export function width(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  // Only mcpx's own styling has escape sequences, and only string-width knows how to leave them out.
  if (/[\u001b\u009b]/.test(text)) return stringWidth(text);
  let columns = 0;
  for (const grapheme of eachGrapheme(text)) columns += graphemeWidth(grapheme);
  return columns;
}

/** The columns of one character. */
export function graphemeWidth(grapheme: string): number {
  if (NARROW.test(grapheme)) return 1;
  return WIDE.test(grapheme) ? 2 : stringWidth(grapheme);
}

/**
 * The text if it fits into `columns`, otherwise its beginning and the ellipsis, together no wider than `columns`.
 */
export function truncate(text: string, columns: number, ellipsis = '…'): string {
  if (columns <= 0) return '';
  const room = columns - width(ellipsis);
  let kept = '';
  let used = 0;
  let isCut = false;
  for (const grapheme of eachGrapheme(text)) {
    const wide = graphemeWidth(grapheme);
    if (used + wide > columns) {
      isCut = true;
      break;
    }
    used += wide;
    kept += grapheme;
  }
  if (!isCut) return text;
  if (room < 0) return '';
  return start(kept, room) + ellipsis;
}

function start(text: string, columns: number): string {
  let out = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > columns) break;
    out += grapheme;
  }
  return out;
}

/** The text filled up with spaces to `columns`; a wider one is returned as it is. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}
