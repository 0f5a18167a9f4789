// `mcpx elicit accept`: values by flag or as one JSON object, checked against the question, then sent; or consent.

import { type ParseError, parse } from 'jsonc-parser';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { withChecks } from '../../checks/open.ts';
import { type FieldProblem, McpxError } from '../../errors.ts';
import type { FormChecks } from '../../form/checks.ts';
import { fillDefaults } from '../../form/draft.ts';
import { readFlags } from '../../form/flags.ts';
import type { Form } from '../../form/types.ts';
import { trustedJson } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { secretWarning } from '../../terminal/field-words.ts';
import { jsonLine, oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { pendingRow, withBroker } from './broker.ts';
import { type Given, readGiven, readText } from './fields.ts';
import { acceptCommand } from './how-to.ts';
import { settle } from './settle.ts';

const INPUT = 'Name a file that holds the whole content as JSON, or - for standard input.';

export interface AcceptOptions {
  readonly field?: readonly string[];
  readonly input?: string;
  /** False: a field that is not given stays out, whatever default the question has for it. */
  readonly defaults?: boolean;
  readonly dryRun?: boolean;
  /** Url questions: the person consents, and wants the browser opened. */
  readonly yes?: boolean;
  readonly open?: boolean;
}

export function acceptRow(io: Io, id: string, options: AcceptOptions): Promise<void> {
  return withBroker(io, async (broker) => {
    const row = await pendingRow(broker, id);
    if (row.mode === 'url') {
      if (options.field !== undefined || options.input !== undefined) throw noValues(row);
      const { acceptUrl } = await import('./accept-url.ts');
      return acceptUrl(io, broker, row, options);
    }
    if (options.open)
      throw new McpxError('usage', `${row.id} asks for a form, and has no URL to open.`, HINT(row));
    return withChecks((checks) => acceptForm(io, broker, row, options, checks));
  });
}

async function acceptForm(
  io: Io,
  broker: BrokerClient,
  row: Row,
  options: AcceptOptions,
  checks: FormChecks,
): Promise<void> {
  const form = await formRow(row, checks);
  const warning = secretWarning(form, row.server);
  if (warning !== undefined) await io.note(io.errorStyle.yellow(warning));
  const { input, defaults } = options;
  const content =
    input === undefined
      ? await fromFields(io, row, form, options, checks)
      : await fromJson(row, form, await readText(io, input, INPUT), checks, defaults);
  if (!options.dryRun) return settle(io, broker, row, { action: 'accept', content });
  // A secret is not shown to whoever looks over a shoulder or reads a log of commands.
  const shown = warning === undefined ? content : REDACTED;
  await io.printJson(io.terminal.stdout && !io.globals.json ? jsonLine(shown) : shown);
  return io.note(`This fits the question and is what ${oneLine(row.server)} would get. Nothing was sent.`);
}

const REDACTED = '{"redacted":true}';

/** The form of a form row. */
export function formRow(row: Row, checks: FormChecks): Promise<Form> {
  return checks.form(row.server, row.requestedSchema ?? '{}');
}

function noValues(row: Row): McpxError {
  return new McpxError(
    'usage',
    `${row.id} asks to open a URL, and takes no values.`,
    `Consent with "mcpx elicit accept ${row.id}" after a look at the URL: mcpx elicit show ${row.id}`,
  );
}

async function fromFields(
  io: Io,
  row: Row,
  form: Form,
  options: AcceptOptions,
  checks: FormChecks,
): Promise<JsonText> {
  const given = await readGiven(io, form, row.id, options.field ?? []);
  const { draft, problems } = readFlags(form, given, options);
  const checked = await checks.draft(row.server, form, draft);
  // A field whose value could not be read is missing from the draft too: it is reported once, for the better reason.
  const known = new Set(problems.map(({ path }) => path));
  const rest = checked.ok ? [] : checked.problems.filter(({ path }) => !known.has(path));
  if (checked.ok && problems.length === 0) return checked.content;
  throw unfit(row, form, given, [...problems, ...rest]);
}

async function fromJson(
  row: Row,
  form: Form,
  text: string,
  checks: FormChecks,
  defaults = true,
): Promise<JsonText> {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new McpxError('invalid_answer', `The input is not JSON: ${where(text)}.`, HINT(row), {
      cause: error,
    });
  }
  const given = trustedJson(text);
  const content = defaults ? fillDefaults(form, given) : given;
  const checked = await checks.content(row.server, form.schema, content);
  if (checked.ok) return checked.content;
  throw unfit(row, form, [], checked.problems);
}

function unfit(row: Row, form: Form, given: readonly Given[], problems: readonly FieldProblem[]): McpxError {
  const wrong = new Set(
    problems.map(({ path }) => path.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''),
  );
  const next = acceptCommand(row, form, given, wrong);
  return new McpxError(
    'invalid_answer',
    'The answer does not fit the question; nothing was sent.',
    `Try: ${next}`,
    { problems },
  );
}

/** Where JSON breaks off, as line and column; without a piece of the text, which may hold a secret. */
function where(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const before = text.slice(0, errors[0]?.offset ?? text.length).split('\n');
  return `it is invalid at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

const HINT = (row: Row): string => `See what the question asks for: mcpx elicit show ${row.id}`;
