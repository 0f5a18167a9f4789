// Reads `-F name=value`, `-F name=@file` and `-F name=@-`, and what comes by `--input`.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { McpxError, messageOf } from '../../errors.ts';
import type { Form } from '../../form/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import type { Io } from '../io.ts';

/** One `-F`: the value as it counts, and as it was typed. */
export interface Given {
  readonly name: string;
  readonly value: string;
  readonly typed: string;
}

/**
 * Splits and loads the `-F` arguments, in the order typed.
 *
 * @throws McpxError `usage` for an argument without `=`, a secret given in the open (ELI-13: arguments show in the
 * process list), standard input named twice, and a file that cannot be read
 */
export async function readGiven(io: Io, form: Form, row: string, args: readonly string[]): Promise<Given[]> {
  const secrets = new Set(form.fields.filter((field) => field.secret).map((field) => field.name));
  const given: Given[] = [];
  let stdinUsed = false;
  for (const arg of args) {
    const at = arg.indexOf('=');
    // Not repeated in the message: without its "=" it may well be a secret.
    if (at < 1) throw new McpxError('usage', 'A value for a field is written -F name=value.', HELP);
    const [name, typed] = [arg.slice(0, at), arg.slice(at + 1)];
    const fromFile = typed.startsWith('@') && !typed.startsWith('@@');
    if (secrets.has(name) && !fromFile) throw inTheOpen(name, row);
    if (!fromFile) given.push({ name, typed, value: typed.startsWith('@@') ? typed.slice(1) : typed });
    else {
      if (typed === '@-' && stdinUsed)
        throw new McpxError('usage', 'Only one field can be read from standard input.', HELP);
      stdinUsed ||= typed === '@-';
      const text = await readText(io, typed.slice(1), AT);
      given.push({ name, typed, value: text.replace(/\r?\n$/, '') });
    }
  }
  return given;
}

const AT = 'A value that begins with @ is read from a file; write @@ for a plain @.';

/** The text of a file, or of standard input for `-`; `hint` is for whoever named a file that cannot be read. */
export async function readText(io: Io, file: string, hint: string): Promise<string> {
  if (file === '-') {
    if (io.stdin.isTTY === true) await io.note('Reading standard input; end it with Ctrl+D.');
    const chunks: Buffer[] = [];
    const stdin = io.stdin instanceof Readable ? addAbortSignal(io.signal, io.stdin) : io.stdin;
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return decode(Buffer.concat(chunks), 'Standard input');
  }
  const name = oneLine(file);
  let bytes: Buffer;
  try {
    bytes = await readFile(resolve(io.cwd, file));
  } catch (error) {
    const isThere = !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
    const what = isThere ? `The file ${name} cannot be read: ${messageOf(error)}.` : `No such file: ${name}.`;
    throw new McpxError('usage', what, hint, { cause: error });
  }
  return decode(bytes, `The file ${name}`);
}

/** Strict, as a byte that is no UTF-8 would be sent as something else than the file holds. */
function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new McpxError('usage', `${what} is not UTF-8 text.`, HELP, { cause: error });
  }
}

function inTheOpen(name: string, row: string): McpxError {
  return new McpxError(
    'usage',
    `The field ${oneLine(name)} asks for a secret, and command arguments show in the process list.`,
    `Give it as -F ${oneLine(name)}=@- (standard input), -F ${oneLine(name)}=@FILE, by --input FILE, or with: mcpx elicit answer ${row}`,
  );
}

const HELP = 'See: mcpx elicit accept --help';
