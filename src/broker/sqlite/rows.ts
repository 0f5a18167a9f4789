// Between a row of the broker and its record in SQLite.
import { trustedJson } from '../../protocol/json-text.ts';
import type { Action, Mode, Revision } from '../../protocol/types.ts';
import type { AnswerTerms } from '../store.ts';
import type { Answer, AnsweredBy, Audience, Change, Row, RowState } from '../types.ts';
import type { Value } from './connection.ts';

/** A record as SELECT gives it: one value a column, in the order of `COLUMNS`. */
export type RowRecord = readonly [
  id: string,
  state: RowState,
  server: string,
  mode: Mode,
  message: string,
  params: string,
  requestedSchema: string | null,
  url: string | null,
  elicitationId: string | null,
  method: string | null,
  tool: string | null,
  call: string | null,
  hostName: string | null,
  hostRevision: Revision | null,
  hostInline: number | null,
  principal: string,
  audience: Audience,
  sensitive: number,
  createdAt: number,
  expiresAt: number,
  action: Action | null,
  content: string | null,
  answeredBy: AnsweredBy | null,
  settledAt: number | null,
  deliveredAt: number | null,
  completedAt: number | null,
  reason: string | null,
  undeliveredAt: number | null,
];

const COLUMNS = [
  'id',
  'state',
  'server',
  'mode',
  'message',
  'params',
  'requested_schema',
  'url',
  'elicitation_id',
  'method',
  'tool',
  'call',
  'host_name',
  'host_revision',
  'host_inline',
  'principal',
  'audience',
  'sensitive',
  'created_at',
  'expires_at',
  'action',
  'content',
  'answered_by',
  'settled_at',
  'delivered_at',
  'completed_at',
  'reason',
  'undelivered_at',
] as const;

/**
 * The record as one text: SQLite prints it and JSON.parse reads it in a third of the time that the driver takes to
 * hand over 28 values.
 */
export const RECORD = `json_array(${COLUMNS.map((column) => `rows.${column}`).join(', ')}) AS record`;

/** Values for the columns that a new row has, in this order. */
export const NEW_COLUMNS = [...COLUMNS.slice(0, 20), 'owner', 'answer_bytes', 'answer_key'];

export function newValues(row: Row, owner: string | undefined, terms: AnswerTerms): Value[] {
  return [
    row.id,
    row.state,
    pack(row.server),
    row.mode,
    pack(row.message),
    pack(row.params),
    packed(row.requestedSchema),
    packed(row.url),
    packed(row.elicitationId),
    packed(row.method),
    packed(row.tool),
    row.call ?? null,
    packed(row.host?.name),
    row.host?.revision ?? null,
    row.host === undefined ? null : Number(row.host.inline),
    pack(row.principal),
    row.audience,
    Number(row.sensitive),
    Date.parse(row.createdAt),
    Date.parse(row.expiresAt),
    owner ?? null,
    terms.answerBytes ?? null,
    terms.answerKey ?? null,
  ];
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The row that a `RECORD` stands for. */
export function toRow(text: string, times = new IsoTimes()): Row {
  // biome-ignore format: one line for the question, one for its host, one for who and when, one for what came of it
  const [
    id, state, server, mode, message, params, schema, url, elicitationId, method, tool, call,
    hostName, hostRevision, hostInline,
    principal, audience, sensitive, createdAt, expiresAt,
    action, content, by, settledAt, deliveredAt, completedAt, reason, undeliveredAt,
  ] = JSON.parse(text) as RowRecord;
  const row: Mutable<Row> = {
    id,
    state,
    server: unpack(server),
    mode,
    message: unpack(message),
    params: trustedJson(unpack(params)),
    principal: unpack(principal),
    audience,
    sensitive: sensitive === 1,
    createdAt: times.of(createdAt),
    expiresAt: times.of(expiresAt),
  };
  if (schema !== null) row.requestedSchema = trustedJson(unpack(schema));
  if (url !== null) row.url = unpack(url);
  if (elicitationId !== null) row.elicitationId = unpack(elicitationId);
  if (method !== null) row.method = unpack(method);
  if (tool !== null) row.tool = unpack(tool);
  if (call !== null) row.call = call;
  if (hostName !== null && hostRevision !== null) {
    row.host = { name: unpack(hostName), revision: hostRevision, inline: hostInline === 1 };
  }
  if (action !== null && by !== null && settledAt !== null) {
    const answer: Mutable<Answer> = { action, by, at: times.of(settledAt) };
    if (content !== null) answer.content = trustedJson(unpack(content));
    row.answer = answer;
  }
  if (deliveredAt !== null) row.deliveredAt = times.of(deliveredAt);
  if (completedAt !== null) row.completedAt = times.of(completedAt);
  if (undeliveredAt !== null) row.undelivered = true;
  if (reason !== null) row.reason = unpack(reason);
  return row;
}

export interface ChangeRecord {
  readonly seq: number;
  readonly event: Change['event'];
  readonly state: RowState;
  readonly delivered: number;
  readonly completed: number;
  readonly undelivered: number;
  readonly reason: string | null;
  readonly record: string;
}

/** The change with its row as it was then: what came later is taken off again. */
export function toChange(change: ChangeRecord): Change {
  const { answer, deliveredAt, completedAt, undelivered: _u, reason: _r, ...rest } = toRow(change.record);
  const row: Mutable<Row> = { ...rest, state: change.state };
  if (answer !== undefined && change.state !== 'pending') row.answer = answer;
  if (deliveredAt !== undefined && change.delivered === 1) row.deliveredAt = deliveredAt;
  if (completedAt !== undefined && change.completed === 1) row.completedAt = completedAt;
  if (change.undelivered === 1) row.undelivered = true;
  if (change.reason !== null) row.reason = unpack(change.reason);
  return { seq: change.seq, event: change.event, row };
}

/**
 * Milliseconds as ISO 8601, for many rows: most share their minutes, and Date takes as long over a time as JSON.parse
 * over a row.
 */
export class IsoTimes {
  readonly #minutes = new Map<number, string>();

  of(ms: number): string {
    const minute = Math.floor(ms / 60_000);
    let prefix = this.#minutes.get(minute);
    if (prefix === undefined) {
      prefix = new Date(ms).toISOString().slice(0, 17);
      this.#minutes.set(minute, prefix);
    }
    const rest = ms - minute * 60_000 + 100_000; // a leading 1 keeps the zeros
    const digits = String(rest);
    return `${prefix}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
  }
}

// The driver ends a text at U+0000 and replaces half surrogate pairs, and JSON can carry both ("\u0000", "\ud800"):
// such a text is kept as JSON behind a mark.
const MARK = '\u0001';
const ODD = /^\u0001|[\u0000\p{Surrogate}]/u;

/** Text as a column can hold it. */
export function pack(text: string): string {
  return ODD.test(text) ? MARK + JSON.stringify(text) : text;
}

function packed(text: string | undefined): string | null {
  return text === undefined ? null : pack(text);
}

function unpack(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(1)) as string) : text;
}
