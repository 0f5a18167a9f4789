// The names of rows and calls.
import { randomBytes } from 'node:crypto';

/** `elc-` + 16 hex digits (docs/glossary.md). Random, so that an id says nothing about others. */
export function newRowId(): string {
  return `elc-${randomBytes(8).toString('hex')}`;
}

/** `cal-` + 16 hex digits. */
export function newCallId(): string {
  return `cal-${randomBytes(8).toString('hex')}`;
}
