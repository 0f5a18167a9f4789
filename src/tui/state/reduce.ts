// Everything that can happen to the inbox, as a function from one state to the next and what the outside has to do.
import type { Row } from '../../broker/types.ts';
import { draw } from '../view/screen.ts';
import { typingFor, withTyping } from './answers.ts';
import { formKey, forward, typed } from './form-keys.ts';
import { type KeyRow, keyAt } from './keys.ts';
import { canOpen, focused, placeOf, shown } from './place.ts';
import { DEAF_MS, firstStage, questionOf, shut, staged } from './question.ts';
import { rowsOf, withRows } from './rows.ts';
import type { Effect, Event, Question, State, Step } from './types.ts';
import { eraseLine, typingOf } from './typing.ts';

/** How long a row that was selected by itself cannot be opened: the key was meant for what stood there before. */
const SETTLE_MS = 500;

export function reduce(state: State, event: Event): Step {
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
      return [loaded(state, event.rows, event.at), []];
    case 'row':
      return row(state, event.row, event.isNew, event.at);
    case 'trouble':
      return [{ ...state, trouble: event.message }, []];
    case 'settled':
      return [settled(state, event.row, event.won, event.at), []];
    case 'refused':
      return [refused(state, event.id, event.message), []];
    case 'opened':
      return opened(state, event.id, event.failure);
    case 'edited':
      return [edited(state, event.id, event.name, event.text), []];
    case 'notice':
      return [{ ...state, notice: event.message }, []];
  }
}

function key(before: State, stroke: string, at: number): Step {
  const place = placeOf(before);
  const row = keyAt(place, stroke);
  const state = { ...before, notice: undefined, leaving: before.leaving && isLeaving(row) };
  if (row === undefined) return place === 'text' ? [text(state, stroke), []] : [state, []];
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
  if (now === undefined || placeOf(state) !== 'text') return [state, []];
  const next = put(state, typed(now.question, pastedText));
  const isFolded = /[\r\n]/.test(pastedText.replace(/[\r\n]+$/, ''));
  return [
    isFolded
      ? { ...next, notice: 'Line ends in what was pasted became spaces; Ctrl+E opens an editor.' }
      : next,
    [],
  ];
}

/** Ctrl+C empties the text that is being typed; where there is none it leaves, and no question is told anything. */
function interrupt(state: State): Step {
  const now = shown(state);
  const field = now === undefined || state.help ? undefined : focused(now.question);
  if (now !== undefined && field !== undefined && placeOf(state) === 'text') {
    const typing = typingFor(now.question, field);
    if (typing.text !== '') {
      return [put(state, withTyping(now.question, field, eraseLine(typingOf(typing.text)))), []];
    }
  }
  return leave(state, true);
}

function leave(state: State, interrupted: boolean): Step {
  const drafts = rowsOf(state, 'open').filter((row) => state.questions.get(row.id)?.touched === true).length;
  if (drafts === 0 || state.leaving) return [state, [{ do: 'quit', interrupted }]];
  const what =
    drafts === 1 ? 'A draft is not sent and will be lost' : `${drafts} drafts are not sent and will be lost`;
  const notice = `${what}. The questions stay open. Press the key again to leave.`;
  return [{ ...state, leaving: true, notice }, []];
}

function helpKey(state: State, { does }: KeyRow): State {
  if (does === 'back') return { ...state, help: false };
  const { top, most, room } = draw(state);
  return { ...state, helpTop: scrolledTo(does, top, most, room) };
}

function scrolledTo(does: string, top: number, most: number, room: number): number {
  const by = { up: -1, down: 1, 'page-up': 1 - room, 'page-down': room - 1 }[does] ?? 0;
  return Math.min(most, Math.max(0, top + by));
}

function listKey(state: State, { does }: KeyRow, at: number): State {
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

function openQuestion(state: State, row: Row): State {
  const known = state.questions.get(row.id) ?? questionOf(row);
  const stage = row.state === 'pending' || known.stage === 'waiting' ? known.stage : 'over';
  // Coming back to a review would put a key away from sending what was last seen some time ago.
  const first = stage === 'review' ? firstStage(known.form) : stage;
  const question = staged(known, first);
  const opened = { ...put(state, question), open: row.id };
  if (question.stage !== 'form' || question.focus !== 0 || question.touched) return opened;
  // What is asked is read before it is answered: a message that leaves no room for the first field comes first.
  const fromTop = draw(put(opened, { ...question, top: 0 }));
  return fromTop.isSpotShown ? opened : put(opened, { ...question, focus: -1 });
}

interface Pressed {
  readonly row: KeyRow;
  readonly stroke: string;
  readonly at: number;
}

function questionKey(state: State, question: Question, row: Row, pressed: Pressed): Step {
  const { does, sends } = pressed.row;
  if (sends === true && isDeaf(question, pressed.at)) {
    const { number, deafSince } = question.gate;
    if (deafSince === undefined) return [state, []];
    const notice = 'That came too soon after the screen to be meant for it; press it again.';
    return [{ ...put(state, { ...question, gate: { number, deafSince: pressed.at } }), notice }, []];
  }
  if (does === 'back') return [{ ...state, open: undefined }, []];
  const sent = sending(state, question, row, pressed);
  if (sent !== undefined) return sent;
  const scroll = scrolled(state, question, pressed.row);
  if (scroll !== undefined) return [scroll, []];
  if (does === 'edit') return [put(state, staged(question, 'form')), []];
  if (does === 'decline') return [put(state, { ...question, asking: 'decline', gate: shut(question) }), []];
  if (does === 'refrain') return [put(state, { ...question, asking: undefined, gate: shut(question) }), []];
  if (does === 'copy') return [state, [{ do: 'copy', text: row.url ?? '' }]];
  if (does === 'editor') return editor(state, question);
  const next = formKey(question, does, pressed.stroke, Math.max(1, state.size.rows - 9));
  if (next === undefined) return [state, []];
  return [{ ...put(state, next.question), notice: next.notice }, []];
}

/** Deaf until drawn, and then until no key that sends came for a while: a held key never opens the gate (C31). */
function isDeaf({ gate }: Question, at: number): boolean {
  return gate.deafSince === undefined || at < gate.deafSince + DEAF_MS;
}

function drawn(state: State, gate: number, at: number): State {
  const now = shown(state);
  if (now === undefined || now.question.gate.number !== gate || now.question.gate.deafSince !== undefined)
    return state;
  return put(state, { ...now.question, gate: { number: gate, deafSince: at } });
}

/** The keys that send something. */
function sending(state: State, question: Question, row: Row, { row: { does } }: Pressed): Step | undefined {
  const { id } = question;
  const send = (action: 'accept' | 'decline' | 'cancel', content?: string): Step => [
    put(state, staged(question, 'sending', { refusal: undefined })),
    [{ do: 'answer', id, action, ...(content === undefined ? {} : { content }) }],
  ];
  switch (does) {
    case 'send':
      return question.content === undefined ? [state, []] : send('accept', question.content);
    case 'confirm':
      return send('decline');
    case 'cancel':
      return send('cancel');
    case 'consent':
      return send('accept');
    case 'browse': {
      if (!canOpen(row)) return [state, []];
      const stage = question.stage === 'waiting' ? 'waiting' : 'opening';
      return [
        put(state, staged(question, stage, { refusal: undefined })),
        [{ do: 'open', id, url: row.url ?? '' }],
      ];
    }
    case 'finished':
      return [state, [{ do: 'complete', id }]];
    case 'stop-waiting':
      return [{ ...put(state, staged(question, 'over')), open: undefined }, []];
    default:
      return undefined;
  }
}

function scrolled(state: State, question: Question, { does, in: places }: KeyRow): State | undefined {
  const place = placeOf(state);
  const isList = place === 'select' || place === 'multiselect';
  if (isList || !['up', 'down', 'page-up', 'page-down'].includes(does) || !places.includes(place))
    return undefined;
  const { top, most, room } = draw(state);
  // Read to the end: the next step down is the first field.
  if (does === 'down' && place === 'read' && top >= most && question.form?.fields.length !== 0)
    return put(state, forward(question));
  return put(state, { ...question, top: scrolledTo(does, top, most, room) });
}

function editor(state: State, question: Question): Step {
  const field = focused(question);
  if (field === undefined) return [state, []];
  if (field.secret) {
    return [
      { ...state, notice: 'A secret is not given to an editor, which would write it to the disk.' },
      [],
    ];
  }
  const { text } = typingFor(question, field);
  const effect: Effect = {
    do: 'edit',
    id: question.id,
    name: field.name,
    text,
    kind: field.kind === 'json' ? 'json' : 'txt',
  };
  return [state, [effect]];
}

function edited(state: State, id: string, name: string, text: string): State {
  const question = state.questions.get(id);
  const field = question?.form?.fields.find((one) => one.name === name);
  if (question === undefined || field === undefined || question.stage !== 'form') return state;
  return put(state, withTyping(question, field, typingOf(text)));
}

function loaded(state: State, rows: readonly Row[], at: number): State {
  const next = withRows({ ...state, loaded: true }, new Map(rows.map((row) => [row.id, row])), at);
  if (state.loaded) return next;
  // At the start there is nothing a key could have been meant for.
  const { open, answered } = next.selection;
  return { ...next, selection: { open: { ...open, since: 0 }, answered: { ...answered, since: 0 } } };
}

function row(state: State, changed: Row, isNew: boolean, at: number): Step {
  const known = state.rows.get(changed.id);
  // A late report of an earlier change must not bring a question back.
  if (known !== undefined && known.state !== 'pending' && changed.state === 'pending') return [state, []];
  const next = withRows(state, new Map(state.rows).set(changed.id, changed), at);
  const isNews = isNew && known === undefined && changed.state === 'pending';
  return [next, isNews ? [{ do: 'announce', row: changed }] : []];
}

function settled(state: State, settledRow: Row, won: boolean, at: number): State {
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
function refused(state: State, id: string, message: string): State {
  const question = state.questions.get(id);
  if (question === undefined) return state;
  if (question.stage !== 'sending' && question.stage !== 'opening') return { ...state, notice: message };
  const stage = question.content === undefined ? firstStage(question.form) : 'review';
  const back = put(state, staged(question, stage, { refusal: message }));
  return withRows(back, back.rows, back.now);
}

/** Consent is sent once the browser has the URL; where it did not open, the consent screen stays (C33). */
function opened(state: State, id: string, failure: string | undefined): Step {
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

function put(state: State, question: Question): State {
  if (state.questions.get(question.id) === question) return state;
  return { ...state, questions: new Map(state.questions).set(question.id, question) };
}
