// The keys of the fields: what each does to the question.

import { optionText } from '../../form/options.ts';
import type { Field } from '../../form/types.ts';
import {
  type Choosable,
  cycled,
  highlighted,
  looked,
  optionRows,
  toggled,
  typingFor,
  withTyping,
  withValue,
} from './answers.ts';
import type { Does } from './keys.ts';
import { focused } from './place.ts';
import { reviewed } from './question.ts';
import type { Question, Typing } from './types.ts';
import { erase, eraseAfter, eraseLine, eraseWord, folded, insert, left, right } from './typing.ts';

/** A question after a key, and a sentence where the key could not do what it says. */
export type Pressed = { readonly question: Question; readonly notice?: string };

const EDITS: Partial<Record<Does, (typing: Typing) => Typing>> = {
  left,
  right,
  erase,
  'erase-after': eraseAfter,
  'erase-word': eraseWord,
  'erase-line': eraseLine,
  'line-start': ({ text }) => ({ text, at: 0 }),
  'line-end': ({ text }) => ({ text, at: text.length }),
};

/** What a key of the table does in a form; `page` is how many rows a screen up or down are. */
export function formKey(question: Question, does: Does, stroke: string, page: number): Pressed | undefined {
  const field = focused(question);
  switch (does) {
    case 'next':
      return { question: forward(question) };
    case 'previous':
      return { question: moved(question, question.focus - 1) };
    case 'review':
      return { question: reviewed(question) };
    case 'yes':
    case 'no':
      return field === undefined ? undefined : { question: said(question, field, does === 'yes') };
    case 'cycle':
      return field === undefined ? undefined : { question: cycled(question, field) };
    case 'unset':
      return field === undefined ? undefined : { question: withValue(question, field, undefined) };
    default:
      break;
  }
  if (field?.kind === 'select' || field?.kind === 'multiselect')
    return choiceKey(question, field, does, stroke, page);
  const edit = EDITS[does];
  if (edit === undefined || field === undefined) return undefined;
  return { question: withTyping(followed(question), field, edit(typingFor(question, field))) };
}

/** Text that was typed, or pasted: into the text field that has the keys; elsewhere it means nothing. */
export function typed(question: Question, text: string): Question {
  const field = focused(question);
  if (
    field === undefined ||
    field.kind === 'select' ||
    field.kind === 'multiselect' ||
    field.kind === 'boolean'
  )
    return question;
  const added = folded(text);
  return added === ''
    ? question
    : withTyping(followed(question), field, insert(typingFor(question, field), added));
}

/** On to the next field, and from the last one to the review: Enter always goes forward. */
export function forward(question: Question): Question {
  const count = question.form?.fields.length ?? 0;
  if (question.focus + 1 < count) return moved(question, question.focus + 1);
  return reviewed(looked(question, focused(question)));
}

function moved(question: Question, focus: number): Question {
  const to = Math.max(-1, focus);
  const left = question.focus === to ? question : looked(question, focused(question));
  return { ...left, focus: to, top: undefined };
}

/** Back to where the keys are, after scrolling away from it. */
function followed(question: Question): Question {
  return question.top === undefined ? question : { ...question, top: undefined };
}

/** A lone question is answered and reviewed with one key; among others the key only answers. */
function said(question: Question, field: Field, yes: boolean): Question {
  const next = withValue(question, field, yes ? 'true' : 'false');
  return question.form?.fields.length === 1 ? forward(next) : next;
}

function choiceKey(
  question: Question,
  field: Choosable,
  does: Does,
  stroke: string,
  page: number,
): Pressed | undefined {
  const rows = optionRows(field);
  const at = highlighted(question, field);
  const light = (index: number): Pressed => {
    const to = Math.min(rows.length - 1, Math.max(0, index));
    const highlight = new Map(question.highlight).set(field.name, to);
    return { question: { ...followed(question), highlight } };
  };
  switch (does) {
    case 'up':
      return light(at - 1);
    case 'down':
      return light(at + 1);
    case 'page-up':
      return light(at - page);
    case 'page-down':
      return light(at + page);
    case 'first':
      return light(0);
    case 'last':
      return light(rows.length - 1);
    case 'choose':
      return { question: forward(chosen(question, field, at)) };
    case 'mark':
      return { question: chosen(question, field, at) };
    case 'toggle':
      return toggle(question, field, at);
    case 'pick':
      return rows.length > 9 || Number(stroke) > rows.length
        ? undefined
        : pick(light(Number(stroke) - 1).question, field, Number(stroke) - 1);
    default:
      return undefined;
  }
}

function pick(question: Question, field: Choosable, index: number): Pressed {
  if (field.kind === 'multiselect') return toggle(question, field, index);
  return { question: forward(chosen(question, field, index)) };
}

function chosen(question: Question, field: Choosable, index: number): Question {
  const option = optionRows(field)[index];
  return withValue(question, field, option === undefined ? undefined : optionText(option));
}

function toggle(question: Question, field: Choosable, index: number): Pressed {
  const option = field.options[index];
  if (option === undefined || field.kind !== 'multiselect') return { question };
  const next = toggled(question, field, option);
  if (next !== undefined) return { question: next };
  return { question, notice: `No more than ${field.maxItems} can be taken; leave one first.` };
}
