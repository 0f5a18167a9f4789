// A question that is over: how it ended, what was sent, and the draft that was not.
import type { Row } from '../../broker/types.ts';
import { jsonLine, oneLine } from '../../terminal/one-line.ts';
import { stateWords, whenTold } from '../../terminal/row-words.ts';
import { shortTime } from '../../text/duration.ts';
import type { Question, State } from '../state/types.ts';
import { headLines } from './head.ts';
import { valueLines } from './review.ts';
import { BLANK, type Line, line, paragraph } from './span.ts';
import { stateSpan, wallNow } from './words.ts';

export function overBody(state: State, row: Row, question: Question): Line[] {
  const { columns } = state.size;
  const { text: mark, tone } = stateSpan(row, state.glyphs);
  const time = (iso: string): string => shortTime(iso, wallNow(state));
  const symbol = mark.slice(0, mark.indexOf(' '));
  const text = (words: string, how: 'plain' | 'dim' = 'plain'): Line[] =>
    paragraph(words, columns - 1, how, 1);
  const lines: Line[] = [
    ...paragraph(`${symbol} ${sentence(stateWords(row, time))}`, columns - 1, tone, 1),
    ...delivery(row).flatMap((words) => text(words)),
  ];
  if (row.completedAt !== undefined) lines.push(...text(`Finished at the URL at ${time(row.completedAt)}.`));
  lines.push(BLANK, ...answerLines(row, columns));
  if (question.touched && row.answer?.by !== 'tui' && question.form !== undefined) {
    lines.push(...text('What you had entered was not sent, and goes when mcpx tui ends:'), BLANK);
    lines.push(...valueLines(question.form, question.draft, columns), BLANK);
  }
  lines.push(
    line(` ${state.glyphs.line.repeat(Math.max(1, columns - 2))}`, 'dim'),
    ...headLines(state, row, undefined),
  );
  if (row.url !== undefined) lines.push(...text(`URL: ${oneLine(row.url)}`));
  return lines;
}

function answerLines(row: Row, columns: number): Line[] {
  if (row.answer?.action !== 'accept' || row.mode === 'url') return [];
  if (row.answer.content === undefined || row.sensitive)
    return [line(' The answer is not shown, as the question asks for a secret.', 'dim'), BLANK];
  return [...paragraph(jsonLine(row.answer.content), columns - 1, 'field', 3), BLANK];
}

function delivery(row: Row): string[] {
  const server = oneLine(row.server);
  // Of an answer that reached nobody, and of what ended without one, the sentence above has all there is.
  if (row.answer === undefined || row.undelivered) return [];
  const why = row.reason === undefined ? [] : [`Note: ${oneLine(row.reason)}`];
  if (row.answer.by === 'mcpx') return why;
  return [row.deliveredAt === undefined ? `Recorded; ${whenTold(row)}.` : `Sent to ${server}.`, ...why];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
