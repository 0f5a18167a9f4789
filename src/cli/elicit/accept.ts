// `mcpx elicit accept`: values by flag or as one JSON object, checked against the question, then sent.
import { type ParseError, parse } from 'jsonc-parser';
import type { Row } from '../../broker/types.ts';
import { type FieldProblem, McpxError } from '../../errors.ts';
import { check, checkContent } from '../../form/check.ts';
import { readFlags } from '../../form/flags.ts';
import { formOf } from '../../form/form-of.ts';
import type { Form } from '../../form/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import { jsonLine, oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';
import { openRow, withBroker } from './broker.ts';
import { type Given, readGiven, readText } from './fields.ts';
import { acceptCommand } from './how-to.ts';
import { settle } from './settle.ts';

export interface AcceptOptions {
  readonly field?: readonly string[];
  readonly input?: string;
  readonly dryRun?: boolean;
}

export function acceptRow(io: Io, id: string, options: AcceptOptions): Promise<void> {
  return withBroker(io, async (broker) => {
    const row = await openRow(broker, id);
    const form = formRow(row);
    const content =
      options.input === undefined
        ? await fromFields(io, row, form, options.field ?? [])
        : fromJson(row, form, await readText(io, options.input));
    if (!options.dryRun) return settle(io, broker, row, { action: 'accept', content });
    await io.printJson(io.terminal.stdout && !io.globals.json ? jsonLine(content) : content);
    return io.note(`This fits the question and is what ${oneLine(row.server)} would get. Nothing was sent.`);
  });
}

/**
 * The form of a row.
 *
 * @throws McpxError `usage` for a question that is not a form
 */
export function formRow(row: Row): Form {
  if (row.requestedSchema !== undefined) return formOf(row.requestedSchema);
  throw new McpxError(
    'usage',
    `${row.id} asks to open a URL; only form questions can be accepted with values.`,
    `Refuse it with "mcpx elicit decline ${row.id}", or dismiss it with "mcpx elicit cancel ${row.id}".`,
  );
}

async function fromFields(io: Io, row: Row, form: Form, args: readonly string[]): Promise<JsonText> {
  const given = await readGiven(io, form, row.id, args);
  const { draft, problems } = readFlags(form, given);
  const checked = check(form, draft);
  // A field whose value could not be read is missing from the draft too: it is reported once, for the better reason.
  const known = new Set(problems.map(({ path }) => path));
  const rest = checked.ok ? [] : checked.problems.filter(({ path }) => !known.has(path));
  if (checked.ok && problems.length === 0) return checked.content;
  throw unfit(row, form, given, [...problems, ...rest]);
}

function fromJson(row: Row, form: Form, text: string): JsonText {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new McpxError('invalid_answer', `The input is not JSON: ${where(text)}.`, HINT(row), {
      cause: error,
    });
  }
  const checked = checkContent(form, text);
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
  return `it breaks off at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

const HINT = (row: Row): string => `See what the question asks with: mcpx elicit show ${row.id}`;
