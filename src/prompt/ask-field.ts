// One prompt per kind of field; what it returns is the JSON text of the value, or undefined for "leave it out".
import { checkbox, input, password, select } from '@inquirer/prompts';
import { problemFor } from '../form/field-problem.ts';
import { optionText } from '../form/options.ts';
import { readTyped, type Typed } from '../form/typed.ts';
import type { Field, Option } from '../form/types.ts';
import { arrayText } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { kindWords } from '../terminal/field-words.ts';
import { jsonLine, oneLine } from '../terminal/one-line.ts';
import { inert } from '../text/inert.ts';
import { wrap } from '../text/wrap.ts';
import { ask, type PromptContext } from './ask.ts';
import type { PromptStreams } from './streams.ts';

/**
 * Asks for one field, prefilled with `current`.
 *
 * @param current the JSON text of the value so far (the default, or what was entered before); undefined when unset
 * @throws WalkStopped
 */
export function askField(
  streams: PromptStreams,
  field: Field,
  current: JsonText | undefined,
): Promise<JsonText | undefined> {
  if (field.description !== undefined) {
    // Above the prompt and not in it: what is in it is drawn again with every key.
    const lines = wrap(oneLine(field.description), Math.max(20, (streams.output.columns ?? 80) - 2));
    streams.output.write(lines.map((line) => `  ${line}\n`).join(''));
  }
  switch (field.kind) {
    case 'boolean':
      return askOne(streams, field, BOOLEANS, current);
    case 'select':
      return askOne(streams, field, field.options, current);
    case 'multiselect':
      return askSome(streams, field, field.options, current);
    default:
      return askText(streams, field, current);
  }
}

const BOOLEANS: readonly Option[] = [
  { value: true, label: 'yes' },
  { value: false, label: 'no' },
];

/** The choice that leaves an optional field out: never the same as choosing false or an empty text. */
const UNSET = -1;

function askOne(
  streams: PromptStreams,
  field: Field,
  options: readonly Option[],
  current: JsonText | undefined,
): Promise<JsonText | undefined> {
  const values = options.map(optionText);
  // Compared as values: a default may be spelled in another way than the choice.
  const before: unknown = current === undefined ? undefined : JSON.parse(current);
  const chosen = current === undefined ? UNSET : options.findIndex(({ value }) => value === before);
  const choices = options.map((option, index) => ({ value: index, ...optionFace(option) }));
  if (!field.required) choices.push({ value: UNSET, name: '(leave it out)' });
  return ask(streams, (context) =>
    select(
      {
        message: question(field),
        choices,
        loop: false,
        ...(choices.some((c) => c.value === chosen) ? { default: chosen } : {}),
      },
      context,
    ),
  ).then((index) => values[index]);
}

function askSome(
  streams: PromptStreams,
  field: Field & { kind: 'multiselect' },
  options: readonly Option[],
  current: JsonText | undefined,
): Promise<JsonText | undefined> {
  const values = options.map(optionText);
  const chosen: unknown = current === undefined ? [] : JSON.parse(current);
  const isChosen = (value: JsonText): boolean =>
    Array.isArray(chosen) && chosen.some((item) => JSON.stringify(item) === value);
  const choices = options.map((option, index) => ({
    value: index,
    checked: isChosen(values[index] ?? ''),
    ...optionFace(option),
  }));
  // Nothing chosen in an optional field leaves it out, unless an empty list was there before (a default of []).
  const valueFor = (picked: readonly number[]): JsonText | undefined =>
    picked.length === 0 && !field.required && current !== '[]'
      ? undefined
      : arrayText(picked.map((index) => values[index] ?? 'null'));
  return ask(streams, (context) =>
    checkbox(
      {
        message: question(field),
        choices,
        loop: false,
        validate: (picked) => verdict(field, valueFor(picked.map((choice) => choice.value))),
      },
      context,
    ),
  ).then(valueFor);
}

async function askText(
  streams: PromptStreams,
  field: Field,
  current: JsonText | undefined,
): Promise<JsonText | undefined> {
  const before = current === undefined ? undefined : typedForm(field, current);
  // A default with a line break or a control character in it would act as keys when put on the line.
  const editable =
    before !== undefined &&
    !field.secret &&
    before !== '' &&
    inert(before) === before &&
    !before.includes('\n');
  const kept = current !== undefined && !editable;
  const read = (text: string): Typed =>
    text === '' && kept ? { ok: true, value: current } : readTyped(field, text);
  const validate = (text: string): true | string => {
    const typed = read(text);
    return typed.ok ? verdict(field, typed.value) : oneLine(typed.message);
  };
  const hint = kept ? ` [Enter keeps ${field.secret ? 'the value that is there' : jsonLine(current)}]` : '';
  const message = `${question(field)}${hint}`;
  const prompt = (context: PromptContext): Promise<string> =>
    field.secret
      ? password({ message, mask: '*', toggleMask: false, validate }, context)
      : input({ message, validate }, context);
  const text = await ask(streams, prompt, editable ? before : '');
  const typed = read(text);
  return typed.ok ? typed.value : current;
}

function verdict(field: Field, value: JsonText | undefined): true | string {
  const problem = problemFor(field, value);
  return problem === undefined ? true : oneLine(problem);
}

/** What a person would have typed for a value: the text itself, or the JSON of anything else. */
function typedForm(field: Field, value: JsonText): string {
  const parsed: unknown = field.kind === 'text' ? JSON.parse(value) : undefined;
  return typeof parsed === 'string' ? parsed : value;
}

function optionFace(option: Option): { name: string; description?: string } {
  const sent = typeof option.value === 'string' ? option.value : JSON.stringify(option.value);
  const name = oneLine(option.label);
  return option.label === sent || typeof option.value === 'boolean'
    ? { name }
    : { name, description: `sends ${oneLine(sent)}` };
}

/** The line in front of the cursor: label, what fits, and whether it may be left out. */
function question(field: Field): string {
  // The name too, as titles may say no more than "String" and the review goes by names.
  const name = field.label === field.name ? '' : ` [${oneLine(field.name)}]`;
  return `${oneLine(field.label)}${name} (${kindWords(field)}, ${field.required ? 'required' : 'optional'})`;
}
