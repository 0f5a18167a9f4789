// How severe a log message is, and how severe one must be to be wanted (server/utilities/logging).
import { member, stringOf } from './json-text.ts';
import type { JsonText } from './types.ts';

/** From the least severe to the most (RFC 5424). */
export const LEVELS: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** The level that params name (those of `logging/setLevel`, or of a log message); undefined where it is none. */
export function levelIn(params: JsonText | undefined): string | undefined {
  const level = params === undefined ? undefined : stringOf(member(params, 'level'));
  return level !== undefined && LEVELS.includes(level) ? level : undefined;
}

/** Whether a message of this level is as severe as `least` asks. */
export function isSevere(level: string, least: string): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** The level under which everything is told that one of these asks for; undefined where none asks for anything. */
export function lowestOf(levels: Iterable<string>): string | undefined {
  const asked = new Set(levels);
  return LEVELS.find((level) => asked.has(level));
}
