// The consent to a URL and the wait after it: the site on a line of its own, the whole URL, and reasons to look twice.
import type { Row } from '../../broker/types.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { whenTold } from '../../terminal/row-words.ts';
import { inert } from '../../text/inert.ts';
import { type UrlVerdict, verdictOf } from '../../url/verdict.ts';
import type { State } from '../state/types.ts';
import { headLines } from './head.ts';
import { BLANK, chopped, type Line, line, paragraph, span } from './span.ts';

export function consentBody(state: State, row: Row): Line[] {
  return [...headLines(state, row, undefined), ...urlLines(state, row)];
}

export function waitingBody(state: State, row: Row): Line[] {
  const { columns } = state.size;
  const server = oneLine(row.server);
  const told = row.deliveredAt === undefined ? whenTold(row) : `${server} has been told`;
  return [
    ...paragraph(`You consented; ${told}.`, columns - 1, 'strong', 1),
    BLANK,
    ...paragraph(
      'Press f when you have finished there. Many servers notice it by themselves, and this screen then goes on.',
      columns - 1,
      'plain',
      1,
    ),
    BLANK,
    ...urlLines(state, row),
  ];
}

function urlLines(state: State, row: Row): Line[] {
  const { columns } = state.size;
  const { glyphs } = state;
  const url = row.url ?? '';
  const verdict = verdictOf(url);
  const site = verdict.valid && verdict.host !== '' ? siteLines(verdict, glyphs) : [];
  const whole = chopped(inert(url, { oneLine: true }), columns - 4);
  const lines: Line[] = [
    ...site,
    line(' The whole URL', 'dim'),
    ...whole.map((part) => line(`   ${part}`, 'field')),
    BLANK,
  ];
  const warn = (text: string): void =>
    void lines.push(...paragraph(`${glyphs.warning} ${oneLine(text)}`, columns - 1, 'warn', 1));
  if (!verdict.valid) warn(`It cannot be opened: ${verdict.reason}. You can decline or cancel.`);
  else if (!verdict.openable)
    warn(`It cannot be opened: ${verdict.scheme} is neither http nor https. You can decline or cancel.`);
  if (verdict.valid) for (const { message } of verdict.warnings) warn(message);
  return lines;
}

/** The site on a line of its own, in both spellings where there are two. */
function siteLines(verdict: Extract<UrlVerdict, { valid: true }>, glyphs: Glyphs): Line[] {
  const ascii = verdict.asciiHost === verdict.host ? '' : `  (${oneLine(verdict.asciiHost)})`;
  return [
    line(' This leads to', 'dim'),
    [span(` ${glyphs.arrow} `, 'dim'), span(oneLine(verdict.host), 'host'), span(ascii, 'strong')],
    BLANK,
  ];
}
