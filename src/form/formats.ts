// The four formats of the elicitation schema, strict: what passes here passes on any server (C07).
import { fullFormats } from 'ajv-formats/dist/formats.js';

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

export const TEXT_FORMATS: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time'];
// RFC 3339: the `T` and a zone with minutes; ajv-formats alone lets a space and a bare `+01` through.
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
/** RFC 5321 allows 254; the expression behind takes quadratic time on longer ones. */
const LONGEST_EMAIL = 320;

/** The format, where it is one of the four; unknown ones are annotations and checked by nobody. */
export function textFormat(name: string | undefined): TextFormat | undefined {
  return TEXT_FORMATS.find((format) => format === name);
}

/** Whether a text is of the format. Dates must exist: `2030-02-30` is none. */
export function isOfFormat(format: TextFormat, text: string): boolean {
  if (format === 'email' && text.length > LONGEST_EMAIL) return false;
  if (format === 'date-time' && !DATE_TIME.test(text)) return false;
  const check = fullFormats[format];
  if (check instanceof RegExp) return check.test(text);
  const validate = typeof check === 'object' ? check.validate : check;
  if (validate instanceof RegExp) return validate.test(text);
  return typeof validate === 'function' && (validate as (text: string) => boolean)(text);
}
