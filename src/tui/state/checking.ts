// What a schema says beyond its fields: asked for as an effect, since it may take a moment, and taken in when it is known.
import { initialDraft } from '../../form/draft.ts';
import { isKept } from '../../form/kept-draft.ts';
import { hasDoubts } from '../../form/outline.ts';
import type { Checked, Draft, Form } from '../../form/types.ts';
import { isTouched } from './answers.ts';
import { put } from './place.ts';
import { judged } from './question.ts';
import type { Effect, State } from './types.ts';

/** What has to be found out since a question was opened, or its review was asked for. */
export function checksFor(before: State, after: State): Effect[] {
  if (before.questions === after.questions) return [];
  const effects: Effect[] = [];
  for (const [id, { form, stage, draft }] of after.questions) {
    const known = before.questions.get(id);
    const server = after.rows.get(id)?.server;
    if (form === undefined || server === undefined) continue;
    if (known === undefined && stage !== 'over' && hasDoubts(form))
      effects.push({ do: 'defaults', id, server, schema: form.schema });
    if (stage === 'checking' && known?.stage !== 'checking')
      effects.push({ do: 'check', id, server, form, draft });
  }
  return effects;
}

/**
 * The defaults that turned out to fit, in the fields that nobody has been at: not in an earlier run either, whose draft
 * says which of them were taken away.
 */
export function withDefaults(state: State, id: string, form: Form): State {
  const question = state.questions.get(id);
  if (question === undefined || question.stage !== 'form') return state;
  const initial = initialDraft(form);
  const draft = new Map(question.draft);
  const sensitive = state.rows.get(id)?.sensitive === true;
  const kept = question.isRestored ? form.fields.filter((field) => isKept(field, sensitive)) : [];
  const decided = new Set([
    ...question.initial.keys(),
    ...question.typing.keys(),
    ...kept.map(({ name }) => name),
  ]);
  for (const [name, value] of initial) if (!decided.has(name) && !draft.has(name)) draft.set(name, value);
  return put(state, {
    ...question,
    form,
    initial,
    draft,
    touched: isTouched({ ...question, initial, draft }),
  });
}

/** The verdict on the answer that is being checked; one on an older answer is of no interest. */
export function withVerdict(state: State, id: string, draft: Draft, checked: Checked): State {
  const question = state.questions.get(id);
  if (question?.stage !== 'checking' || question.draft !== draft) return state;
  return put(state, judged(question, checked));
}
