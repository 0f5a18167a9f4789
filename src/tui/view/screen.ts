// The screen for a state: which header, body and footer. Pure; the same layout tells the reducer how far it scrolls.
import type { Row } from '../../broker/types.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { footerKeys } from '../state/keys.ts';
import { placeOf, shown } from '../state/place.ts';
import { rowsOf } from '../state/rows.ts';
import type { Question, State } from '../state/types.ts';
import { overBody } from './ended.ts';
import { fieldBody } from './field.ts';
import { type Body, type Frame, frameOf, type Screen, SMALLEST } from './frame.ts';
import { headLines, questionHeader } from './head.ts';
import { helpBody, keyLines } from './help.ts';
import { inboxBody, inboxHeader } from './inbox.ts';
import { reviewBody } from './review.ts';
import { BLANK, type Line, line, paragraph, type Span, span } from './span.ts';
import { consentBody, waitingBody } from './url.ts';
import { plural } from './words.ts';

/** On a wider terminal what belongs together would stand too far apart. */
const WIDEST = 120;
/** Lines of keys in the footer, and lines of a message above them. */
const KEY_LINES = 3;
const MESSAGE_LINES = 3;
/** Below this many rows the body gets what can be saved elsewhere. */
const LOW = 16;

export function isTooSmall({ size }: Pick<State, 'size'>): boolean {
  return size.columns < SMALLEST.columns || size.rows < SMALLEST.rows;
}

/** The whole picture, exactly one line fewer than the terminal has. */
export function draw(state: State): Frame {
  if (isTooSmall(state)) return frameOf(tooSmall(state), state.size, state.glyphs);
  const size = { columns: Math.min(WIDEST, state.size.columns), rows: state.size.rows };
  return frameOf(screenOf({ ...state, size }), size, state.glyphs);
}

function tooSmall({ size }: State): Screen {
  const words = `This window is too small: mcpx needs ${SMALLEST.columns} columns and ${SMALLEST.rows} lines. Make it larger, or press Ctrl+C and use "mcpx elicit answer".`;
  return {
    header: [],
    body: { lines: paragraph(words, size.columns) },
    top: undefined,
    caption: [],
    footer: [],
  };
}

function screenOf(state: State): Screen {
  const footer = [...messages(state), ...keys(state)];
  if (state.help) {
    const header = spaced([line(' Keys', 'title')], state);
    return { header, body: { lines: helpBody(state) }, top: state.helpTop, caption: [], footer };
  }
  const now = shown(state);
  if (now === undefined) {
    return {
      header: spaced(inboxHeader(state), state),
      body: inboxBody(state),
      top: undefined,
      caption: [],
      footer,
    };
  }
  const { question, row } = now;
  return {
    header: spaced(questionHeader(state, row), state),
    body: questionBody(state, row, question, footer.length),
    top: question.top,
    caption: caption(state, question),
    footer,
  };
}

/** A blank line below the header, where there is room for one. */
function spaced(header: Line[], { size }: State): Line[] {
  return size.rows < LOW ? header : [...header, BLANK];
}

function questionBody(state: State, row: Row, question: Question, footer: number): Body {
  switch (question.stage) {
    case 'form':
      return formBody(state, row, question, footer);
    case 'checking':
      return { lines: [line(' Checking the answer…', 'strong')] };
    case 'review':
      return { lines: reviewBody(state, row, question) };
    case 'sending':
      return { lines: [...reviewBody(state, row, question), BLANK, line(' Sending…', 'strong')] };
    case 'consent':
      return { lines: consentBody(state, row) };
    case 'opening':
      return { lines: [line(' Opening the browser…', 'strong'), BLANK, ...consentBody(state, row)] };
    case 'waiting':
      return { lines: waitingBody(state, row) };
    case 'over':
      return { lines: overBody(state, row, question) };
  }
}

function formBody(state: State, row: Row, question: Question, footer: number): Body {
  const { columns, rows } = state.size;
  const lines: Line[] = [...headLines(state, row, question.form)];
  for (const message of question.general)
    lines.push(...paragraph(`! ${oneLine(message)}`, columns - 1, 'error', 1));
  const fields = question.form?.fields ?? [];
  if (fields.length === 0) {
    const words = 'The question has no fields: it asks for a plain yes. Press Enter to see what is sent.';
    lines.push(...paragraph(words, columns - 1, 'plain', 1));
  }
  let focus: Body | undefined;
  const room = rows - footer - 4;
  for (const [index, field] of fields.entries()) {
    const isFocused = index === question.focus;
    const body = fieldBody(question, field, { columns, room, glyphs: state.glyphs, isFocused });
    const at = lines.length;
    if (isFocused) focus = shifted(body, at);
    lines.push(...body.lines);
  }
  return { ...focus, lines };
}

function shifted({ lines, block, spot, cursor }: Body, by: number): Body {
  const move = (range: Body['block']): Body['block'] =>
    range === undefined ? undefined : { from: range.from + by, to: range.to + by };
  return {
    lines,
    block: move(block),
    spot: move(spot),
    cursor: cursor === undefined ? undefined : { ...cursor, line: cursor.line + by },
  };
}

function caption(state: State, question: Question): string[] {
  const fields = question.form?.fields ?? [];
  const others = rowsOf(state, 'open').filter((row) => row.id !== question.id).length;
  const waiting = others === 0 ? '' : `${plural(others, 'other question')} waiting`;
  const field =
    question.stage === 'form' && fields.length > 1 && question.focus >= 0
      ? `field ${question.focus + 1} of ${fields.length}`
      : '';
  return [field, waiting].filter((part) => part !== '');
}

/** What has to be said now: above the keys, so that it is on the screen wherever the body is scrolled to. */
function messages(state: State): Line[] {
  const { columns, rows } = state.size;
  const { glyphs } = state;
  const said: Line[] = [];
  const say = (text: string, tone: 'warn' | 'error' | 'strong'): void =>
    void said.push(...paragraph(text, columns - 1, tone, 1));
  const question = shown(state)?.question;
  const server = shown(state)?.row.server ?? '';
  if (question?.asking === 'decline') say(`Tell ${oneLine(server)} no? It ends the question.`, 'warn');
  if (question?.asking === 'cancel')
    say(`Dismiss the question of ${oneLine(server)} with neither yes nor no? It ends the question.`, 'warn');
  if (question?.refusal !== undefined) say(`${glyphs.failed} ${oneLine(question.refusal)}`, 'error');
  if (state.notice !== undefined) say(oneLine(state.notice), 'strong');
  if (state.trouble !== undefined) say(`${glyphs.warning} ${oneLine(state.trouble)}`, 'warn');
  const most = rows < LOW ? 2 : MESSAGE_LINES;
  return question === undefined
    ? said.slice(0, most)
    : [...said.slice(0, most), ...choiceLines(state, question)];
}

/** The two that Enter can do, with a pointer at the one that it does: always in sight. */
function choiceLines({ glyphs, help }: State, question: Question): Line[] {
  const { asking, stage, choice } = question;
  if (help || (asking === undefined && stage !== 'review')) return [];
  const go = asking === undefined ? 'Send it' : `Yes, ${asking}`;
  const back = asking === undefined ? 'Go back' : 'No, go back';
  const one = (words: string, isOn: boolean): Span[] => [
    span(isOn ? `${glyphs.pointer} ` : '  ', 'focus'),
    span(isOn ? `[${words}]` : ` ${words} `, isOn ? 'focus' : 'plain'),
  ];
  return [[span(' '), ...one(back, choice === 'back'), span('  '), ...one(go, choice === 'send')]];
}

function keys(state: State): Line[] {
  const entries = footerKeys(placeOf(state)).map(
    ([keys, words]) => [inSymbols(keys, state.glyphs), words] as const,
  );
  return keyLines(entries, state.size.columns, KEY_LINES);
}

/** The table's symbols as this terminal has them. */
export function inSymbols(keys: string, glyphs: Glyphs): string {
  return keys.replace('↑↓', glyphs.updown).replace('–', glyphs.dash);
}
