// Checked entries of `mcpServers` as the rest of mcpx takes them.
import { resolve } from 'node:path';
import type { RawServer } from './schema.ts';
import type { ServerConfig } from './types.ts';

/**
 * @param given.base the folder that a written `cwd` starts from.
 * @param given.cwd where a server without `cwd` runs: where mcpx does, as under other hosts.
 * @param given.callTimeout milliseconds, for servers that do not say.
 */
export function toServers(
  raw: Readonly<Record<string, RawServer>>,
  given: { readonly base: string; readonly cwd: string; readonly callTimeout: number },
): ServerConfig[] {
  return Object.entries(raw).map(([name, server]) => {
    const common = {
      name,
      era: server.era ?? 'follow',
      isolation: server.isolation,
      callTimeout: server.callTimeout ?? given.callTimeout,
      disabled: server.disabled ?? false,
    };
    if (server.url !== undefined) {
      return { ...common, transport: 'http', url: server.url, headers: server.headers ?? {} };
    }
    return {
      ...common,
      transport: 'stdio',
      command: server.command ?? '',
      args: server.args ?? [],
      env: server.env ?? {},
      cwd: server.cwd === undefined ? given.cwd : resolve(given.base, server.cwd),
    };
  });
}
