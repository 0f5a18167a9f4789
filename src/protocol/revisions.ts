// The revision table: which there are, how they compare, and what is agreed on at initialize.
import { REVISIONS, type Revision } from './types.ts';

/** What mcpx offers every legacy upstream, whatever the revision of the host (docs/relay.md, "Which era towards an upstream"). */
export const UPSTREAM_OFFER = '2025-11-25' satisfies Revision;

/** What mcpx asks a modern upstream in. */
export const MODERN_OFFER = '2026-07-28' satisfies Revision;

export function isRevision(value: unknown): value is Revision {
  return (REVISIONS as readonly unknown[]).includes(value);
}

export function atLeast(revision: Revision, floor: Revision): boolean {
  return REVISIONS.indexOf(revision) >= REVISIONS.indexOf(floor);
}

/** Whether a connection of this revision starts with an `initialize` handshake. */
export function isLegacy(revision: Revision): boolean {
  return !atLeast(revision, '2026-07-28');
}

/**
 * What mcpx answers to a host's `initialize`: the revision it asked for if mcpx speaks it, else the newest that has
 * the handshake (2025-11-25 basic/lifecycle, "Version Negotiation").
 */
export function negotiate(requested: unknown): Revision {
  return isRevision(requested) && isLegacy(requested) ? requested : UPSTREAM_OFFER;
}
