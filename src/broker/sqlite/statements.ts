// The statements of the store: how rows and their changes are read, settled, marked and erased.
import type { RowFilter } from '../types.ts';
import type { Value } from './connection.ts';
import { NEW_COLUMNS, pack, RECORD } from './rows.ts';

export const SELECT = `SELECT ${RECORD} FROM rows`;
export const INSERT = `INSERT INTO rows (${NEW_COLUMNS.join(', ')}) VALUES (${NEW_COLUMNS.map(() => '?').join(', ')})`;
export const ORDER = 'ORDER BY expires_at, created_at, n';
const AFTER = '(expires_at, created_at, n) > (SELECT expires_at, created_at, n FROM rows WHERE id = ?)';
/** The same where only one principal's rows are known. */
const AFTER_OWN = AFTER.replace('WHERE id = ?', 'WHERE id = ? AND principal = ?');
export const EVENT = `INSERT INTO events (row, event, at, state, delivered, completed, undelivered, reason)
  SELECT id, ?, ?, state, delivered_at IS NOT NULL, completed_at IS NOT NULL, undelivered_at IS NOT NULL, reason FROM rows WHERE id = ?`;
export const SETTLE = `UPDATE rows SET state = ?, action = ?, content = ?, sealed = ?, answered_by = ?, settled_at = ?, reason = coalesce(?, reason)
  WHERE id = ? AND state = 'pending'`;
/** What a delivery changes besides: nothing sealed is left, and whoever was taken for gone was there after all. */
export const DELIVERED = `, sealed = NULL, answer_key = NULL, undelivered_at = NULL,
  reason = CASE WHEN undelivered_at IS NULL THEN reason END`;
/** Answers that no upstream has; the words of the index `rows_not_taken`. */
export const NOT_TAKEN = `state IN ('accepted', 'declined', 'cancelled')
  AND delivered_at IS NULL AND undelivered_at IS NULL AND owner IS NOT NULL`;
export const UNDELIVER = `UPDATE rows SET undelivered_at = ?, reason = ?, sealed = NULL, answer_key = NULL
  WHERE id = ? AND ${NOT_TAKEN}`;
export const UNRECORDED = 'owner IS NOT NULL AND owner NOT IN (SELECT id FROM owners)';
export const ERASE = 'UPDATE rows SET sealed = NULL, answer_key = NULL';
export const CHANGES = `SELECT e.seq, e.event, e.state, e.delivered, e.completed, e.undelivered, e.reason, ${RECORD}
  FROM events e JOIN rows ON rows.id = e.row WHERE e.seq > ? ORDER BY e.seq LIMIT ?`;

/** The condition that a list of rows is asked for, and the values in it. */
export function whereOf(filter: RowFilter): { readonly where: string; readonly values: readonly Value[] } {
  const state = filter.state ?? 'pending';
  const wanted: readonly (readonly [string, string | undefined])[] = [
    ['state', state === 'all' ? undefined : state],
    ['server', filter.server],
    ['audience', filter.audience],
    ['principal', filter.principal],
  ];
  const tests: string[] = [];
  const values: Value[] = [];
  for (const [column, value] of wanted) {
    if (value === undefined) continue;
    tests.push(`${column} = ?`);
    values.push(pack(value));
  }
  if (filter.after !== undefined) {
    // Another principal's row is as unknown as one that never was.
    const own = filter.principal === undefined ? [] : [pack(filter.principal)];
    tests.push(own.length === 0 ? AFTER : AFTER_OWN);
    values.push(filter.after, ...own);
  }
  return { where: tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`, values };
}
