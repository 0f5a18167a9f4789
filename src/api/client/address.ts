// Where a gateway is, as a person writes it: what `mcpx serve --json` prints, or the part before `/mcp`.
import { McpxError } from '../../errors.ts';
import { inert } from '../../text/inert.ts';
import type { GatewayAddress } from './gateway-http.ts';

/** @throws McpxError `usage` */
export function gatewayAddress(url: string, token: string | undefined): GatewayAddress {
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (read === undefined || !/^https?:$/.test(read.protocol) || read.username !== '' || read.password !== '')
    throw new McpxError(
      'usage',
      `"${inert(url, { oneLine: true, max: 200 })}" is not the address of a gateway.`,
      'Give --url (or MCPX_URL) as "mcpx serve" prints it, such as http://127.0.0.1:7331/mcp; a token goes into MCPX_TOKEN.',
    );
  const trimmed = token?.trim() ?? '';
  // Anything else could not stand in a header.
  if (!/^[\x21-\x7e]*$/.test(trimmed))
    throw new McpxError(
      'usage',
      'MCPX_TOKEN contains characters that a token cannot have.',
      'Set it to the token and nothing else.',
    );
  return {
    base: `${read.origin}${read.pathname.replace(/\/+$/, '').replace(/\/mcp$/, '')}`,
    token: trimmed === '' ? undefined : trimmed,
  };
}
