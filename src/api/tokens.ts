// Whose token a request carries: the local operator's, which lies in the state directory.
import { randomBytes } from 'node:crypto';
import { holderOf, LOCAL, type NamedToken, tokenDigest } from '../broker/principals.ts';
import { keepSecret, sharedSecret } from '../broker/secret-file.ts';
import { McpxError } from '../errors.ts';
import { Refused } from './refused.ts';

/** The local operator's token, and the way to write it back where its file was removed. */
export interface LocalToken extends NamedToken {
  writeBack(): void;
}

/** The token of `<state dir>/token` (0600), made where it is not there yet, as a named one of the local operator. */
export function localToken(stateDir: string): LocalToken {
  const token = sharedSecret(stateDir, TOKEN, () => randomBytes(32).toString('base64url'));
  return { name: LOCAL, sha256: tokenDigest(token), writeBack: () => keepSecret(stateDir, TOKEN, token) };
}

const TOKEN = 'token';

/**
 * The principal of an `Authorization` header.
 *
 * @throws Refused 401
 */
export function principalOf(authorization: string | undefined, tokens: readonly NamedToken[]): string {
  const found = holderOf(authorization, tokens);
  if (found !== undefined) return found;
  const what = authorization === undefined ? 'needs a token' : 'carries an unknown token';
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
