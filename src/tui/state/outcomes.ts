// What comes back from the outside: rows, answers that were taken or not, a browser that opened or not.
import type { Row } from '../../broker/types.ts';
import { replaced } from './edits.ts';
import { put } from './place.ts';
import { firstStage, staged } from './question.ts';
import { withRows } from './rows.ts';
import type { State, Step } from './types.ts';

/** The text that came back from the editor. */
export function edited(state: State, id: string, name: string, text: string): State {
  const question = state.questions.get(id);
  const field = question?.form?.fields.find((one) => one.name === name);
  if (question === undefined || field === undefined || question.stage !== 'form') return state;
  return put(state, replaced(question, field, text));
}

/** All rows, read anew. */
export function loaded(state: State, rows: readonly Row[], at: number): State {
  const next = withRows({ ...state, loaded: true }, new Map(rows.map((row) => [row.id, row])), at);
  if (state.loaded) return next;
  // At the start there is nothing a key could have been meant for.
  const { open, answered } = next.selection;
  return { ...next, selection: { open: { ...open, since: 0 }, answered: { ...answered, since: 0 } } };
}

/** One row that opened or changed, in whichever process. */
export function rowChanged(state: State, changed: Row, isNew: boolean, at: number): Step {
  const known = state.rows.get(changed.id);
  // A late report of an earlier change must not bring a question back.
  if (known !== undefined && known.state !== 'pending' && changed.state === 'pending') return [state, []];
  const next = withRows(state, new Map(state.rows).set(changed.id, changed), at);
  const isNews = isNew && known === undefined && changed.state === 'pending';
  return [next, isNews ? [{ do: 'announce', row: changed }] : []];
}

/** What came of an answer: exactly one wins. */
export function settled(state: State, settledRow: Row, won: boolean, at: number): State {
  const next = withRows(state, new Map(state.rows).set(settledRow.id, settledRow), at);
  const question = next.questions.get(settledRow.id);
  if (question === undefined) return next;
  const waits =
    won &&
    settledRow.mode === 'url' &&
    settledRow.state === 'accepted' &&
    settledRow.completedAt === undefined;
  const after = put(next, staged(question, waits ? 'waiting' : 'over'));
  return won ? after : { ...after, notice: 'Somebody else was faster; your answer was not sent.' };
}

/** An answer that was not taken leaves the question where it was, with the reason (C38). */
export function refused(state: State, id: string, message: string): State {
  const question = state.questions.get(id);
  if (question === undefined) return state;
  if (question.stage !== 'sending' && question.stage !== 'opening') return { ...state, notice: message };
  const stage = question.content === undefined ? firstStage(question.form) : 'review';
  const back = put(state, staged(question, stage, { refusal: message }));
  return withRows(back, back.rows, back.now);
}

/** Consent is sent once the browser has the URL; where it did not open, the consent screen stays (C33). */
export function opened(state: State, id: string, failure: string | undefined): Step {
  const question = state.questions.get(id);
  if (question === undefined) return [state, []];
  if (failure !== undefined) {
    const message = `${failure} Copy the URL with c, or select it.`;
    if (question.stage !== 'opening') return [put(state, { ...question, refusal: message }), []];
    const back = put(state, staged(question, 'consent', { refusal: message }));
    return [withRows(back, back.rows, back.now), []];
  }
  if (question.stage !== 'opening') return [{ ...state, notice: 'Opened again.' }, []];
  return [put(state, staged(question, 'sending')), [{ do: 'answer', id, action: 'accept' }]];
}
