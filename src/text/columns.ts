// Text measured and cut by terminal columns, never inside a character that a person sees as one (C30).
import stringWidth from 'string-width';

/** The characters of a text as a person counts them (grapheme clusters). */
export function graphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('');
  return Array.from(
    new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  );
}

/** The columns a text takes on a terminal: 2 for wide characters and emoji, 0 for combining marks. */
export function width(text: string): number {
  return stringWidth(text);
}

/** The text if it fits into `columns`, otherwise its beginning and the ellipsis, together no wider than `columns`. */
export function truncate(text: string, columns: number, ellipsis = '…'): string {
  if (columns <= 0) return '';
  if (width(text) <= columns) return text;
  const room = columns - width(ellipsis);
  if (room < 0) return '';
  let out = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    used += width(grapheme);
    if (used > room) break;
    out += grapheme;
  }
  return out + ellipsis;
}

/** The text filled up with spaces to `columns`; a wider one is returned as it is. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}
