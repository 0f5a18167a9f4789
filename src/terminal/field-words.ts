// How a form is said to a person: kinds, bounds, choices, values, warnings. Shared by the commands and the prompts.
import type { Field, Form, Option } from '../form/types.ts';
import type { JsonText } from '../protocol/types.ts';
import { jsonLine, oneLine } from './one-line.ts';

/** The kind of a field with its bounds: `text, an email address, 3 to 50 characters`. */
export function kindWords(field: Field): string {
  switch (field.kind) {
    case 'text':
      return join(
        'text',
        FORMATS[field.format ?? 'none'],
        range(field.minLength, field.maxLength, 'character'),
      );
    case 'number':
    case 'integer':
      return join(field.kind === 'number' ? 'number' : 'whole number', ...bounds(field));
    case 'boolean':
      return 'yes or no';
    case 'select':
      return 'one of a list';
    case 'multiselect':
      return join('some of a list', range(field.minItems, field.maxItems, 'choice'));
    case 'json':
      return 'raw JSON';
  }
}

const FORMATS = {
  email: 'an email address',
  uri: 'a URL',
  date: 'a date such as 2030-01-26',
  'date-time': 'a time with its zone such as 2030-01-26T00:18:49Z',
  none: '',
} as const;

/** The choices of a field with what is sent behind what is shown, where they differ; empty for other kinds. */
export function choiceWords(field: Field): string[] {
  return field.kind === 'select' || field.kind === 'multiselect' ? field.options.map(optionWords) : [];
}

function optionWords(option: Option): string {
  const sent = typeof option.value === 'string' ? option.value : JSON.stringify(option.value);
  return option.label === sent ? oneLine(sent) : `${oneLine(sent)} (${oneLine(option.label)})`;
}

/** A value as it will be sent, with its JSON type: `"012" (text)`. A secret shows only how long it is. */
export function valueWords(field: Pick<Field, 'secret'> | undefined, value: JsonText): string {
  const parsed: unknown = JSON.parse(value);
  if (field?.secret === true)
    return `(hidden${typeof parsed === 'string' ? `, ${countOf([...parsed].length, 'character')}` : ''})`;
  return `${jsonLine(value)} (${typeWord(parsed)})`;
}

function typeWord(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value;
}

/** The warning of a form that asks for a secret, or nothing (ELI-13, C28). */
export function secretWarning(form: Form, server: string): string | undefined {
  const names = form.fields.filter((field) => field.secret).map((field) => oneLine(field.name));
  if (names.length === 0) return undefined;
  return (
    `Warning: this form seems to ask for a secret (${names.join(', ')}). MCP forbids servers to ask for secrets ` +
    `in a form; what you enter goes to ${oneLine(server)} as plain text. Decline if you do not expect it.`
  );
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && min > 0) {
    if (max === undefined) return `at least ${countOf(min, unit)}`;
    return min === max ? `exactly ${countOf(min, unit)}` : `${min} to ${countOf(max, unit)}`;
  }
  return max === undefined ? '' : `at most ${countOf(max, unit)}`;
}

function bounds(field: Extract<Field, { kind: 'number' | 'integer' }>): string[] {
  const { minimum: min, maximum: max, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = field;
  return [
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : said('at least', min) || said('at most', max),
    said('more than', above),
    said('less than', below),
    said('a multiple of', multipleOf),
  ];
}

function said(words: string, number: number | undefined): string {
  return number === undefined ? '' : `${words} ${number}`;
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
