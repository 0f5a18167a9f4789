// What a person enters for a field, kept in the question: values, what cannot be read, and what is wrong with either.
import { setValue } from '../../form/draft.ts';
import { problemFor } from '../../form/field-problem.ts';
import { optionText } from '../../form/options.ts';
import { readTyped } from '../../form/typed.ts';
import type { Draft, Field, Option } from '../../form/types.ts';
import { arrayText } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import type { Question, Typing } from './types.ts';
import { typingOf } from './typing.ts';

export type Choosable = Extract<Field, { kind: 'select' | 'multiselect' }>;

export function isChoice(field: Field | undefined): field is Choosable {
  return field?.kind === 'select' || field?.kind === 'multiselect';
}

/** The text a field shows for editing: as it was typed, or as its value is written. */
export function typingFor(question: Question, field: Field): Typing {
  return question.typing.get(field.name) ?? typingOf(textOf(field, question.draft.get(field.name)));
}

/** A text as it was typed for a field, and the value it stands for. */
export function withTyping(question: Question, field: Field, typing: Typing): Question {
  const moved = { ...question, typing: put(question.typing, field.name, typing) };
  const before = question.typing.get(field.name)?.text ?? textOf(field, question.draft.get(field.name));
  if (before === typing.text) return moved;
  const read = readTyped(field, typing.text);
  return read.ok
    ? withValue({ ...moved, unread: without(moved.unread, field.name) }, field, read.value)
    : entered({ ...moved, unread: put(moved.unread, field.name, read.message) }, field, undefined);
}

/** A value chosen for a field; `undefined` leaves the field out. */
export function withValue(question: Question, field: Field, value: JsonText | undefined): Question {
  return entered(question, field, value);
}

/** The question with what is wrong with a field noted, once a person has been at it. */
export function looked(question: Question, field: Field | undefined): Question {
  if (field === undefined) return question;
  const problem = question.unread.get(field.name) ?? problemFor(field, question.draft.get(field.name));
  const problems =
    problem === undefined
      ? without(question.problems, field.name)
      : put(question.problems, field.name, problem);
  return { ...question, problems };
}

/** The rows of a select: its options, and one more that leaves an optional field out. */
export function optionRows(field: Choosable): readonly (Option | undefined)[] {
  return field.kind === 'select' && !field.required ? [...field.options, undefined] : field.options;
}

/** The places of the rows that a filter leaves, all of them without one. */
export function shownRows(question: Question, field: Choosable): readonly number[] {
  const rows = optionRows(field);
  const filter = question.filter.get(field.name)?.toLowerCase().trim() ?? '';
  const places = [...rows.keys()];
  if (filter === '') return places;
  return places.filter((place) => {
    const option = rows[place];
    if (option === undefined) return false;
    return `${option.label}\n${String(option.value)}`.toLowerCase().includes(filter);
  });
}

/**
 * The place of the highlighted row: where the person left it, else the one that is chosen, else the first; of those
 * that the filter leaves. -1 where it leaves none.
 */
export function highlighted(question: Question, field: Choosable): number {
  const shown = shownRows(question, field);
  const at = question.highlight.get(field.name) ?? firstLight(question, field);
  return shown.includes(at) ? at : (shown[0] ?? -1);
}

/** Among several that are chosen none is more the one than the first row. */
function firstLight(question: Question, field: Choosable): number {
  if (field.kind === 'multiselect') return 0;
  const chosen = chosenValues(question, field);
  return field.options.findIndex((option) => chosen.has(option.value));
}

/** The values that are taken. Values, not texts: a default may be spelled in another way than the option. */
export function chosenValues(question: Question, field: Choosable): ReadonlySet<unknown> {
  const value = question.draft.get(field.name);
  if (value === undefined) return new Set();
  const chosen: unknown = JSON.parse(value);
  return new Set(field.kind === 'multiselect' && Array.isArray(chosen) ? chosen : [chosen]);
}

/** Takes or leaves an option; `undefined` when that would be one more than the most. */
export function toggled(
  question: Question,
  field: Extract<Field, { kind: 'multiselect' }>,
  option: Option,
): Question | undefined {
  const chosen = chosenValues(question, field);
  const isOn = chosen.has(option.value);
  if (!isOn && field.maxItems !== undefined && chosen.size >= field.maxItems) return undefined;
  // In the order of the options, whatever the order of choosing.
  const next = field.options.filter(({ value }) => (value === option.value ? !isOn : chosen.has(value)));
  // Nothing chosen in an optional field leaves it out, unless its default is the empty list.
  const isOut =
    next.length === 0 && !field.required && !(Array.isArray(field.initial) && field.initial.length === 0);
  return withValue(question, field, isOut ? undefined : arrayText(next.map(optionText)));
}

/** Yes, no and not answered in the order they stand on the screen; a required field has no third one. */
export function stepped(question: Question, field: Field, by: -1 | 1): Question {
  const choices: readonly (JsonText | undefined)[] = ['true', 'false', undefined];
  const at = choices.indexOf(question.draft.get(field.name));
  const most = field.required ? 1 : 2;
  const to = at > most ? (by < 0 ? 1 : at) : Math.min(most, Math.max(0, at + by));
  return to === at ? question : withValue(question, field, choices[to]);
}

/** What a person would have typed for a value: the text itself, or the JSON of anything else. */
function textOf(field: Field, value: JsonText | undefined): string {
  if (value === undefined) return '';
  const parsed: unknown = field.kind === 'text' ? JSON.parse(value) : undefined;
  return typeof parsed === 'string' ? parsed : value;
}

function entered(question: Question, field: Field, value: JsonText | undefined): Question {
  const draft = setValue(question.draft, field.name, value);
  const touched = isTouched({ ...question, draft });
  return looked({ ...question, draft, touched, acted: true, refusal: undefined, general: [] }, field);
}

/** Whether something differs from what the question had at first. */
export function isTouched({ unread, draft, initial }: Question): boolean {
  return unread.size > 0 || !isSame(draft, initial);
}

function isSame(one: Draft, other: Draft): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}

function put<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
