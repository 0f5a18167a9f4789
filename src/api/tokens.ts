// Whose token a request carries: the local operator's, which lies in the state directory.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LOCAL } from '../broker/own-row.ts';
import { sharedSecret } from '../broker/secret-file.ts';
import { McpxError } from '../errors.ts';
import { Refused } from './refused.ts';

/** A bearer token by its SHA-256, in hex, and whose it is. */
export interface NamedToken {
  readonly name: string;
  readonly sha256: string;
}

/** The token of `<state dir>/token` (0600), made where it is not there yet, as a named one of the local operator. */
export function localToken(stateDir: string): NamedToken {
  const token = sharedSecret(stateDir, 'token', () => randomBytes(32).toString('base64url'));
  return { name: LOCAL, sha256: digest(token).toString('hex') };
}

/**
 * The principal of an `Authorization` header. Compared by digest and in constant time, so that neither length nor
 * content of a token can be guessed from how long a refusal takes.
 *
 * @throws Refused 401
 */
export function principalOf(authorization: string | undefined, tokens: readonly NamedToken[]): string {
  const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
  const given = digest(token ?? '');
  let found: string | undefined;
  for (const { name, sha256 } of tokens) {
    const known = Buffer.from(sha256, 'hex');
    if (known.length === given.length && timingSafeEqual(known, given)) found ??= name;
  }
  if (token !== undefined && found !== undefined) return found;
  const what = authorization === undefined ? 'needs a token' : 'carries a token that is not known here';
  throw new Refused(
    401,
    new McpxError(
      'forbidden',
      `This request ${what}.`,
      'Send "Authorization: Bearer TOKEN" (MCPX_TOKEN for commands); TOKEN is the content of the file "token" in the state directory of the gateway.',
    ),
    { headers: { 'www-authenticate': 'Bearer realm="mcpx"' } },
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
