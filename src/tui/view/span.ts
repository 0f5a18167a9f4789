// What a screen is made of: lines of pieces of text, each with a tone that the theme turns into a look.
import { graphemeWidth, truncate, width } from '../../text/columns.ts';
import { eachGrapheme } from '../../text/graphemes.ts';
import { wrap } from '../../text/wrap.ts';

export type Tone =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'title'
  | 'focus'
  | 'ok'
  | 'warn'
  | 'error'
  | 'key'
  | 'host'
  | 'field';

/** Text that is inert already. */
export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Span[];

export const BLANK: Line = [];

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text, tone };
}

export function line(text: string, tone: Tone = 'plain'): Line {
  return [{ text, tone }];
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + width(text), 0);
}

/** The line if it fits, else its beginning and an ellipsis. */
export function shortened(spans: Line, columns: number, ellipsis: string): Line {
  if (lineWidth(spans) <= columns) return spans;
  const kept: Span[] = [];
  let room = columns;
  for (const { text, tone } of spans) {
    if (room <= 0) break;
    const rest = width(text) >= room ? truncate(`${text} `, room, ellipsis) : text;
    kept.push({ text: rest, tone });
    room -= width(rest);
  }
  return kept;
}

/** One line with something at either end; the left gives way. */
export function ends(left: Line, right: Line, columns: number, ellipsis: string): Line {
  const room = Math.max(0, columns - lineWidth(right) - 1);
  const fitted = shortened(left, room, ellipsis);
  return [...fitted, span(' '.repeat(Math.max(1, columns - lineWidth(fitted) - lineWidth(right)))), ...right];
}

/** Text over as many lines as it takes, all of them indented alike; nothing is lost. */
export function paragraph(text: string, columns: number, tone: Tone = 'plain', indent = 0): Line[] {
  const margin = ' '.repeat(indent);
  return wrap(text, Math.max(1, columns - indent)).map((part) => line(margin + part, tone));
}

/** A label and text beside it, wrapped in its own column; the label stands above where it would leave no room. */
export function labelled(label: Span, text: Span, columns: number, room: number, indent = 1): Line[] {
  const margin = ' '.repeat(indent);
  if (width(label.text) > room || columns - indent - room < 20) {
    return [
      ...wrap(label.text, columns - indent).map((part) => line(margin + part, label.tone)),
      ...paragraph(text.text, columns, text.tone, indent + 2),
    ];
  }
  const gap = (used: number): string => ' '.repeat(room - used);
  const parts = wrap(text.text, columns - indent - room);
  return parts.map((part, index) =>
    index === 0
      ? [span(margin + label.text, label.tone), span(gap(width(label.text)) + part, text.tone)]
      : [span(margin + gap(0) + part, text.tone)],
  );
}

/** The text cut into pieces of a width, character by character: for text that is edited, where every space counts. */
export function chopped(text: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const grapheme of eachGrapheme(text)) {
    const wide = graphemeWidth(grapheme);
    if (used + wide > columns && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += grapheme;
    used += wide;
  }
  return [...pieces, piece];
}
