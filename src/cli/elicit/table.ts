// Columns of text, as wide as their widest cell; one column gives way where the terminal is narrow.

import type { Style } from '../../terminal/color.ts';
import { padEnd, truncate, width } from '../../text/columns.ts';
import { wrap } from '../../text/wrap.ts';
import type { Io } from '../io.ts';

const GAP = 2;
const LEAST = 12;

/**
 * The header and the rows as lines. Cells must be inert.
 *
 * @param fit.columns the width of the terminal; undefined cuts nothing (output through a pipe is complete)
 * @param fit.shrink the index of the column that gives way
 */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  fit: { readonly columns: number | undefined; readonly shrink: number } = { columns: undefined, shrink: 0 },
): string[] {
  const all = [header, ...rows];
  const widths = header.map((_cell, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  if (fit.columns !== undefined) {
    const total = widths.reduce((sum, one) => sum + one, 0) + GAP * (header.length - 1);
    const own = widths[fit.shrink] ?? 0;
    if (total > fit.columns) widths[fit.shrink] = Math.max(LEAST, own - (total - fit.columns));
  }
  return all.map((row) =>
    row
      .map((cell, column) => padEnd(truncate(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

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
