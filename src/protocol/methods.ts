// The requests that hosts make, one table per era: what an era lacks is absent from its table, and fails by that.

/** What is to be known of a request before it is served. */
export interface Method {
  /** The member of the params that names what it is about; 2026-07-28 mirrors it into `Mcp-Name`. */
  readonly named?: 'name' | 'uri';
  /** Whether a server may stop in the middle of it and ask. */
  readonly mayAsk?: true;
}

const SHARED: readonly (readonly [string, Method])[] = [
  ['tools/list', {}],
  ['tools/call', { named: 'name', mayAsk: true }],
  ['prompts/list', {}],
  ['prompts/get', { named: 'name', mayAsk: true }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { named: 'uri', mayAsk: true }],
  ['completion/complete', {}],
];

/** Up to 2025-11-25. `initialize` and `ping` are answered at the edge. */
export const LEGACY_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...SHARED,
  ['resources/subscribe', {}],
  ['resources/unsubscribe', {}],
  ['logging/setLevel', {}],
]);

/** Of 2026-07-28. */
export const MODERN_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ...SHARED,
  ['server/discover', {}],
  ['subscriptions/listen', {}],
]);

/** Whether a server may stop in the middle of this request and ask, in whatever era. */
export function mayAsk(method: string): boolean {
  return MODERN_METHODS.get(method)?.mayAsk === true;
}
