// A whole answer checked against everything that its schema says. Runs what a server wrote: a gateway asks `FormChecks`.
import type { JsonText } from '../protocol/types.ts';
import { contentAnswer, draftAnswer } from './answer.ts';
import type { Checked, Draft, Form } from './types.ts';
import { contentProblems } from './validator.ts';

/** As `draftAnswer` has it, with the whole schema. */
export function check(form: Form, draft: Draft): Checked {
  return draftAnswer(form, draft, contentProblems);
}

/** As `contentAnswer` has it, with the whole schema. */
export function checkContent(
  form: Form,
  content: JsonText,
  options: { readonly extra?: boolean } = {},
): Checked {
  return contentAnswer(form, content, contentProblems, options);
}
