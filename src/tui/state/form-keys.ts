// The keys of the fields: what each does to the question.

import type { Field } from '../../form/types.ts';
import { isChoice, looked, stepped, withValue } from './answers.ts';
import { choiceKey, filterText } from './choice-keys.ts';
import { editKey, inserted } from './edits.ts';
import type { Does } from './key-row.ts';
import { focused } from './place.ts';
import { reviewed } from './question.ts';
import type { Question } from './types.ts';
import { folded } from './typing.ts';

/** A question after a key, and a sentence where the key could not do what it says. */
export type Pressed = { readonly question: Question; readonly notice?: string };

const UNDECIDED = 'Neither yes nor no is chosen yet: press y or n.';

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
    case 'answer':
      return field === undefined ? undefined : answered(question, field);
    case 'change':
      return field === undefined ? undefined : changed(question, field);
    case 'to-left':
    case 'to-right':
      return field === undefined
        ? undefined
        : { question: stepped(question, field, does === 'to-left' ? -1 : 1) };
    case 'unset':
      return field === undefined ? undefined : { question: withValue(question, field, undefined) };
    default:
      break;
  }
  if (isChoice(field)) {
    const pressed = choiceKey(question, field, does, stroke, page);
    if (pressed?.goesOn !== true) return pressed;
    return { question: forward(pressed.question) };
  }
  if (field === undefined) return undefined;
  const edited = editKey(followed(question), field, does);
  if (edited !== undefined) return { question: edited };
  // At the first and the last line of a text the same keys lead on.
  if (does === 'line-down') return { question: forward(question) };
  return does === 'line-up' ? { question: moved(question, question.focus - 1) } : undefined;
}

/** Text that was typed, or pasted: into the text that has the keys, or the filter of a list; elsewhere it means nothing. */
export function typed(question: Question, text: string): Question {
  const field = focused(question);
  if (field === undefined || field.kind === 'boolean') return question;
  const added = folded(text);
  if (added === '') return question;
  if (isChoice(field)) return filterText(followed(question), field, added);
  return inserted(followed(question), field, added);
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
export function followed(question: Question): Question {
  return question.top === undefined ? question : { ...question, top: undefined };
}

/** A lone question is answered and reviewed with one key; among others the key only answers. */
function said(question: Question, field: Field, yes: boolean): Question {
  const next = withValue(question, field, yes ? 'true' : 'false');
  return question.form?.fields.length === 1 ? forward(next) : next;
}

/** Enter on yes or no: what is required is not passed over undecided, as if the key had been an answer (C45). */
function answered(question: Question, field: Field): Pressed {
  if (!field.required || question.draft.has(field.name)) return { question: forward(question) };
  return { question: looked(question, field), notice: UNDECIDED };
}

/** Space: from yes to no and back. It decides nothing that is not decided. */
function changed(question: Question, field: Field): Pressed {
  const value = question.draft.get(field.name);
  if (value === undefined) return { question, notice: UNDECIDED };
  return { question: withValue(question, field, value === 'true' ? 'false' : 'true') };
}
