// The keys of `_meta` that 2026-07-28 reserves for the protocol itself (basic/index, "_meta").

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
