// The review: every field with the value as it will be sent, and its JSON type.
import type { Row } from '../../broker/types.ts';
import type { Draft, Form } from '../../form/types.ts';
import { valueWords } from '../../terminal/field-words.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { width } from '../../text/columns.ts';
import type { Question, State } from '../state/types.ts';
import { BLANK, type Line, labelled, line, paragraph, span } from './span.ts';

/** The widest that the names may be. */
const NAMES = 28;

export function reviewBody(state: State, row: Row, question: Question): Line[] {
  const { columns } = state.size;
  const { form } = question;
  if (form === undefined) return [];
  const when = question.choice === 'send' ? 'when you press Enter' : 'if you send it; Enter goes back';
  return [
    ...paragraph(`This is what ${oneLine(row.server)} gets ${when}:`, columns - 1, 'strong', 1),
    BLANK,
    ...valueLines(form, question.draft, columns),
  ];
}

/** One field a line or more, in the order of the schema; a field that is left out is said not to be sent. */
export function valueLines(form: Form, draft: Draft, columns: number): Line[] {
  if (form.fields.length === 0) return [line('   {}  (the question has no fields)')];
  const names = form.fields.map(({ name }) => oneLine(name));
  const room = Math.min(NAMES, Math.max(...names.map(width))) + 2;
  return form.fields.flatMap((field, index) => {
    const value = draft.get(field.name);
    const text = value === undefined ? span('(not sent)', 'dim') : span(valueWords(field, value), 'field');
    return labelled(span(names[index] ?? ''), text, columns - 1, room, 3);
  });
}
