// Bearer tokens by their digests: whose a token is, without keeping it.
import { createHash, timingSafeEqual } from 'node:crypto';

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
