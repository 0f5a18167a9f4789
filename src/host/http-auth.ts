// Whose requests the MCP endpoint takes: those of anybody on this machine, or of those who have a token.
import type { IncomingMessage } from 'node:http';
import { holderOf, type NamedToken } from '../broker/principals.ts';
import { RPC } from '../protocol/message.ts';
import { Refusal } from './http-answers.ts';
import { isLoopback } from './http-guard.ts';

/** The principal of requests where no token is asked for (docs/broker.md, "Ownership"). */
const LOCAL = 'local';

/** The principal of a request; with `tokens` only those are taken. Throws a Refusal (401, RFC 6750) for others. */
export function principalOf(request: IncomingMessage, tokens: readonly NamedToken[] | undefined): string {
  if (tokens === undefined) return LOCAL;
  const { authorization } = request.headers;
  const holder = holderOf(authorization, tokens);
  if (holder !== undefined) return holder;
  const [what, error] =
    authorization === undefined
      ? ['needs a token', '']
      : ['carries an unknown token', ', error="invalid_token"'];
  throw new Refusal(
    401,
    RPC.invalidRequest,
    `This request ${what}; send "Authorization: Bearer TOKEN" with one that serve.auth.tokens in mcpx.json lists.`,
    { headers: { 'www-authenticate': `Bearer realm="mcpx"${error}` } },
  );
}

/** Whether only this machine can reach what is bound to this address. */
export function bindsLoopback(host: string): boolean {
  return isLoopback(host.toLowerCase()) || /^(0*:)+0*1$/.test(host);
}
