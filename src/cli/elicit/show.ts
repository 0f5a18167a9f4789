// `mcpx elicit show`: one question, its form, and how to answer it; or what became of it.
import { rowJson } from '../../broker/row-json.ts';
import type { Row } from '../../broker/types.ts';
import { initialDraft } from '../../form/draft.ts';
import { formOf } from '../../form/form-of.ts';
import type { Field, Form } from '../../form/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Style } from '../../terminal/color.ts';
import { choiceWords, kindWords, secretWarning, valueWords } from '../../terminal/field-words.ts';
import { jsonLine, oneLine } from '../../terminal/one-line.ts';
import { stateWords, whoAsks } from '../../terminal/row-words.ts';
import { padEnd, width } from '../../text/columns.ts';
import { ago, duration } from '../../text/duration.ts';
import { inert } from '../../text/inert.ts';
import { wrap } from '../../text/wrap.ts';
import type { Io } from '../io.ts';
import { findRow, withBroker } from './broker.ts';
import { acceptCommand } from './how-to.ts';
import { tableLines } from './table.ts';

const LABEL = 11;
const WIDEST = 100;

export async function showRow(io: Io, id: string): Promise<void> {
  const row = await withBroker(io, (broker) => findRow(broker, id));
  if (io.globals.json) return io.printJson(rowJson(row));
  if (io.globals.quiet) return io.printLine(row.id);
  const form = row.requestedSchema === undefined ? undefined : formOf(row.requestedSchema);
  const lines = questionLines(io, row, form, io.style);
  if (form !== undefined) lines.push('', ...formLines(io, form));
  lines.push('', ...(row.state === 'pending' ? howToLines(row, form) : answerLines(row)));
  return io.printLine(lines.join('\n'));
}

/** Who asks and what, with a warning where it asks for a secret; shown before anything can be answered. */
export function questionLines(io: Io, row: Row, form: Form | undefined, style: Style): string[] {
  const columns = columnsOf(io);
  const now = io.clock.now();
  const facts: (readonly [string, string])[] = [['Question', row.id], ...whoAsks(row)];
  const age = ago(now - Date.parse(row.createdAt));
  facts.push(['Asked', age === 'now' ? 'just now' : `${age} ago`]);
  if (row.state === 'pending') facts.push(['Open for', duration(Date.parse(row.expiresAt) - now)]);
  else facts.push(['State', stateWords(row)]);
  if (row.url !== undefined) facts.push(['URL', inert(row.url)]);
  const lines = facts.flatMap(([label, text]) => labelled(style, label, text, columns));
  lines.push('', ...wrap(inert(row.message), columns - 2).map((line) => `  ${line}`));
  if (form === undefined) return lines;
  const warning = secretWarning(form, row.server);
  if (warning !== undefined) lines.push('', ...wrap(warning, columns).map(style.yellow));
  if (form.unusual.length > 0) lines.push('');
  lines.push(...form.unusual.flatMap((note) => wrap(`Unusual: ${oneLine(note)}`, columns)));
  return lines;
}

function columnsOf(io: Io): number {
  return Math.min(io.terminal.columns ?? WIDEST, WIDEST);
}

function labelled(style: Style, label: string, text: string, columns: number): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(20, columns - LABEL));
  return [`${style.bold(padEnd(label, LABEL))}${first}`, ...rest.map((line) => ' '.repeat(LABEL) + line)];
}

function formLines(io: Io, form: Form): string[] {
  if (form.fields.length === 0) return ['The question has no fields: accepting it sends {}.'];
  const defaults = initialDraft(form);
  const rows = form.fields.map((field) => [
    oneLine(field.name),
    kindWords(field),
    field.required ? 'yes' : 'no',
    defaultWords(field, defaults.get(field.name)),
    choiceWords(field).join(', '),
  ]);
  // Nothing is cut: where the choices do not fit beside the rest they stand below it.
  const columns = columnsOf(io);
  const whole = tableLines(HEADER, rows);
  const fits = whole.every((line) => width(line) <= columns);
  const [head = '', ...lines] = fits
    ? whole
    : tableLines(
        HEADER.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      );
  const notes = form.fields.flatMap((field) => {
    const label = field.label === field.name ? '' : oneLine(field.label);
    const choices = fits || choiceWords(field).length === 0 ? '' : `one of ${choiceWords(field).join(', ')}`;
    const said = [label, oneLine(field.description ?? ''), choices].filter((words) => words !== '');
    return said.length === 0 ? [] : wrap(`${oneLine(field.name)}: ${said.join('; ')}`, columns - 2);
  });
  return [io.style.bold(head), ...lines, ...notes.map((line) => `  ${line}`)];
}

const HEADER = ['FIELD', 'KIND', 'REQUIRED', 'DEFAULT', 'CHOICES'];

function defaultWords(field: Field, value: JsonText | undefined): string {
  return value === undefined ? '' : valueWords(field, value);
}

function howToLines(row: Row, form: Form | undefined): string[] {
  const refuse = [`  mcpx elicit decline ${row.id}`, `  mcpx elicit cancel ${row.id}`];
  if (form === undefined) return ['Answer it with one of', ...refuse];
  const open = form.fields.filter((field) => field.required && field.initial === undefined);
  const accept = acceptCommand(row, form, [], new Set(open.map((field) => field.name)));
  return ['Answer it with one of', `  mcpx elicit answer ${row.id}`, `  ${accept}`, ...refuse];
}

function answerLines(row: Row): string[] {
  const { answer } = row;
  if (answer?.action !== 'accept') return [`Nothing was filled in.`];
  if (answer.content === undefined) return ['The content of the answer is not kept.'];
  const sent =
    row.deliveredAt === undefined
      ? `Not yet taken by ${oneLine(row.server)}:`
      : `Sent to ${oneLine(row.server)}:`;
  return [sent, `  ${jsonLine(answer.content)}`];
}
