// The top of a question: who asks, for what, where the answer goes, the message, and what to be careful about.
import type { Row } from '../../broker/types.ts';
import type { Form } from '../../form/types.ts';
import { secretWarning } from '../../terminal/field-words.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { whoAsks } from '../../terminal/row-words.ts';
import { inert } from '../../text/inert.ts';
import type { State } from '../state/types.ts';
import { BLANK, ends, type Line, labelled, lineWidth, paragraph, span } from './span.ts';
import { stateSpan, timeLeft, wallNow } from './words.ts';

/** Columns of the labels. */
const LABEL = 11;
/** Columns that the other end of the header takes at most. */
const RIGHT = 24;
const IN_HEADER = new Set(['Server', 'Tool', 'Prompt', 'Resource']);

/** The line that stays: the server, the tool, and the time left. */
export function questionHeader(state: State, row: Row): Line[] {
  const right = row.state === 'pending' ? timeLeft(row, wallNow(state)) : stateSpan(row, state.glyphs);
  return [ends(askLine(row), [right, span(' ')], state.size.columns, state.glyphs.ellipsis)];
}

function askLine(row: Row): Line {
  const tool = row.tool === undefined ? '' : `, for ${oneLine(row.tool)}`;
  return [span(` ${oneLine(row.server)}`, 'title'), span(` asks${tool}`)];
}

/** Facts, message and warnings, whole: whatever does not fit is scrolled to. */
export function headLines(state: State, row: Row, form: Form | undefined): Line[] {
  const { columns } = state.size;
  // What the header says in full need not take room a second time.
  const isInHeader = lineWidth(askLine(row)) + RIGHT <= columns;
  const facts = whoAsks(row)
    .filter(([label]) => !isInHeader || !IN_HEADER.has(label))
    .flatMap(([label, text]) => labelled(span(label, 'dim'), span(text), columns, LABEL));
  const lines = [...facts, BLANK, ...paragraph(inert(row.message), columns - 1, 'strong', 1), BLANK];
  if (form === undefined) return lines;
  const mark = state.glyphs.warning;
  const warning = secretWarning(form, row.server);
  if (warning !== undefined) lines.push(...paragraph(`${mark} ${warning}`, columns - 1, 'warn', 1), BLANK);
  for (const note of form.unusual)
    lines.push(...paragraph(`${mark} Unusual: ${oneLine(note)}`, columns - 1, 'warn', 1));
  if (form.unusual.length > 0) lines.push(BLANK);
  return lines;
}
