// `mcpx elicit show`: one question, its form or its URL, and how to answer it; or what became of it.
import { rowJson } from '../../broker/row-json.ts';
import type { Row } from '../../broker/types.ts';
import { withChecks } from '../../checks/open.ts';
import type { Form } from '../../form/types.ts';
import { jsonLine, oneLine } from '../../terminal/one-line.ts';
import { shortTime } from '../../text/duration.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Io } from '../io.ts';
import { findRow, withBroker } from './broker.ts';
import { formLines } from './form-lines.ts';
import { acceptCommand } from './how-to.ts';
import { questionLines } from './question-lines.ts';

export async function showRow(io: Io, id: string, { allChoices = false } = {}): Promise<void> {
  const row = await withBroker(io, (broker) => findRow(broker, id));
  if (io.globals.json) return io.printJson(rowJson(row));
  if (io.globals.quiet) return io.printLine(row.id);
  const schema = row.requestedSchema;
  const form =
    schema === undefined ? undefined : await withChecks((checks) => checks.form(row.server, schema));
  const lines = questionLines(io, row, form, io.style);
  if (form !== undefined) lines.push('', ...formLines(io, form, allChoices));
  const last = row.state === 'pending' ? howToLines(row, form) : answerLines(row, io.clock.now());
  if (last.length > 0) lines.push('', ...last);
  return io.printLine(lines.join('\n'));
}

function howToLines(row: Row, form: Form | undefined): string[] {
  if (row.audience === 'host') return ['Only the host can answer it.'];
  const refuse = [`  mcpx elicit decline ${row.id}`, `  mcpx elicit cancel ${row.id}`];
  if (form === undefined) return urlHowTo(row, refuse);
  const open = form.fields.filter((field) => field.required && field.initial === undefined);
  const accept = acceptCommand(row, form, [], new Set(open.map((field) => field.name)));
  return ['Answer it with one of', `  mcpx elicit answer ${row.id}`, `  ${accept}`, ...refuse];
}

function urlHowTo(row: Row, refuse: readonly string[]): string[] {
  const verdict = verdictOf(row.url ?? '');
  if (!verdict.valid || !verdict.openable) return ['It can only be declined or cancelled:', ...refuse];
  const accept = `  mcpx elicit accept ${row.id}`;
  return [
    'Answer it with one of',
    `  mcpx elicit answer ${row.id}`,
    `${accept} --yes         (you consent, and open the URL yourself)`,
    `${accept} --yes --open  (you consent, and mcpx opens it in your browser)`,
    ...refuse,
  ];
}

function answerLines(row: Row, now: number): string[] {
  const { answer } = row;
  if (answer?.action !== 'accept') return [];
  if (row.mode === 'url')
    return row.completedAt === undefined
      ? ['If you have finished there:', `  mcpx elicit done ${row.id}`]
      : [`Finished at ${shortTime(row.completedAt, now)}.`];
  if (row.sensitive || answer.content === undefined)
    return ['The answer is not shown, as the question asks for a secret.'];
  const sent = sentWords(row, oneLine(row.server));
  return [sent, `  ${jsonLine(answer.content)}`];
}

function sentWords(row: Row, server: string): string {
  if (row.undelivered) return `Not delivered to ${server}:`;
  return row.deliveredAt === undefined ? `Not yet delivered to ${server}:` : `Sent to ${server}:`;
}
