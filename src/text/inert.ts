// Untrusted text made safe to print: what a terminal would obey, or an eye would miss, becomes a visible mark.
import { eachGrapheme } from './graphemes.ts';

/** How text is made inert. */
export interface InertOptions {
  /** One line: line ends and runs of white space become one space, and the ends are trimmed. */
  readonly oneLine?: boolean;
  /** The most characters (graphemes) to keep; what is cut ends with `…`. */
  readonly max?: number;
}

// Everything that draws nothing or steers the drawing: controls, format characters (bidi, zero width, tags), line
// and paragraph separators, lone surrogates, fillers and variation selectors, noncharacters.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
// Format characters that are drawn: Arabic and Syriac number and verse signs.
const DRAWN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const MARK = /\p{M}/u;
const SUSPECT = new RegExp(`${HIDDEN.source}|${MARK.source}`, 'u');
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
const KEYCAP = /[0-9#*]/;
const IDEOGRAPH = /\p{Script=Han}/u;
// Scripts whose ordinary spelling needs a zero-width joiner or non-joiner inside words.
const JOINED = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'.split(' ');
const JOINING = new RegExp(`[${JOINED.map((script) => `\\p{scx=${script}}`).join('')}]`, 'u');
/** Marks on one letter beyond this many paint over the lines around it. */
const MOST_MARKS = 6;
/** The longest real emoji sequence joins four people, with skin tones; hidden data is longer. */
const MOST_JOINS = 7;
const TAG_FLAG = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;

/**
 * Untrusted text as it may be printed on a terminal or in a log line. Hidden characters are shown as `\u{1b}`, hex
 * code points in one scheme for all of them; letters, accents, CJK and emoji, joined ones included, stay as they
 * are. Newlines stay unless `oneLine`, a tab becomes four spaces, CRLF a newline (docs/terminal.md,
 * "Untrusted text"; C26).
 */
export function inert(text: string, options: InertOptions = {}): string {
  // Nothing beyond `max` graphemes is looked at: 64 code units cover any grapheme that survives.
  const most = options.max;
  const cut = most !== undefined && text.length > most * 64 ? text.slice(0, most * 64) : text;
  const lines = options.oneLine === true ? oneLine(cut) : cut.replaceAll('\r\n', '\n');
  const safe = SUSPECT.test(lines) ? marked(lines) : lines;
  return most === undefined ? safe : shortened(safe, most, cut !== text);
}

function oneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r ]+/g, ' ').trim();
}

function marked(text: string): string {
  const points = Array.from(text);
  let out = '';
  let marks = 0;
  let joins = 0;
  /** What the next mark would sit on: the last character that is no mark itself. */
  let base = '';
  for (let index = 0; index < points.length; index += 1) {
    const point = points[index] ?? '';
    const under = base;
    if (!MARK.test(point)) base = point;
    if (point === '\n') {
      out += point;
    } else if (point === '\t') {
      out += '    ';
    } else if (MARK.test(point) && !HIDDEN.test(point)) {
      marks += 1;
      // A mark with nothing to sit on would land on the character mcpx itself printed before it.
      out += marks <= MOST_MARKS && isBase(under) ? point : mark(point);
      continue;
    } else if (!HIDDEN.test(point) || DRAWN.test(point)) {
      const flag = point === '\u{1f3f4}' ? TAG_FLAG.exec(points.slice(index, index + 8).join('')) : null;
      out += flag?.[0] ?? point;
      if (flag) index += Array.from(flag[0]).length - 1;
      if (points[index - 1] !== '\u200d') joins = 0;
    } else if (point === '\u200d' && isPicture(points, index)) {
      joins += 1;
      out += joins <= MOST_JOINS ? point : mark(point);
    } else {
      out += isOrdinary(points, index) ? point : mark(point);
    }
    marks = 0;
  }
  return out;
}

function isBase(base: string): boolean {
  return base !== '' && !/\s/.test(base) && (!HIDDEN.test(base) || DRAWN.test(base));
}

function isPicture(points: readonly string[], index: number): boolean {
  const before = points[index - 1] === '\ufe0f' ? points[index - 2] : points[index - 1];
  return PICTURE.test(before ?? '') && PICTURE.test(points[index + 1] ?? '');
}

/** Whether a hidden character does here what it is made for. */
function isOrdinary(points: readonly string[], index: number): boolean {
  const point = points[index] ?? '';
  const before = points[index - 1] ?? '';
  const after = points[index + 1] ?? '';
  if (point === '\ufe0f') return PICTURE.test(before) || (KEYCAP.test(before) && after === '\u20e3');
  if (point === '\ufe0e') return PICTURE.test(before);
  if (point >= '\u{e0100}' && point <= '\u{e01ef}') return IDEOGRAPH.test(before);
  if (point === '\u200c' || point === '\u200d') return JOINING.test(before) && JOINING.test(after);
  return false;
}

function mark(point: string): string {
  return `\\u{${(point.codePointAt(0) ?? 0).toString(16)}}`;
}

function shortened(text: string, most: number, wasCut: boolean): string {
  if (!wasCut && text.length <= most) return text;
  let out = '';
  let count = 0;
  for (const segment of eachGrapheme(text)) {
    if (count === most - 1 && (wasCut || out.length + segment.length < text.length)) return `${out}…`;
    out += segment;
    count += 1;
  }
  return wasCut ? `${out}…` : out;
}
