// A row out of what a gateway printed: its own texts stay slices, so that it prints the same again.
import type { AnsweredBy, Row } from '../../broker/types.ts';
import { member } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { defined } from '../defined.ts';
import { row } from '../schemas.ts';

/**
 * The row of one object of `/v1`. `params` is that very object: it holds the upstream's spelling of message and URL,
 * which is what `rowJson` takes from there.
 *
 * @throws where the text is no row
 */
export function rowOf(text: JsonText): Row {
  const { answer, requestedSchema: _, ...facts } = row.parse(JSON.parse(text));
  const answerText = member(text, 'answer');
  return {
    ...defined(facts),
    params: text,
    ...defined({ requestedSchema: member(text, 'requestedSchema') }),
    ...(answer !== undefined &&
      answerText !== undefined && {
        answer: {
          action: answer.action,
          by: answer.by as AnsweredBy,
          at: answer.at,
          ...defined({ content: member(answerText, 'content') }),
        },
      }),
  };
}
