// What is said of an id that names no row, or not one alone; the same words wherever it is asked for.
import { McpxError } from '../errors.ts';

export function notFound(id: string): McpxError {
  return new McpxError(
    'not_found',
    `There is no question ${shown(id)}.`,
    'See the open ones with `mcpx elicit list`.',
  );
}

export function fitsSeveral(prefix: string): McpxError {
  return new McpxError(
    'usage',
    `${shown(prefix)} fits several questions.`,
    'Give more of the id, as `mcpx elicit list --all` shows it.',
  );
}

// What was typed is repeated only where it is harmless on a terminal.
function shown(id: string): string {
  return /^[\w-]{1,40}$/.test(id) ? id : 'of that id';
}
