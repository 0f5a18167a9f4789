// One prompt per kind of field; what it returns is the JSON text of the value, or undefined for "leave it out".
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
import { askLine, askList } from './choose.ts';
import type { ListRow } from './list-prompt.ts';
import { BACK, type PromptStreams } from './streams.ts';

export interface FieldAnswer {
  /** The JSON text; undefined leaves the field out. */
  readonly value: JsonText | undefined;
  /** The person wants the field before; `value` is what stood there, where it fits. */
  readonly isBack: boolean;
}

/** What stands in a field, and who is told of every change to it. */
export interface FieldEntry {
  /** The JSON text of the value so far (the default, or what was entered before); undefined when unset. */
  readonly value: JsonText | undefined;
  /** What was typed before and cannot be read as a value yet. */
  readonly text: string | undefined;
  /** Told what would stand in the field after each key: a value, or a text that is none yet. */
  readonly onChange: (value: JsonText | undefined, text: string | undefined) => void;
}

/**
 * Asks for one field, prefilled with what stands in it.
 *
 * @param back what Esc, and ↑ where it means nothing else, go back to
 * @throws WalkStopped
 */
export function askField(
  streams: PromptStreams,
  field: Field,
  entry: FieldEntry,
  back: string,
): Promise<FieldAnswer> {
  if (field.description !== undefined) {
    // Above the prompt and not in it: what is in it is drawn again with every key.
    const lines = wrap(oneLine(field.description), Math.max(20, (streams.output.columns ?? 80) - 2));
    streams.output.write(lines.map((line) => `  ${line}\n`).join(''));
  }
  switch (field.kind) {
    case 'boolean':
      return askOne(streams, field, BOOLEANS, entry.value, back);
    case 'select':
      return askOne(streams, field, field.options, entry.value, back);
    case 'multiselect':
      return askSome(streams, field, field.options, entry, back);
    default:
      return askText(streams, field, entry, back);
  }
}

const BOOLEANS: readonly Option[] = [
  { value: true, label: 'yes' },
  { value: false, label: 'no' },
];

async function askOne(
  streams: PromptStreams,
  field: Field,
  options: readonly Option[],
  current: JsonText | undefined,
  back: string,
): Promise<FieldAnswer> {
  const values: (JsonText | undefined)[] = options.map(optionText);
  const rows: ListRow[] = options.map(optionFace);
  // The choice that leaves an optional field out: never the same as choosing false or an empty text.
  if (!field.required) rows.push({ name: '(leave it out)', isExtra: true });
  // Compared as values: a default may be spelled in another way than the choice.
  const before: unknown = current === undefined ? undefined : JSON.parse(current);
  const found = current === undefined ? -1 : options.findIndex(({ value }) => value === before);
  // Without an answer it stands on neither yes nor no: Enter alone must not decide (C45).
  const unset = !field.required ? options.length : field.kind === 'boolean' ? -1 : 0;
  const chosen = await askList(streams, {
    message: question(field),
    rows,
    start: found >= 0 ? found : unset,
    finds: field.kind === 'boolean' ? 'letter' : 'number',
    back,
  });
  if (chosen === BACK) return { value: current, isBack: true };
  return { value: values[chosen[0] ?? -1], isBack: false };
}

async function askSome(
  streams: PromptStreams,
  field: Field & { kind: 'multiselect' },
  options: readonly Option[],
  { value: current, onChange }: FieldEntry,
  back: string,
): Promise<FieldAnswer> {
  const values = options.map(optionText);
  const before: unknown = current === undefined ? [] : JSON.parse(current);
  const isChosen = (value: JsonText): boolean =>
    Array.isArray(before) && before.some((item) => JSON.stringify(item) === value);
  // Nothing chosen in an optional field leaves it out, unless an empty list was there before (a default of []).
  const valueFor = (picked: readonly number[]): JsonText | undefined =>
    picked.length === 0 && !field.required && current !== '[]'
      ? undefined
      : arrayText(picked.map((index) => values[index] ?? 'null'));
  const chosen = await askList(streams, {
    message: question(field),
    rows: options.map(optionFace),
    start: 0,
    marked: [...values.keys()].filter((index) => isChosen(values[index] ?? 'null')),
    onChange: (picked) => onChange(valueFor(picked), undefined),
    validate: (picked) => verdict(field, valueFor(picked)),
    finds: 'number',
    back,
  });
  if (chosen === BACK) return { value: current, isBack: true };
  return { value: valueFor(chosen), isBack: false };
}

async function askText(
  streams: PromptStreams,
  field: Field,
  { value: current, text: unread, onChange }: FieldEntry,
  back: string,
): Promise<FieldAnswer> {
  const before = unread ?? (current === undefined ? undefined : typedForm(field, current));
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
  const { text, isBack } = await askLine(streams, {
    message: `${question(field)}${hint}`,
    initial: editable ? before : '',
    secret: field.secret,
    validate,
    onChange: (typed) => {
      const now = read(typed);
      if (now.ok) onChange(now.value, undefined);
      else onChange(undefined, typed);
    },
    back,
  });
  const typed = read(text);
  // On the way back what does not fit is left as it was before.
  if (!typed.ok || (isBack && verdict(field, typed.value) !== true)) return { value: current, isBack };
  return { value: typed.value, isBack };
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
