// The keys of `_meta` that 2026-07-28 reserves for the protocol itself (basic/index, "_meta").
import { at, stringOf } from './json-text.ts';
import type { JsonText } from './types.ts';

/** All such keys, of requests, results and notifications, begin with this. */
export const META_PREFIX = 'io.modelcontextprotocol/';

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** A tool that runs only as a task cannot be called through mcpx. */
export function requiresTask(tool: JsonText): boolean {
  return stringOf(at(tool, ['execution', 'taskSupport'])) === 'required';
}
