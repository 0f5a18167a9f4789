// The names of rows and calls.
import { randomBytes } from 'node:crypto';
import { McpxError } from '../errors.ts';

/** `elc-` + 16 hex digits (docs/glossary.md). Random, so that an id says nothing about others. */
export function newRowId(): string {
  return `elc-${randomBytes(8).toString('hex')}`;
}

/** `cal-` + 16 hex digits. */
export function newCallId(): string {
  return `cal-${randomBytes(8).toString('hex')}`;
}

export function notFound(id: string): McpxError {
  return new McpxError(
    'not_found',
    shown(id) === undefined ? 'No such question.' : `No such question: ${id}.`,
    'See the open ones with `mcpx elicit list`.',
  );
}

export function fitsSeveral(prefix: string): McpxError {
  return new McpxError(
    'usage',
    `${shown(prefix) ?? 'That id'} matches several questions.`,
    'Type more of the id; `mcpx elicit list --all` shows it.',
  );
}

// What was typed is repeated only where it is harmless on a terminal.
function shown(id: string): string | undefined {
  return /^[\w-]{1,40}$/.test(id) ? id : undefined;
}
