// The rows as lists: which stand where, which is selected, and what a change of a row does to its question.
import type { Row } from '../../broker/types.ts';
import { staged } from './question.ts';
import type { Question, Selection, State, Tab } from './types.ts';

/** Settled rows that are kept in view; all of them are in `mcpx elicit list --all`. */
const MOST_ANSWERED = 200;

/** The rows of a tab in their order: what expires first on top; of the answered ones the latest. */
export function rowsOf(state: Pick<State, 'rows'>, tab: Tab): readonly Row[] {
  const all = [...state.rows.values()];
  if (tab === 'open') {
    return all
      .filter((row) => row.state === 'pending')
      .sort(
        (a, b) => order(a.expiresAt, b.expiresAt) || order(a.createdAt, b.createdAt) || order(a.id, b.id),
      );
  }
  return all
    .filter((row) => row.state !== 'pending')
    .sort((a, b) => order(endOf(b), endOf(a)) || order(b.id, a.id))
    .slice(0, MOST_ANSWERED);
}

/** When a row ended. */
export function endOf(row: Row): string {
  return row.answer?.at ?? row.expiresAt;
}

/** The state with other rows: selections stay on their row, questions follow theirs. */
export function withRows(state: State, rows: ReadonlyMap<string, Row>, at: number): State {
  const next = { ...state, rows, now: at };
  const questions = new Map(state.questions);
  for (const [id, question] of questions) {
    const row = rows.get(id);
    if (row !== undefined) questions.set(id, following(question, row));
  }
  return {
    ...next,
    questions,
    selection: {
      open: reselected(next.selection.open, rowsOf(next, 'open'), at),
      answered: reselected(next.selection.answered, rowsOf(next, 'answered'), at),
    },
  };
}

/** The same row if it is still there, else the one that took its place. */
function reselected(selection: Selection, rows: readonly Row[], at: number): Selection {
  const index = rows.findIndex((row) => row.id === selection.id);
  if (index >= 0) return { ...selection, index };
  const next = Math.min(Math.max(0, selection.index), rows.length - 1);
  return { id: rows[next]?.id, index: Math.max(0, next), since: at };
}

/** A row that was settled ends its question, but for the wait after the consent to a URL. */
function following(question: Question, row: Row): Question {
  if (row.state === 'pending') return question;
  const waits = question.stage === 'waiting' && row.state === 'accepted' && row.completedAt === undefined;
  // The answer under way is settled by its own event, which knows whose it was.
  return waits || question.stage === 'sending' || question.stage === 'opening'
    ? question
    : staged(question, 'over');
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
