// The life of one question: made when it is opened, frozen when it is over.
import type { Row } from '../../broker/types.ts';
import { draftAnswer } from '../../form/answer.ts';
import { initialDraft } from '../../form/draft.ts';
import { outlineOf } from '../../form/outline.ts';
import { isPlain } from '../../form/plain.ts';
import { valueProblem } from '../../form/problem.ts';
import type { Checked, Draft, Form } from '../../form/types.ts';
import type { Question, Stage } from './types.ts';

/** How long keys that send do nothing after the drawing (C31); above 300 ms, as a drawing may lag by a frame. */
export const QUIET_MS = 350;

/** A question as it is when it is opened for the first time. */
export function questionOf(row: Row): Question {
  const form = row.mode === 'form' ? outlineOf(row.requestedSchema ?? '{}').form : undefined;
  const initial: Draft = form === undefined ? new Map() : initialDraft(form);
  return {
    id: row.id,
    form,
    stage: row.state === 'pending' ? firstStage(form) : 'over',
    draft: initial,
    initial,
    typing: new Map(),
    unread: new Map(),
    problems: new Map(),
    general: [],
    history: new Map(),
    killed: undefined,
    highlight: new Map(),
    filter: new Map(),
    focus: form === undefined || form.fields.length === 0 ? -1 : 0,
    touched: false,
    isRestored: false,
    acted: false,
    top: undefined,
    gate: { number: 0, quietSince: undefined },
    asking: undefined,
    choice: 'back',
    content: undefined,
    refusal: undefined,
  };
}

export function firstStage(form: Form | undefined): Stage {
  return form === undefined ? 'consent' : 'form';
}

/** The same question at another stage, its gate shut until that has been drawn. */
export function staged(question: Question, stage: Stage, more: Partial<Question> = {}): Question {
  // Answered once: what is over stays so.
  if (question.stage === 'over') return question;
  const next = { ...question, stage, top: undefined, asking: undefined, ...more, gate: shut(question) };
  return stage === 'over' ? Object.freeze(next) : next;
}

/** A gate that nobody has seen yet. */
export function shut(question: Question): Question['gate'] {
  return { number: question.gate.number + 1, quietSince: undefined };
}

/**
 * On to the review if everything fits, else to the first field that does not, with what is wrong at every field. What
 * only patterns and the whole schema can tell is checked elsewhere meanwhile, and `judged` goes on with that.
 */
export function reviewed(question: Question): Question {
  const { form } = question;
  if (form === undefined) return question;
  const problems = new Map<string, string>();
  for (const field of form.fields) {
    const problem = question.unread.get(field.name) ?? valueProblem(field, question.draft.get(field.name));
    if (problem !== undefined) problems.set(field.name, problem);
  }
  const seen = { ...question, problems };
  if (seen.problems.size > 0) return { ...seen, focus: firstProblem(seen, form), top: undefined };
  if (!isPlain(form)) return staged(seen, 'checking', { general: [] });
  return judged(
    seen,
    draftAnswer(form, seen.draft, () => []),
  );
}

/**
 * A whole answer that was checked: its review, or the form with what is wrong. The content that the review shows is the
 * one that is sent.
 */
export function judged(seen: Question, checked: Checked): Question {
  const { form } = seen;
  if (form === undefined) return seen;
  if (checked.ok) {
    const choice = seen.acted ? 'send' : 'back';
    return staged(seen, 'review', { content: checked.content, general: [], choice });
  }
  const general: string[] = [];
  const problems = new Map(seen.problems);
  for (const { path, message } of checked.problems) {
    const [first = '', ...deeper] = path.split('/').slice(1);
    const name = first.replaceAll('~1', '/').replaceAll('~0', '~');
    const isField = form.fields.some((field) => field.name === name);
    if (isField && !problems.has(name))
      problems.set(name, deeper.length === 0 ? message : `at /${deeper.join('/')}: ${message}`);
    else if (!isField) general.push(message);
  }
  const back = seen.stage === 'form' ? seen : staged(seen, 'form');
  const wrong = { ...back, problems, general, top: undefined };
  return { ...wrong, focus: problems.size > 0 ? firstProblem(wrong, form) : -1 };
}

function firstProblem(question: Question, form: Form): number {
  return form.fields.findIndex((field) => question.problems.has(field.name));
}
