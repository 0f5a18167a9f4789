// The keys of the inbox: moving, switching tabs, opening.
import type { Row } from '../../broker/types.ts';
import { draw } from '../view/screen.ts';
import { restored } from './kept.ts';
import type { KeyRow } from './key-row.ts';
import { put } from './place.ts';
import { firstStage, questionOf, staged } from './question.ts';
import { rowsOf } from './rows.ts';
import type { Question, State } from './types.ts';

/** How long a row that was selected by itself cannot be opened: the key was meant for what stood there before. */
const SETTLE_MS = 500;

/** A key in the inbox. */
export function listKey(state: State, { does }: KeyRow, at: number): State {
  const { tab } = state;
  const rows = rowsOf(state, tab);
  const selection = state.selection[tab];
  const select = (index: number): State => {
    const to = Math.min(rows.length - 1, Math.max(0, index));
    const next = { id: rows[to]?.id, index: Math.max(0, to), since: 0 };
    return { ...state, selection: { ...state.selection, [tab]: next } };
  };
  const page = Math.max(1, state.size.rows - 8);
  switch (does) {
    case 'up':
      return select(selection.index - 1);
    case 'down':
      return select(selection.index + 1);
    case 'page-up':
      return select(selection.index - page);
    case 'page-down':
      return select(selection.index + page);
    case 'first':
      return select(0);
    case 'last':
      return select(rows.length - 1);
    case 'switch-tab':
      return { ...state, tab: tab === 'open' ? 'answered' : 'open' };
    case 'open': {
      const row = rows[selection.index];
      if (row === undefined || row.id !== selection.id || at < selection.since + SETTLE_MS) return state;
      return openQuestion(state, row);
    }
    default:
      return state;
  }
}

/** A question that was not open in this run, with the draft of an earlier one. */
function firstOpened({ drafts }: State, row: Row): Question {
  const text = row.state === 'pending' ? drafts?.get(row.id) : undefined;
  return text === undefined ? questionOf(row) : restored(questionOf(row), text, row.sensitive);
}

function openQuestion(state: State, row: Row): State {
  const known = state.questions.get(row.id) ?? firstOpened(state, row);
  const stage = row.state === 'pending' || known.stage === 'waiting' ? known.stage : 'over';
  // Coming back to a review would put a key away from sending what was last seen some time ago.
  const first = stage === 'review' || stage === 'checking' ? firstStage(known.form) : stage;
  // What was entered before it was left is no sign that somebody means the keys that come now (C45).
  const question = staged(known, first, { acted: false, filter: new Map() });
  const opened = { ...put(state, question), open: row.id };
  if (question.stage !== 'form' || question.focus !== 0 || question.touched) return opened;
  // What is asked is read before it is answered: a message that leaves no room for the first field comes first.
  const fromTop = draw(put(opened, { ...question, top: 0 }));
  return fromTop.isSpotShown ? opened : put(opened, { ...question, focus: -1 });
}
