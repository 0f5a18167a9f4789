// The keys of a question: what sends, behind its gate; what scrolls; what is left to the fields.

import type { Row } from '../../broker/types.ts';
import type { JsonText } from '../../protocol/types.ts';
import { draw } from '../view/screen.ts';
import { typingFor } from './answers.ts';
import { formKey, forward } from './form-keys.ts';
import type { KeyRow } from './key-row.ts';
import { canOpen, focused, placeOf, put, scrolledTo } from './place.ts';
import { QUIET_MS, shut, staged } from './question.ts';
import type { Effect, Question, State, Step } from './types.ts';

export interface Pressed {
  readonly row: KeyRow;
  readonly stroke: string;
  readonly at: number;
}

/** A key on the screen of a question. */
export function questionKey(state: State, question: Question, row: Row, pressed: Pressed): Step {
  const { does, sends } = pressed.row;
  if (sends === true && isShut(question, pressed.at)) {
    const { number, quietSince } = question.gate;
    if (quietSince === undefined) return [state, []];
    const notice = 'That came too soon after the screen to be meant for it; press it again.';
    return [{ ...put(state, { ...question, gate: { number, quietSince: pressed.at } }), notice }, []];
  }
  if (does === 'back') return [{ ...state, open: undefined }, []];
  const sent = sending(state, question, row, pressed);
  if (sent !== undefined) return sent;
  const scroll = scrolled(state, question, pressed.row);
  if (scroll !== undefined) return [scroll, []];
  if (does === 'edit') return [put(state, staged(question, 'form')), []];
  if (does === 'decline' || does === 'cancel')
    return [put(state, { ...question, asking: does, choice: 'back', gate: shut(question) }), []];
  if (does === 'refrain') return [put(state, refrained(question)), []];
  if (does === 'other')
    return [put(state, { ...question, choice: question.choice === 'send' ? 'back' : 'send' }), []];
  if (does === 'copy') return [state, [{ do: 'copy', text: row.url ?? '' }]];
  if (does === 'editor') return editor(state, question);
  const next = formKey(question, does, pressed.stroke, Math.max(1, state.size.rows - 9));
  if (next === undefined) return [state, []];
  return [{ ...put(state, next.question), notice: next.notice }, []];
}

/** Shut until drawn, and then until no key that sends came for a while: a held key never opens the gate (C31). */
function isShut({ gate }: Question, at: number): boolean {
  return gate.quietSince === undefined || at < gate.quietSince + QUIET_MS;
}

/** Back from the second question to the first; a review then stands on "go back". */
function refrained(question: Question): Question {
  return { ...question, asking: undefined, choice: 'back', gate: shut(question) };
}

/** The keys that send something. */
function sending(state: State, question: Question, row: Row, { row: { does } }: Pressed): Step | undefined {
  const { id, asking } = question;
  const send = (action: 'accept' | 'decline' | 'cancel', content?: JsonText): Step => [
    put(state, staged(question, 'sending', { refusal: undefined })),
    [{ do: 'answer', id, action, ...(content === undefined ? {} : { content }) }],
  ];
  switch (does) {
    case 'decide':
      if (question.choice === 'back')
        return [put(state, asking === undefined ? staged(question, 'form') : refrained(question)), []];
      if (asking !== undefined) return send(asking);
      return question.content === undefined ? [state, []] : send('accept', question.content);
    case 'confirm':
      return asking === undefined ? [state, []] : send(asking);
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
  const isList = place.endsWith('select');
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
