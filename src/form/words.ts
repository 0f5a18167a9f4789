// The words for what is wrong with a value: the same on every surface.
import { inert } from '../text/inert.ts';
import type { TextFormat } from './formats.ts';
import type { Option } from './types.ts';

const MOST_NAMED = 12;

/** A server's or a person's text inside a sentence: inert, on one line, and not too long. */
export function named(text: string): string {
  return inert(text, { oneLine: true, max: 60 });
}

/** `a, b, c … (9 more)`. */
export function list(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_NAMED).map(named).join(', ');
  return texts.length > MOST_NAMED ? `${shown} … (${texts.length - MOST_NAMED} more)` : shown;
}

export const REQUIRED = 'required';
/** Running out of time is never taken for a fit (C47). */
export const LATE = 'could not be checked in time against the schema of the question';
export const NOT_JSON = 'not valid JSON (text needs double quotes)';
export const INEXACT = 'too large or too fine to be carried exactly; use fewer digits';

const FORMATS: Readonly<Record<TextFormat, string>> = {
  email: 'not an e-mail address (name@example.com)',
  uri: 'not a URI (https://example.com/page)',
  date: 'not a date (2030-01-31)',
  'date-time': 'not a date and time with a zone (2030-01-31T09:30:00Z)',
};

export function notOfFormat(format: TextFormat): string {
  return FORMATS[format];
}

/** `needs 3–50 characters`; bounds that are absent are not named. */
export function count(
  minimum: number | undefined,
  maximum: number | undefined,
  what: [string, string],
): string {
  const least = minimum === undefined || minimum <= 0 ? undefined : minimum;
  const noun = (number: number): string => what[number === 1 ? 0 : 1];
  if (maximum === undefined) return `needs at least ${least ?? 0} ${noun(least ?? 0)}`;
  if (least === undefined) return `needs at most ${maximum} ${noun(maximum)}`;
  if (least === maximum) return `needs exactly ${least} ${noun(least)}`;
  return `needs ${least}–${maximum} ${noun(maximum)}`;
}

/** `must be between 1 and 10`. */
export function range(minimum: number | undefined, maximum: number | undefined): string {
  if (maximum === undefined) return `must be at least ${minimum}`;
  if (minimum === undefined) return `must be at most ${maximum}`;
  return minimum === maximum ? `must be ${minimum}` : `must be between ${minimum} and ${maximum}`;
}

/** `not one of the options: Cat (p1), Dog (p2)`. */
export function notAnOption(options: readonly Option[]): string {
  return `not one of the options: ${list(options.map(optionName))}`;
}

/** An option as a person may write it: its label, and its value where that is another. */
export function optionName(option: Option): string {
  const value = typeof option.value === 'string' ? option.value : JSON.stringify(option.value);
  return option.label === value ? value : `${option.label} (${value})`;
}
