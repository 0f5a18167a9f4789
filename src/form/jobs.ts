// The work behind `FormChecks`, done on whatever thread this is called on.

import type { JsonText } from '../protocol/types.ts';
import { contentAnswer, draftAnswer } from './answer.ts';
import { bounded } from './bounded.ts';
import type { Job } from './checks.ts';
import { formOf } from './form-of.ts';
import { outlineOf } from './outline.ts';
import type { Checked, Draft, Form } from './types.ts';
import { contentProblems } from './validator.ts';

/** Milliseconds for one regular expression, whose honest ones take a few at most. */
const LOOK = 500;

/** Does a job; the value is what the method of `FormChecks` by that name gives. Throws what costs too much; the rest may take as long as it likes. */
export function runJob(job: Job): unknown {
  switch (job.do) {
    case 'outline':
      return outlineOf(job.schema);
    case 'form':
      return formOf(job.schema);
    case 'content':
      return checkContent(outlineOf(job.schema).form, job.content);
    case 'draft':
      return check(outlineOf(job.schema).form, job.draft);
    case 'found': {
      const expression = new RegExp(job.pattern);
      const run = bounded(LOOK, () => expression.test(job.text));
      if (!run.ok) throw new Error('the expression did not end in time');
      return run.value;
    }
  }
}

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
