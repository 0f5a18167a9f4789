// Ids of requests compared as values: a number has many spellings, and some peers print numbers as text (C56).
import { kindOf } from './json-scan.ts';
import { quote, stringOf } from './json-text.ts';
import type { JsonText } from './types.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A longer number is never written out digit by digit, whatever its exponent says. */
const WRITTEN_OUT = 40;

/**
 * The same text for every spelling of one id: `5`, `5.0` and `5e0` are `5`, a string is its JSON as `JSON.stringify`
 * prints it. Undefined for what is no id (neither a string nor a number).
 */
export function idKey(id: JsonText): string | undefined {
  switch (kindOf(id)) {
    case 'string': {
      const text = stringOf(id);
      return text === undefined ? undefined : quote(text);
    }
    case 'number':
      return numberKey(id);
    default:
      return undefined;
  }
}

/** How an id fits one of those that are open. */
export type IdMatch<Key> =
  | { readonly fit: 'same' | 'other type'; readonly key: Key }
  | { readonly fit: 'none' | 'several' };

/** Looks for an id among the keys of `open` (each an `idKey`): as it is, else with text and number taken for each other. */
export function matchId<Key extends string>(open: ReadonlyMap<Key, unknown>, id: JsonText): IdMatch<Key> {
  const key = idKey(id) as Key | undefined;
  if (key === undefined) return { fit: 'none' };
  if (open.has(key)) return { fit: 'same', key };
  const value = looseKey(key);
  if (value === undefined) return { fit: 'none' };
  const fitting = [...open.keys()].filter((other) => looseKey(other) === value);
  const [first] = fitting;
  if (first === undefined) return { fit: 'none' };
  return fitting.length === 1 ? { fit: 'other type', key: first } : { fit: 'several' };
}

/** The whole number that an id stands for, as number or as text. */
export function wholeNumber(id: JsonText): number | undefined {
  const key = idKey(id);
  const value = key === undefined ? undefined : looseKey(key);
  const number = value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Whether a `progressToken` is one: text or a whole number (basic/utilities/progress). */
export function isToken(token: JsonText): boolean {
  const key = idKey(token);
  return key !== undefined && (key.startsWith('"') || /^-?\d+(?:e\d+)?$/.test(key));
}

/** The key of the number that a key stands for; undefined for text that is no number. */
function looseKey(key: string): string | undefined {
  return key.startsWith('"') ? numberKey(key.slice(1, -1).trim()) : key;
}

function numberKey(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const short = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  if (power >= 0 && short.length + power <= WRITTEN_OUT) return `${sign}${short}${'0'.repeat(power)}`;
  return `${sign}${short}e${power}`;
}
