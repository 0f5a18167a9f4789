// Descriptions of what changed in an object between revisions, and the rewriting that follows from them.
import { mapElements, mapMembers } from './json-text.ts';
import { atLeast } from './revisions.ts';
import type { JsonText, Revision } from './types.ts';

/** Puts a value into the words of a revision; undefined takes it out of what it stands in. */
export type Spell = (value: JsonText, revision: Revision) => JsonText | undefined;

/**
 * An object: which revision brought a member (those not named are as old as MCP, or a vendor's own, and stay), and how
 * the value of a member is spelled in its turn.
 */
export function object(
  since: Readonly<Record<string, Revision>>,
  inside: Readonly<Record<string, Spell>> = {},
): (value: JsonText, revision: Revision) => JsonText {
  // Maps, since the keys looked up are a peer's and may be `__proto__` or `constructor`.
  const brought = new Map(Object.entries(since));
  const spells = new Map(Object.entries(inside));
  return (value, revision) =>
    mapMembers(value, (inner, key) => {
      const floor = brought.get(key);
      if (floor !== undefined && !atLeast(revision, floor)) return undefined;
      const spell = spells.get(key);
      return spell === undefined ? inner : spell(inner, revision);
    });
}

/** An array, each element spelled alike. */
export function list(each: Spell): (value: JsonText, revision: Revision) => JsonText {
  return (value, revision) => mapElements(value, (element) => each(element, revision));
}
