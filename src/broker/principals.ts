// Who asks: principals by their tokens, and the rows that each may see (C20).

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Log } from '../log.ts';
import { fitsSeveral, notFound } from './ids.ts';
import type { Broker, Row } from './types.ts';

/** A bearer token by its SHA-256, in hex, and whose it is. */
export interface NamedToken {
  readonly name: string;
  readonly sha256: string;
}

/** The SHA-256 of a token, in hex. */
export function tokenDigest(token: string): string {
  return digest(token).toString('hex');
}

/**
 * Whose token an `Authorization` header carries; undefined where it carries none that is known. Compared by digest and
 * in constant time, so that neither length nor content of a token can be guessed from how long a refusal takes.
 */
export function holderOf(
  authorization: string | undefined,
  tokens: readonly NamedToken[],
): string | undefined {
  const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const given = digest(token);
  let found: string | undefined;
  for (const { name, sha256 } of tokens) {
    const known = Buffer.from(sha256, 'hex');
    if (known.length === given.length && timingSafeEqual(known, given)) found ??= name;
  }
  return found;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

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
