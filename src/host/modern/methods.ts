// What a stateless host may ask for, and how severe a log message is.

/** The requests of 2026-07-28 that name what they are about, and where: it is mirrored into `Mcp-Name`. */
export const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const KNOWN: ReadonlySet<string> = new Set([
  ...NAMED.keys(),
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'completion/complete',
]);

/** Whether 2026-07-28 has the method. `initialize`, `ping`, `logging/setLevel`, `resources/subscribe` are gone. */
export function isMethod(method: string): boolean {
  return KNOWN.has(method);
}

/** From the least severe to the most (RFC 5424). */
export const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];
