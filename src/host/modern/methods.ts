// What a stateless host may ask for.

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
