// The keys of readline in a text: what each does to the text, what can be undone, and what can be put back (yanked).
import type { Field } from '../../form/types.ts';
import { typingFor, withTyping } from './answers.ts';
import type { Does } from './key-row.ts';
import type { History, Question, Typing } from './types.ts';
import {
  erase,
  eraseAfter,
  eraseBlankWord,
  eraseLine,
  eraseLineAfter,
  eraseWord,
  eraseWordAfter,
  insert,
  left,
  lineDown,
  lineEnd,
  lineStart,
  lineUp,
  right,
  typingOf,
  wordLeft,
  wordRight,
} from './typing.ts';

const MOVES: Partial<Record<Does, (typing: Typing) => Typing | undefined>> = {
  left,
  right,
  'word-left': wordLeft,
  'word-right': wordRight,
  'line-start': lineStart,
  'line-end': lineEnd,
  'line-up': lineUp,
  'line-down': lineDown,
};

const ERASES: Partial<Record<Does, (typing: Typing) => Typing>> = {
  erase,
  'erase-after': eraseAfter,
};

/** What these take away can be put back with Ctrl+Y. */
const KILLS: Partial<Record<Does, (typing: Typing) => Typing>> = {
  'erase-blank-word': eraseBlankWord,
  'erase-word': eraseWord,
  'erase-word-after': eraseWordAfter,
  'erase-line': eraseLine,
  'erase-line-after': eraseLineAfter,
};

/** Steps that can be undone, and code units that they may hold together. */
const MOST_STEPS = 100;
const MOST_UNITS = 1_000_000;

const NO_HISTORY: History = { past: [], run: undefined };

/** The question after a key in a text field; `undefined` where the key does nothing that the text can follow. */
export function editKey(question: Question, field: Field, does: Does): Question | undefined {
  const typing = typingFor(question, field);
  const move = MOVES[does];
  if (move !== undefined) {
    const moved = move(typing);
    return moved === undefined ? undefined : rested(withTyping(question, field, moved), field);
  }
  const erases = ERASES[does];
  if (erases !== undefined) return changed(question, field, erases(typing), 'erase');
  const kill = KILLS[does];
  if (kill !== undefined) return killed(question, field, kill(typing));
  if (does === 'yank') return yanked(question, field);
  return does === 'undo' ? undone(question, field) : undefined;
}

/** Text typed or pasted into a field. */
export function inserted(question: Question, field: Field, added: string): Question {
  return changed(question, field, insert(typingFor(question, field), added), 'insert');
}

/** A text taken away as a whole. */
export function emptied(question: Question, field: Field): Question {
  return changed(question, field, typingOf(''), undefined);
}

/** Another text, as from the editor. */
export function replaced(question: Question, field: Field, text: string): Question {
  return changed(question, field, typingOf(text), undefined);
}

function changed(question: Question, field: Field, next: Typing, run: History['run']): Question {
  const before = typingFor(question, field);
  if (before.text === next.text) return rested(withTyping(question, field, next), field);
  const { past, run: last } = historyOf(question, field);
  const goesOn = run !== undefined && run === last;
  const history: History = { past: goesOn ? past : limited([...past, before]), run };
  return {
    ...withTyping(question, field, next),
    history: new Map(question.history).set(field.name, history),
  };
}

function killed(question: Question, field: Field, next: Typing): Question {
  const before = typingFor(question, field);
  const text = before.text.slice(next.at, next.at + before.text.length - next.text.length);
  if (text === '') return question;
  return {
    ...changed(question, field, next, undefined),
    killed: { text, field: field.secret ? field.name : undefined },
  };
}

function yanked(question: Question, field: Field): Question {
  const taken = question.killed;
  if (taken === undefined || (taken.field !== undefined && taken.field !== field.name)) return question;
  return changed(question, field, insert(typingFor(question, field), taken.text), undefined);
}

function undone(question: Question, field: Field): Question {
  const { past } = historyOf(question, field);
  const last = past.at(-1);
  if (last === undefined) return question;
  const history: History = { past: past.slice(0, -1), run: undefined };
  return {
    ...withTyping(question, field, last),
    history: new Map(question.history).set(field.name, history),
  };
}

/** After a move the next letter is a step of its own. */
function rested(question: Question, field: Field): Question {
  const { past, run } = historyOf(question, field);
  if (run === undefined) return question;
  return { ...question, history: new Map(question.history).set(field.name, { past, run: undefined }) };
}

function historyOf(question: Question, field: Field): History {
  return question.history.get(field.name) ?? NO_HISTORY;
}

function limited(past: readonly Typing[]): readonly Typing[] {
  let units = 0;
  let from = past.length;
  while (from > 0 && past.length - from < MOST_STEPS) {
    units += past[from - 1]?.text.length ?? 0;
    if (units > MOST_UNITS && from < past.length) break;
    from -= 1;
  }
  return from === 0 ? past : past.slice(from);
}
