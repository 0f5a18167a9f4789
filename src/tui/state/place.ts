// What the keys belong to, read from the state.
import type { Row } from '../../broker/types.ts';
import type { Field } from '../../form/types.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Place } from './key-row.ts';
import type { Question, State } from './types.ts';

/** The question on the screen with its row. */
export function shown(state: State): { readonly question: Question; readonly row: Row } | undefined {
  const question = state.open === undefined ? undefined : state.questions.get(state.open);
  const row = state.open === undefined ? undefined : state.rows.get(state.open);
  return question === undefined || row === undefined ? undefined : { question, row };
}

/** The field that has the keys. */
export function focused(question: Question): Field | undefined {
  return question.form?.fields[question.focus];
}

export function placeOf(state: State): Place {
  if (state.help) return 'help';
  const now = shown(state);
  if (now === undefined) return state.tab === 'open' ? 'inbox' : 'answered';
  const { question, row } = now;
  const isBack = question.choice === 'back';
  if (question.asking !== undefined) return isBack ? 'ask' : 'ask-yes';
  switch (question.stage) {
    case 'form':
      return fieldPlace(question, focused(question));
    case 'review':
      return isBack ? 'review-back' : 'review';
    case 'consent':
      return canOpen(row) ? 'consent' : 'unopenable';
    case 'checking':
    case 'opening':
    case 'sending':
      return 'busy';
    case 'waiting':
      return 'waiting';
    case 'over':
      return 'over';
  }
}

/** Whether a row's URL may be opened at all, after consent (C25). */
export function canOpen(row: Row): boolean {
  const verdict = verdictOf(row.url ?? '');
  return verdict.valid && verdict.openable;
}

/** From so many options on, letters and digits filter a list instead of picking from it. */
export const LONG_LIST = 10;

function fieldPlace(question: Question, field: Field | undefined): Place {
  switch (field?.kind) {
    case undefined:
      return 'read';
    case 'boolean':
      return 'boolean';
    case 'select':
    case 'multiselect':
      if (question.filter.has(field.name)) return `filter-${field.kind}`;
      return field.options.length >= LONG_LIST ? `long-${field.kind}` : field.kind;
    default:
      return 'text';
  }
}

/** The state with a question as it is now. */
export function put(state: State, question: Question): State {
  if (state.questions.get(question.id) === question) return state;
  return { ...state, questions: new Map(state.questions).set(question.id, question) };
}

/** The first line to show after a key, of `most` that could be it; `room` is how many lines are shown. */
export function scrolledTo(does: string, top: number, most: number, room: number): number {
  const by = { up: -1, down: 1, 'page-up': 1 - room, 'page-down': room - 1 }[does] ?? 0;
  return Math.min(most, Math.max(0, top + by));
}
