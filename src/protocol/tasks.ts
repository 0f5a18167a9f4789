// Tasks of 2025-11-25, which mcpx declares to neither side.
import { at, stringOf } from './json-text.ts';
import type { JsonText } from './types.ts';

/** A tool that runs only as a task cannot be called through mcpx. */
export function requiresTask(tool: JsonText): boolean {
  return stringOf(at(tool, ['execution', 'taskSupport'])) === 'required';
}
