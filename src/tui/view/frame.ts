// Puts a screen together: header and footer stay, the body scrolls between them, and nothing is taller than it may be.
import type { Glyphs } from '../../terminal/glyphs.ts';
import { width } from '../../text/columns.ts';
import type { Size } from '../state/types.ts';
import { BLANK, type Line, shortened, span } from './span.ts';

/** Columns and lines (docs/terminal.md, "The inbox"). */
export const SMALLEST = { columns: 60, rows: 12 } as const;

/** Lines `from` up to and without `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Body {
  readonly lines: readonly Line[];
  /** What has the keys: in view as a whole if it fits. */
  readonly block?: Range | undefined;
  /** The very place in it: in view in any case. */
  readonly spot?: Range | undefined;
  /** Where text is typed, in lines of the body and columns. */
  readonly cursor?: { readonly line: number; readonly column: number } | undefined;
}

/** Where a field is drawn, as one part of a body. */
export interface FieldPlace {
  readonly columns: number;
  /** Lines that the body has, for a list that shows only its part around the highlighted row. */
  readonly room: number;
  readonly glyphs: Glyphs;
  readonly isFocused: boolean;
}

export interface Screen {
  readonly header: readonly Line[];
  readonly body: Body;
  /** The first line of the body to show, where the person scrolled. */
  readonly top: number | undefined;
  /** Words in the rule between body and footer, the most important first: as many as there is room for. */
  readonly caption: readonly string[];
  readonly footer: readonly Line[];
}

export interface Frame {
  /** Exactly one line fewer than the terminal has: with all of them Ink clears the whole terminal at every change. */
  readonly lines: readonly Line[];
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
  /** The first line of the body that is shown, and the last that could be the first. */
  readonly top: number;
  readonly most: number;
  /** Lines that the body has on this screen. */
  readonly room: number;
  /** Whether the very place that has the keys is on the screen. */
  readonly isSpotShown: boolean;
}

/** Lines below what has the keys that are shown as well. */
const MARGIN = 2;

export function frameOf(screen: Screen, size: Size, glyphs: Glyphs): Frame {
  const { header, body, footer } = screen;
  const height = Math.max(1, size.rows - 1);
  const above = header.slice(0, Math.max(1, height - 4));
  const below = footer.slice(0, Math.max(1, height - above.length - 2));
  const room = Math.max(1, height - above.length - below.length - 1);
  const most = Math.max(0, body.lines.length - room);
  const top = Math.min(most, Math.max(0, screen.top ?? followed(body, room)));
  const shown = body.lines.slice(top, top + room);
  const filler = Array.from({ length: room - shown.length }, () => BLANK);
  const rule = ruleLine(screen.caption, scrollWords(top, room, body.lines.length), size.columns, glyphs);
  const lines = [...above, ...shown, ...filler, rule, ...below]
    .slice(0, height)
    .map((one) => shortened(one, size.columns, glyphs.ellipsis));
  const { cursor } = body;
  const isShown = cursor !== undefined && cursor.line >= top && cursor.line < top + room;
  return {
    lines,
    cursor: isShown
      ? { x: Math.min(cursor.column, size.columns - 1), y: above.length + cursor.line - top }
      : undefined,
    top,
    most,
    room,
    isSpotShown: body.spot === undefined || (body.spot.from >= top && body.spot.to <= top + room),
  };
}

/**
 * The first line to show so that what has the keys is in view, with a little of what follows: from the very top while
 * that will do, and then line by line, so that no key makes the picture jump.
 */
function followed({ block, spot }: Body, room: number): number {
  const fits = block !== undefined && block.to - block.from <= room;
  const wanted = fits ? block : (spot ?? block);
  if (wanted === undefined || wanted.to <= room) return 0;
  return Math.min(wanted.from, wanted.to + MARGIN - room);
}

function scrollWords(top: number, room: number, length: number): string {
  const below = length - top - room;
  const parts = [top > 0 ? `${top} above` : '', below > 0 ? `${below} more below` : ''];
  return parts.filter((part) => part !== '').join(', ');
}

function ruleLine(captions: readonly string[], right: string, columns: number, glyphs: Glyphs): Line {
  const most = columns - width(right) - 10;
  let left = '';
  for (const words of captions) {
    const longer = left === '' ? words : `${left}, ${words}`;
    if (width(longer) <= most) left = longer;
  }
  const start = left === '' ? '' : `${glyphs.line}${glyphs.line} ${left} `;
  const end = right === '' ? '' : ` ${right} ${glyphs.line}${glyphs.line}`;
  const room = Math.max(0, columns - width(start) - width(end));
  return [span(start + glyphs.line.repeat(room) + end, 'dim')];
}
