// A host's own word that it no longer wants an answer, on its way to the upstream.
import { McpxError } from '../errors.ts';
import { isObject, mapMembers, member, stringOf } from './json-text.ts';
import { META_PREFIX } from './meta.ts';
import { atLeast } from './revisions.ts';
import type { JsonText, Revision } from './types.ts';

/** Why a request was given up: its host said so by `notifications/cancelled`. */
export class Cancelled extends McpxError {
  /** The host's `reason`, where it gave one. */
  readonly reason: string | undefined;
  /** The host's `_meta`, without the keys that are between the host and mcpx. */
  readonly meta: JsonText | undefined;

  constructor(params: JsonText | undefined) {
    super('interrupted', 'The host cancelled the request.');
    this.reason = params === undefined ? undefined : stringOf(member(params, 'reason'));
    const meta = params === undefined ? undefined : member(params, '_meta');
    this.meta =
      meta !== undefined && isObject(meta)
        ? mapMembers(meta, (value, key) => (key.startsWith(META_PREFIX) ? undefined : value))
        : undefined;
  }
}

/** `_meta` of this notification came with 2025-11-25. */
export function hasMeta(revision: Revision | undefined): boolean {
  return revision !== undefined && atLeast(revision, '2025-11-25');
}
