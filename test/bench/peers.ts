// The processes that a line measures: the quick upstream, the bare proxy before it, and mcpx before it.
import { join } from 'node:path';
import type { Scope } from '../support/create-scope.ts';
import { startGateway } from '../support/gateway.ts';
import { ROOT, startNode } from '../support/processes.ts';

const isUrl = (line: string): boolean => line.startsWith('http://');

export function startFastUpstream(scope: Scope): Promise<string> {
  return startNode(scope, [join(ROOT, 'fixtures', 'fast-upstream.mjs')]).line(isUrl);
}

export function startProxy(scope: Scope, url: string): Promise<string> {
  return startNode(scope, [join(ROOT, 'test', 'bench', 'proxy.mjs'), url]).line(isUrl);
}

/** mcpx in front of one HTTP upstream, with limits that a load run does not reach. */
export async function startMcpx(scope: Scope, url: string): Promise<string> {
  const limits = { newPerMinute: 1_000_000, openPerServer: 100_000, sessions: 100_000 };
  return (await startGateway(scope, { spawn: true, servers: { fast: { url } }, config: { limits } })).url;
}
