// Everything that can happen to the inbox, as a function from one state to the next and what the outside has to do.
import { draw } from '../view/screen.ts';
import { isChoice, typingFor } from './answers.ts';
import { checksFor, withDefaults, withVerdict } from './checking.ts';
import { choiceKey } from './choice-keys.ts';
import { emptied } from './edits.ts';
import { typed } from './form-keys.ts';
import { hasUnkept } from './kept.ts';
import type { KeyRow, Place } from './key-row.ts';
import { keyAt } from './keys.ts';
import { listKey } from './list-keys.ts';
import { edited, loaded, opened, refused, rowChanged, settled } from './outcomes.ts';
import { focused, placeOf, put, scrolledTo, shown } from './place.ts';
import { questionKey } from './question-keys.ts';
import { rowsOf } from './rows.ts';
import type { Event, State, Step } from './types.ts';

/** The next state, and what has to be done outside; what comes of that is an event again. Pure. */
export function reduce(state: State, event: Event): Step {
  const [next, effects] = step(state, event);
  const checks = checksFor(state, next);
  return [next, checks.length === 0 ? effects : [...effects, ...checks]];
}

function step(state: State, event: Event): Step {
  switch (event.type) {
    case 'key':
      return key({ ...state, now: event.at }, event.stroke, event.at);
    case 'text':
      return burst(state, event.text, event.at);
    case 'paste':
      return pasted({ ...state, now: event.at, notice: undefined }, event.text);
    case 'tick':
      return [{ ...state, now: event.at }, []];
    case 'resize':
      return [{ ...state, size: event.size }, []];
    case 'drawn':
      return [drawn(state, event.gate, event.at), []];
    case 'loaded':
      return [loaded({ ...state, offset: event.offset }, event.rows, event.at), []];
    case 'row':
      return rowChanged(state, event.row, event.isNew, event.at);
    case 'trouble':
      return [{ ...state, trouble: event.message }, []];
    case 'settled':
      return [settled(state, event.row, event.won, event.at), []];
    case 'refused':
      return [refused(state, event.id, event.message), []];
    case 'opened':
      return opened(state, event.id, event.failure);
    case 'defaults':
      return [withDefaults(state, event.id, event.form), []];
    case 'checked':
      return [withVerdict(state, event.id, event.draft, event.checked), []];
    case 'edited':
      return [edited(state, event.id, event.name, event.text), []];
    case 'drafts':
      return [{ ...state, drafts: event.texts }, []];
    case 'unkept':
      return [{ ...state, drafts: undefined, notice: event.message }, []];
    case 'notice':
      return [{ ...state, notice: event.message }, []];
  }
}

function key(before: State, stroke: string, at: number): Step {
  const place = placeOf(before);
  const row = keyAt(place, stroke);
  const state = { ...before, notice: undefined, leaving: before.leaving && isLeaving(row) };
  if (row === undefined) return takesText(place) ? [text(state, stroke), []] : [state, []];
  const { does } = row;
  if (does === 'suspend') return [state, [{ do: 'suspend' }]];
  if (does === 'interrupt') return interrupt(state);
  if (does === 'quit') return leave(state, false);
  if (does === 'help') return [{ ...state, help: true, helpTop: 0 }, []];
  if (state.help) return [helpKey(state, row), []];
  const now = shown(state);
  if (now === undefined) return [listKey(state, row, at), []];
  return questionKey(state, now.question, now.row, { row, stroke, at });
}

/** Where a key that the table does not know is text: of an answer, or of a filter. */
function takesText(place: Place): boolean {
  return place === 'text' || place.startsWith('long-') || place.startsWith('filter-');
}

function isLeaving(row: KeyRow | undefined): boolean {
  return row?.does === 'interrupt' || row?.does === 'quit';
}

function text(state: State, stroke: string): State {
  const now = shown(state);
  const character = stroke === 'space' ? ' ' : stroke;
  // Named keys that mean nothing here are no text.
  if (now === undefined || [...character].length > 1) return state;
  return put(state, typed(now.question, character));
}

/** Fast typing may end with Enter; a line end further in is a paste, whatever the terminal says. */
function burst(state: State, characters: string, at: number): Step {
  const [, body = '', end = ''] = /^([\s\S]*?)([\r\n]?)$/.exec(characters) ?? [];
  const inText = placeOf(state) === 'text';
  if (/[\r\n]/.test(body))
    return inText ? pasted({ ...state, now: at, notice: undefined }, characters) : [state, []];
  const strokes = inText ? [] : [...body].map((character) => (character === ' ' ? 'space' : character));
  let step: Step = inText ? pasted({ ...state, now: at, notice: undefined }, body) : [state, []];
  for (const stroke of end === '' ? strokes : [...strokes, 'enter']) {
    const [next, effects] = key(step[0], stroke, at);
    step = [next, [...step[1], ...effects]];
  }
  return step;
}

function pasted(state: State, pastedText: string): Step {
  const now = shown(state);
  const place = placeOf(state);
  if (now === undefined || !takesText(place)) return [state, []];
  const next = put(state, typed(now.question, pastedText));
  const isFolded = place === 'text' && /[\r\n]/.test(pastedText.replace(/[\r\n]+$/, ''));
  return [
    isFolded
      ? { ...next, notice: 'Line ends in what was pasted became spaces; Ctrl+O opens an editor.' }
      : next,
    [],
  ];
}

/**
 * Ctrl+C empties the text that is being typed, or the filter; where there is none it leaves, and no question is told
 * anything.
 */
function interrupt(state: State): Step {
  const now = shown(state);
  const field = now === undefined || state.help ? undefined : focused(now.question);
  if (now === undefined || field === undefined) return leave(state, true);
  const { question } = now;
  if (placeOf(state) === 'text' && typingFor(question, field).text !== '') {
    const notice = 'Emptied; Ctrl+_ brings it back. Ctrl+C again leaves, and the question stays open.';
    return [{ ...put(state, emptied(question, field)), notice }, []];
  }
  if (isChoice(field) && (question.filter.get(field.name) ?? '') !== '') {
    const next = choiceKey(question, field, 'filter-leave', 'ctrl+c', 1)?.question ?? question;
    const notice = 'The filter is ended. Ctrl+C again leaves, and the question stays open.';
    return [{ ...put(state, next), notice }, []];
  }
  return leave(state, true);
}

function leave(state: State, interrupted: boolean): Step {
  const lost = rowsOf(state, 'open').filter((row) => {
    const question = state.questions.get(row.id);
    if (question === undefined) return false;
    return state.drafts === undefined ? question.touched : hasUnkept(question, row.sensitive);
  }).length;
  if (lost === 0 || state.leaving) return [state, [{ do: 'quit', interrupted }]];
  const drafts =
    lost === 1 ? 'A draft is not sent and will be lost' : `${lost} drafts are not sent and will be lost`;
  const what = state.drafts === undefined ? drafts : 'What you entered for a secret is not kept';
  const notice = `${what}. The questions stay open. Press the key again to leave.`;
  return [{ ...state, leaving: true, notice }, []];
}

function helpKey(state: State, { does }: KeyRow): State {
  if (does === 'back') return { ...state, help: false };
  const { top, most, room } = draw(state);
  return { ...state, helpTop: scrolledTo(does, top, most, room) };
}

/** The screen of this gate stands on the terminal: from now on its keys can come to count. */
function drawn(state: State, gate: number, at: number): State {
  const now = shown(state);
  if (now === undefined || now.question.gate.number !== gate || now.question.gate.quietSince !== undefined)
    return state;
  return put(state, { ...now.question, gate: { number: gate, quietSince: at } });
}
