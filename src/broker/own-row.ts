// Rows by id for a principal: somebody else's row is as unknown as one that never was (C20).
import type { Log } from '../log.ts';
import { fitsSeveral, notFound } from './ids.ts';
import type { Broker, Row } from './types.ts';

/** The local operator, who sees and answers every row (docs/broker.md, "Who may answer"). */
export const LOCAL = 'local';

const WHOLE_ID = /^elc-[0-9a-f]{16}$/;

/**
 * The row with this id, or with this prefix of it that fits no other row of the principal.
 *
 * @throws McpxError `not_found`, in the same words for an unknown row and for one of another principal; `usage` for a
 * prefix of several
 */
export async function ownRow(
  broker: Pick<Broker, 'get' | 'list'>,
  idOrPrefix: string,
  principal: string,
  log: Log,
): Promise<Row> {
  if (principal === LOCAL) return broker.get(idOrPrefix);
  if (!WHOLE_ID.test(idOrPrefix)) {
    const own = idOrPrefix === '' ? [] : await broker.list({ state: 'all', principal });
    const [fit, another] = own.filter(({ id }) => id.startsWith(idOrPrefix));
    if (another !== undefined) throw fitsSeveral(idOrPrefix);
    if (fit === undefined) throw notFound(idOrPrefix);
    return fit;
  }
  const row = await broker.get(idOrPrefix);
  if (row.principal === principal) return row;
  log.warn({ row: row.id, principal, owner: row.principal }, 'a request for a row of another principal');
  throw notFound(idOrPrefix);
}
