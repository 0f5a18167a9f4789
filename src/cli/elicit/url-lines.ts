// Where a URL leads, as lines for a person: the site on a line of its own, the whole URL, and what is odd about it.
import type { Style } from '../../terminal/color.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { padEnd, width } from '../../text/columns.ts';
import { inert } from '../../text/inert.ts';
import { wrap } from '../../text/wrap.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Io } from '../io.ts';
import { columnsOf, LABEL, labelled } from './layout.ts';

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
