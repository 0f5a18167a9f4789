// What is said of an id that names no row, or not one alone; the same words wherever it is asked for.
import { McpxError } from '../errors.ts';

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
