// Who asks what, as lines for a person: the top of `show` and of `answer`.
import type { Row } from '../../broker/types.ts';
import type { Form } from '../../form/types.ts';
import type { Style } from '../../terminal/color.ts';
import { secretWarning } from '../../terminal/field-words.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { stateWords, whoAsks } from '../../terminal/row-words.ts';
import { padEnd, width } from '../../text/columns.ts';
import { ago, duration, shortTime } from '../../text/duration.ts';
import { inert } from '../../text/inert.ts';
import { wrap } from '../../text/wrap.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Io } from '../io.ts';
import { columnsOf, LABEL, labelled } from './table.ts';

/**
 * Who asks and what, where a URL leads (never cut), and a warning where the form asks for a secret; shown before
 * anything can be answered.
 */
export function questionLines(io: Io, row: Row, form: Form | undefined, style: Style): string[] {
  const columns = columnsOf(io);
  const now = io.clock.now();
  const facts: (readonly [string, string])[] = [['Question', row.id], ...whoAsks(row)];
  const age = ago(now - Date.parse(row.createdAt));
  facts.push(['Asked', age === 'now' ? 'just now' : `${age} ago`]);
  if (row.state === 'pending') facts.push(['Expires', `in ${duration(Date.parse(row.expiresAt) - now)}`]);
  else facts.push(['State', stateWords(row, (iso) => shortTime(iso, now))]);
  const lines = facts.flatMap(([label, text]) => labelled(style, label, text, columns));
  lines.push('', ...wrap(inert(row.message), columns - 2).map((line) => `  ${line}`));
  if (row.url !== undefined) lines.push('', ...urlLines(io, row.url, style));
  if (form === undefined) return lines;
  const warning = secretWarning(form, row.server);
  if (warning !== undefined) lines.push('', ...wrap(warning, columns).map(style.yellow));
  if (form.unusual.length > 0) lines.push('');
  lines.push(...form.unusual.flatMap((note) => wrap(`Unusual: ${oneLine(note)}`, columns)));
  return lines;
}

/** Nothing is cut: a URL that is too long for its line has lines of its own, which the terminal wraps, to be copied whole. */
export function urlLines(io: Io, url: string, style: Style): string[] {
  const columns = columnsOf(io);
  const verdict = verdictOf(url);
  const lines = wholeLine(style, 'URL', inert(url), columns);
  if (!verdict.valid) return [...lines, style.yellow(`It cannot be opened: ${oneLine(verdict.reason)}.`)];
  if (verdict.host !== '') lines.unshift(`${style.bold(padEnd('Site', LABEL))}${siteWords(verdict, style)}`);
  if (!verdict.openable)
    lines.push(style.yellow(`It cannot be opened: ${oneLine(verdict.scheme)} is neither http nor https.`));
  // A browser may read it as something that looks quite different, such as a name in other letters.
  else if (![url, `${url}/`].includes(verdict.href))
    lines.push(...wholeLine(style, 'Opened as', verdict.href, columns));
  const warnings = verdict.warnings.flatMap(({ message }) => wrap(`Warning: ${oneLine(message)}`, columns));
  return [...lines, ...warnings.map(style.yellow)];
}

/** A name in other letters is followed by what it really is. */
function siteWords({ host, asciiHost }: { host: string; asciiHost: string }, style: Style): string {
  return host === asciiHost ? style.bold(oneLine(host)) : `${style.bold(oneLine(host))} (${asciiHost})`;
}

function wholeLine(style: Style, label: string, text: string, columns: number): string[] {
  return width(text) <= columns - LABEL ? labelled(style, label, text, columns) : [style.bold(label), text];
}
