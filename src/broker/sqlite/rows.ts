// Between a row of the broker and its record in SQLite.
import type { Action, Mode, Revision } from '../../protocol/types.ts';
import type { AnsweredBy, Audience, Change, Row, RowState } from '../types.ts';
import type { Value } from './connection.ts';

export interface RowRecord {
  readonly id: string;
  readonly state: RowState;
  readonly server: string;
  readonly mode: Mode;
  readonly message: string;
  readonly params: string;
  readonly requested_schema: string | null;
  readonly url: string | null;
  readonly elicitation_id: string | null;
  readonly method: string | null;
  readonly tool: string | null;
  readonly call: string | null;
  readonly host_name: string | null;
  readonly host_revision: Revision | null;
  readonly host_inline: number | null;
  readonly principal: string;
  readonly audience: Audience;
  readonly sensitive: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly action: Action | null;
  readonly content: string | null;
  readonly answered_by: AnsweredBy | null;
  readonly settled_at: number | null;
  readonly delivered_at: number | null;
  readonly completed_at: number | null;
  readonly reason: string | null;
}

/** The columns of `RowRecord`, for a SELECT. */
export const COLUMNS = [
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
] as const satisfies readonly (keyof RowRecord)[];

/** Values for the columns that a new row has, in this order. */
export const NEW_COLUMNS = [...COLUMNS.slice(0, 20), 'owner'];

export function newValues(row: Row, owner: string | undefined): Value[] {
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
  ];
}

export function toRow(record: RowRecord): Row {
  return {
    id: record.id,
    state: record.state,
    server: unpack(record.server),
    mode: record.mode,
    message: unpack(record.message),
    params: unpack(record.params),
    ...(record.requested_schema === null ? undefined : { requestedSchema: unpack(record.requested_schema) }),
    ...(record.url === null ? undefined : { url: unpack(record.url) }),
    ...(record.elicitation_id === null ? undefined : { elicitationId: unpack(record.elicitation_id) }),
    ...(record.method === null ? undefined : { method: unpack(record.method) }),
    ...(record.tool === null ? undefined : { tool: unpack(record.tool) }),
    ...(record.call === null ? undefined : { call: record.call }),
    ...(record.host_name === null || record.host_revision === null
      ? undefined
      : {
          host: {
            name: unpack(record.host_name),
            revision: record.host_revision,
            inline: record.host_inline === 1,
          },
        }),
    principal: unpack(record.principal),
    audience: record.audience,
    sensitive: record.sensitive === 1,
    createdAt: iso(record.created_at),
    expiresAt: iso(record.expires_at),
    ...(record.action === null || record.answered_by === null || record.settled_at === null
      ? undefined
      : {
          answer: {
            action: record.action,
            ...(record.content === null ? undefined : { content: unpack(record.content) }),
            by: record.answered_by,
            at: iso(record.settled_at),
          },
        }),
    ...(record.delivered_at === null ? undefined : { deliveredAt: iso(record.delivered_at) }),
    ...(record.completed_at === null ? undefined : { completedAt: iso(record.completed_at) }),
    ...(record.reason === null ? undefined : { reason: unpack(record.reason) }),
  };
}

export interface ChangeRecord extends RowRecord {
  readonly seq: number;
  readonly event: Change['event'];
  readonly then_state: RowState;
  readonly then_delivered: number;
  readonly then_completed: number;
  readonly then_reason: string | null;
}

/** The change with its row as it was then: what came later is taken off again. */
export function toChange(record: ChangeRecord): Change {
  const pending = record.then_state === 'pending';
  const row = toRow({
    ...record,
    state: record.then_state,
    action: pending ? null : record.action,
    delivered_at: record.then_delivered === 1 ? record.delivered_at : null,
    completed_at: record.then_completed === 1 ? record.completed_at : null,
    reason: record.then_reason,
  });
  return { seq: record.seq, event: record.event, row };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
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
