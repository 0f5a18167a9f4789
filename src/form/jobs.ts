// The work behind `FormChecks`, done on whatever thread this is called on.

import { bounded } from './bounded.ts';
import { check, checkContent } from './check.ts';
import type { Job } from './checks.ts';
import { formOf } from './form-of.ts';
import { outlineOf } from './outline.ts';

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
