// The work behind `FormChecks`, done on whatever thread this is called on.

import { check, checkContent } from './check.ts';
import type { Job } from './checks.ts';
import { formOf } from './form-of.ts';
import { outlineOf } from './outline.ts';

/** Does a job; the value is what the method of `FormChecks` by that name gives. May take as long as it likes. */
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
    case 'found':
      return new RegExp(job.pattern).test(job.text);
  }
}
