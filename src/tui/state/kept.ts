// A question of the inbox and its draft on the disk.
import { isKept, keptDraft, restoredDraft } from '../../form/kept-draft.ts';
import { withTyping } from './answers.ts';
import type { Question } from './types.ts';
import { typingOf } from './typing.ts';

/** What is kept of a question; `undefined` where it has only what it had at first. */
export function keptOf(question: Question, sensitive: boolean): string | undefined {
  const { form, touched, draft, unread, typing } = question;
  if (form === undefined || !touched || question.stage === 'over') return undefined;
  const texts = new Map([...unread.keys()].map((name) => [name, typing.get(name)?.text ?? '']));
  return keptDraft(form, { draft, texts }, sensitive);
}

/** The question with what was entered in an earlier run, as far as that still fits it. */
export function restored(question: Question, text: string, sensitive: boolean): Question {
  const { form } = question;
  const entered = form === undefined ? undefined : restoredDraft(form, text, sensitive);
  if (form === undefined || entered === undefined) return question;
  const { draft, texts } = entered;
  // Only what differs from the defaults is kept; which of them fit may not be known yet.
  let next: Question = { ...question, draft };
  for (const field of form.fields) {
    const typed = texts.get(field.name);
    if (typed !== undefined) next = withTyping(next, field, typingOf(typed));
  }
  // The person who entered it is not known to be the one who presses keys now (C45).
  return { ...next, touched: true, acted: false, isRestored: true };
}

/** Something was entered that no file keeps: it goes with this run of mcpx. */
export function hasUnkept({ form, draft, initial, touched, unread }: Question, sensitive: boolean): boolean {
  if (!touched || form === undefined) return false;
  return form.fields.some(
    (field) =>
      !isKept(field, sensitive) &&
      (unread.has(field.name) || draft.get(field.name) !== initial.get(field.name)),
  );
}
