// The inbox: what waits, soonest to expire first, and on its other tab what is over.
import type { Row } from '../../broker/types.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { byWords } from '../../terminal/row-words.ts';
import { padEnd, truncate, width } from '../../text/columns.ts';
import { ago } from '../../text/duration.ts';
import { endOf, rowsOf } from '../state/rows.ts';
import type { State } from '../state/types.ts';
import type { Body } from './frame.ts';
import { BLANK, ends, type Line, line, paragraph, type Span, span } from './span.ts';
import { firstLine, stateSpan, timeLeft, wallNow } from './words.ts';

/** The widest that a server's name may be in the list. */
const SERVER = 18;

export function inboxHeader(state: State): Line[] {
  const { glyphs } = state;
  const open = rowsOf(state, 'open').length;
  const ended = [...state.rows.values()].filter((row) => row.state !== 'pending');
  const answered = ended.filter(isAnswered).length;
  const closed = ended.length - answered;
  const tab = (name: State['tab'], words: string): Span =>
    state.tab === name ? span(`[${words}]`, 'title') : span(` ${words} `, 'dim');
  return [
    ends(
      [
        span(' mcpx  ', 'title'),
        tab('open', `${glyphs.pending} ${open} open`),
        span(' '),
        tab('answered', `${glyphs.done} ${answered} answered${closed === 0 ? '' : `, ${closed} closed`}`),
      ],
      [span(`${oneLine(state.from)} `, 'dim')],
      state.size.columns,
      glyphs.ellipsis,
    ),
  ];
}

export function inboxBody(state: State): Body {
  const rows = rowsOf(state, state.tab);
  const { columns } = state.size;
  if (rows.length === 0) return { lines: emptyLines(state) };
  const selected = rows.findIndex((row) => row.id === state.selection[state.tab].id);
  const left = Math.max(...rows.map((row) => width(timeLeft(row, wallNow(state)).text)));
  const kind = Math.max(4, ...rows.map((row) => width(kindOf(row))));
  const server = Math.min(SERVER, Math.max(...rows.map((row) => width(oneLine(row.server)))));
  return {
    lines: rows.map((row, index) => {
      // What cannot be in sight need not be written.
      if (Math.abs(index - selected) > state.size.rows) return BLANK;
      return state.tab === 'open'
        ? openLine(state, row, index === selected, { server, kind, left })
        : answeredLine(state, row, index === selected, { server, kind, left });
    }),
    block: { from: selected, to: selected + 1 },
    spot: { from: selected, to: selected + 1 },
  };

  function emptyLines({ loaded, tab }: State): Line[] {
    if (!loaded) return [line('  Reading the questions ...', 'dim')];
    if (tab === 'answered') return [line('  Nothing has been answered or closed yet.', 'dim')];
    return [
      line('  No question waits for an answer.', 'strong'),
      BLANK,
      ...paragraph(
        'They appear here as soon as a server behind "mcpx serve" asks one, whichever gateway of this machine it is. Leaving this screen answers nothing.',
        columns,
        'dim',
        2,
      ),
    ];
  }
}

/** Columns that all rows share. */
interface Widths {
  readonly server: number;
  readonly kind: number;
  readonly left: number;
}

function openLine(state: State, row: Row, isSelected: boolean, widths: Widths): Line {
  const { glyphs } = state;
  const now = wallNow(state);
  const isDraft = state.questions.get(row.id)?.touched ?? state.drafts?.has(row.id) === true;
  const left = timeLeft(row, now);
  return listLine(
    state,
    isSelected,
    [
      span(`${glyphs.pending} `, 'focus'),
      ...names(row, widths, glyphs, isSelected),
      span(isDraft ? '(draft) ' : '', 'warn'),
      span(firstLine(row.message), isSelected ? 'strong' : 'plain'),
    ],
    [
      span(`  ${ageWords(now - Date.parse(row.createdAt)).padStart(8)}  `, 'dim'),
      span(left.text.padStart(widths.left), left.tone),
      span(' '),
    ],
  );
}

function answeredLine(state: State, row: Row, isSelected: boolean, widths: Widths): Line {
  const word = stateSpan(row, state.glyphs);
  const by = row.answer === undefined ? '' : byWords(row.answer.by, row);
  const how = row.undelivered ? span('not delivered  ', 'warn') : span(by === '' ? '' : `${by}  `, 'dim');
  return listLine(
    state,
    isSelected,
    [
      span(padEnd(word.text, 13), word.tone),
      ...names(row, widths, state.glyphs, isSelected),
      span(firstLine(row.message), isSelected ? 'strong' : 'plain'),
    ],
    [how, span(ageWords(wallNow(state) - Date.parse(endOf(row))).padStart(8), 'dim'), span(' ')],
  );
}

function names(row: Row, { server, kind }: Widths, glyphs: Glyphs, isSelected: boolean): Span[] {
  const name = truncate(oneLine(row.server), server, glyphs.ellipsis);
  return [
    span(`${padEnd(name, server)}  `, isSelected ? 'strong' : 'plain'),
    span(`${padEnd(kindOf(row), kind)}  `, 'dim'),
  ];
}

/** What is asked for: a form, one with a secret in it, or consent to a URL. */
function kindOf(row: Row): string {
  return row.sensitive ? `${row.mode}, secret` : row.mode;
}

/** Somebody said yes, no or neither; the others ended without anybody. */
function isAnswered({ state }: Row): boolean {
  return state === 'accepted' || state === 'declined' || state === 'cancelled';
}

function listLine(state: State, isSelected: boolean, left: Line, right: Line): Line {
  const pointer = isSelected ? span(`${state.glyphs.pointer} `, 'focus') : span('  ');
  return ends([pointer, ...left], right, state.size.columns, state.glyphs.ellipsis);
}

function ageWords(ms: number): string {
  const age = ago(ms);
  return age === 'now' ? 'just now' : `${age} ago`;
}
