// A row as every surface prints it: one JSON object, with the upstream's and the answerer's own text left as it is.
import { jsonOf, member, objectText, oneLine, quote } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import type { Answer, Row } from './types.ts';

/**
 * The object of docs/broker.md, "A row", as JSON text on one line. `message`, `requestedSchema` and `url` are
 * slices of what the upstream sent (C02): key order, unknown keys and large numbers survive. The answer to a
 * sensitive question is redacted (ELI-13). What is not known is absent, and `params` never appears.
 */
export function rowJson(row: Row): JsonText {
  const members: (readonly [string, JsonText | undefined])[] = [
    ['id', quote(row.id)],
    ['state', quote(row.state)],
    ['server', quote(row.server)],
    ['mode', quote(row.mode)],
    ['message', own(row, 'message', row.message)],
    ['requestedSchema', text(row.requestedSchema)],
    ['url', own(row, 'url', row.url)],
    ['elicitationId', own(row, 'elicitationId', row.elicitationId)],
    ['method', quoted(row.method)],
    ['tool', quoted(row.tool)],
    ['call', quoted(row.call)],
    ['host', row.host === undefined ? undefined : jsonOf(row.host)],
    ['principal', quote(row.principal)],
    ['audience', quote(row.audience)],
    ['sensitive', jsonOf(row.sensitive)],
    ['createdAt', quote(row.createdAt)],
    ['expiresAt', quote(row.expiresAt)],
    ['answer', row.answer === undefined ? undefined : answerJson(row.answer, row.sensitive)],
    ['deliveredAt', quoted(row.deliveredAt)],
    ['completedAt', quoted(row.completedAt)],
    ['undelivered', row.undelivered === undefined ? undefined : 'true'],
    ['reason', quoted(row.reason)],
  ];
  return objectText(members.filter((entry): entry is readonly [string, JsonText] => entry[1] !== undefined));
}

function answerJson(answer: Answer, sensitive: boolean): JsonText {
  const { action, content, by, at } = answer;
  if (sensitive) return jsonOf({ action, redacted: true, by, at });
  const shown = content === undefined ? [] : ([['content', oneLine(content)]] as const);
  return objectText([['action', quote(action)], ...shown, ['by', quote(by)], ['at', quote(at)]]);
}

/** The upstream's own spelling of a string it sent, escapes included; `read` is what that stands for. */
function own(row: Row, key: string, read: string | undefined): JsonText | undefined {
  if (read === undefined) return undefined;
  const slice = member(row.params, key);
  // The row decides: a slice that says something else belongs to params of another shape.
  return slice !== undefined && JSON.parse(slice) === read ? slice : quote(read);
}

function text(value: JsonText | undefined): JsonText | undefined {
  return value === undefined ? undefined : oneLine(value);
}

function quoted(value: string | undefined): JsonText | undefined {
  return value === undefined ? undefined : quote(value);
}
