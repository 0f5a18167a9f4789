// When nobody needs to wait for a delivery any more.
import type { Row } from './types.ts';

/** Whether the server has the answer, or never will. */
export function isDelivered(row: Row): boolean {
  return (
    row.deliveredAt !== undefined ||
    row.undelivered === true ||
    row.state === 'withdrawn' ||
    row.state === 'lost'
  );
}
