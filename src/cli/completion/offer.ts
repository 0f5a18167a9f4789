// What can stand at the cursor and only a look at the questions tells: ids, servers, fields and their choices.

import type { Command, Option } from 'commander';
import type { Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import { formOf } from '../../form/form-of.ts';
import type { Field } from '../../form/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { findRow, withBroker } from '../elicit/broker.ts';
import { serverNames } from '../elicit/check-server.ts';
import type { Io } from '../io.ts';

/** A command line up to the cursor. */
interface TypedLine {
  readonly command: Command;
  /** What stands behind the command and belongs to no option. */
  readonly operands: readonly string[];
  /** Values by the long name of their option, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The long name of the option whose value is typed, if one is. */
  readonly option: string | undefined;
  /** What is typed of the word at the cursor; of an option's value without `--option=`. */
  readonly typed: string;
}

/**
 * The words that can stand at the cursor, none of them twice on the line. They come from servers: only those that can
 * be shown as they are, each on one line, and the shell's script has to quote them.
 *
 * @param words the words behind `mcpx`, the last one as far as it is typed
 */
export async function offer(io: Io, program: Command, words: readonly string[]): Promise<string[]> {
  const line = readLine(program, words);
  const given = (name: string): string | undefined => line.values.get(name)?.at(-1);
  const { stateDir, config, url } = io.globals;
  const globals = {
    ...io.globals,
    stateDir: given('--state-dir') ?? stateDir,
    config: given('--config') ?? config,
    url: given('--url') ?? url,
  };
  try {
    const found = await offered({ ...io, globals }, line);
    return found.filter((word) => word === oneLine(word) && word.trim() !== '');
  } catch (error) {
    // Nothing to offer is no reason to write into somebody's command line.
    if (error instanceof McpxError) return [];
    throw error;
  }
}

async function offered(io: Io, line: TypedLine): Promise<readonly string[]> {
  if (line.option === '--server')
    return withBroker(io, async (broker) => (await serverNames(io, broker)).names);
  if (line.option === '--field') {
    const [id = ''] = line.operands;
    const row = await withBroker(io, (broker) => findRow(broker, id));
    return row.requestedSchema === undefined ? [] : fieldWords(row.requestedSchema, line);
  }
  const [argument] = line.command.registeredArguments;
  const isFull = line.operands.length > 0 && argument?.variadic !== true;
  if (line.option !== undefined || argument?.name() !== 'id' || isFull) return [];
  const done = line.command.name() === 'done';
  const rows = await withBroker(io, (broker) => broker.list(done ? { state: 'accepted' } : {}));
  return rows
    .filter((row) => !done || isUnfinished(row))
    .map(({ id }) => id)
    .filter((id) => !line.operands.includes(id));
}

function isUnfinished(row: Row): boolean {
  return row.mode === 'url' && row.completedAt === undefined;
}

/** `name=` of the fields that have no value yet, or `name=choice` once the name is typed. */
function fieldWords(schema: JsonText, line: TypedLine): string[] {
  const given = line.values.get('--field') ?? [];
  const { fields } = formOf(schema);
  const at = line.typed.indexOf('=');
  if (at < 0)
    return fields
      .filter(({ kind, name }) => kind === 'multiselect' || !given.some((one) => one.startsWith(`${name}=`)))
      .map(({ name, secret }) => `${name}=${secret ? '@-' : ''}`);
  const name = line.typed.slice(0, at);
  const field = fields.find((one) => one.name === name);
  return field === undefined
    ? []
    : choicesOf(field)
        .map((choice) => `${name}=${choice}`)
        .filter((word) => !given.includes(word));
}

function choicesOf(field: Field): readonly string[] {
  if (field.kind === 'boolean') return ['true', 'false'];
  if (field.kind !== 'select' && field.kind !== 'multiselect') return [];
  return field.options.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function readLine(program: Command, words: readonly string[]): TypedLine {
  let command = program;
  const operands: string[] = [];
  const values = new Map<string, string[]>();
  let waiting: string | undefined;
  const optionOf = (flag: string): Option | undefined =>
    [...command.options, ...program.options].find(({ long, short }) => flag === long || flag === short);
  for (const word of words.slice(0, -1)) {
    const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (waiting !== undefined) {
      values.set(waiting, [...(values.get(waiting) ?? []), word]);
      waiting = undefined;
    } else if (word.startsWith('-')) {
      const option = optionOf(flag);
      const name = option?.long ?? flag;
      if (value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
      else if (option?.required) waiting = name;
    } else {
      const child = operands.length > 0 ? undefined : command.commands.find((one) => one.name() === word);
      if (child === undefined) operands.push(word);
      else command = child;
    }
  }
  const last = words.at(-1) ?? '';
  const [, flag, value = last] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  const inline = waiting === undefined && flag !== undefined ? (optionOf(flag)?.long ?? flag) : undefined;
  return { command, operands, values, option: waiting ?? inline, typed: inline === undefined ? last : value };
}
