// How the facts of a question are laid out for a person.
import type { Style } from '../../terminal/color.ts';
import { padEnd } from '../../text/columns.ts';
import { wrap } from '../../text/wrap.ts';
import type { Io } from '../io.ts';

/** Columns of the labels, the gap included. */
export const LABEL = 11;
const WIDEST = 100;

/** The columns that text for a person is wrapped to. */
export function columnsOf(io: Io): number {
  return Math.min(io.terminal.columns ?? WIDEST, WIDEST);
}

/** A label with its text beside it, wrapped. */
export function labelled(style: Style, label: string, text: string, columns: number): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(20, columns - LABEL));
  return [`${style.bold(padEnd(label, LABEL))}${first}`, ...rest.map((line) => ' '.repeat(LABEL) + line)];
}
