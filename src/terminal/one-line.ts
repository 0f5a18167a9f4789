// Untrusted text for a place that has one line only.
import { inert } from '../text/inert.ts';

/** Inert, with line ends and runs of white space made one space. */
export function oneLine(text: string): string {
  return inert(text, { oneLine: true });
}

/** JSON text on one line with its strings exactly as they are: outside of them a line end means nothing. */
export function jsonLine(text: string): string {
  return inert(text).replaceAll('\n', ' ');
}
