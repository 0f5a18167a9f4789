import { expect, test } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import type { Field, Form } from '../../src/form/types.ts';
import { choiceWords, kindWords, secretWarning, valueWords } from '../../src/terminal/field-words.ts';

function form(properties: Record<string, unknown>): Form {
  return formOf(JSON.stringify({ type: 'object', properties }));
}

function field(schema: unknown, name = 'x'): Field {
  const [only] = form({ [name]: schema }).fields;
  if (only === undefined) throw new Error('no field');
  return only;
}

test.each([
  [{ type: 'string' }, 'text'],
  [
    { type: 'string', format: 'email', minLength: 3, maxLength: 50 },
    'text, an email address, 3 to 50 characters',
  ],
  [{ type: 'string', minLength: 1, maxLength: 1 }, 'text, exactly 1 character'],
  [{ type: 'string', minLength: 0 }, 'text'],
  [{ type: 'string', maxLength: 9 }, 'text, at most 9 characters'],
  [{ type: 'string', format: 'date' }, 'text, a date such as 2030-01-26'],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 'whole number, 1 to 9'],
  [{ type: 'number', minimum: 0 }, 'number, at least 0'],
  [{ type: 'number', maximum: 0 }, 'number, at most 0'],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'number, more than 0, less than 1'],
  [{ type: 'integer', multipleOf: 5 }, 'whole number, a multiple of 5'],
  [{ type: 'boolean' }, 'yes or no'],
  [{ type: 'string', enum: ['a'] }, 'one of a list'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }, 'some of a list, at least 1 choice'],
  [{ type: 'object' }, 'raw JSON'],
])('%j is said as %s', (schema, words) => {
  expect(kindWords(field(schema))).toBe(words);
});

test('choices show what is sent, and the title where that is another', () => {
  const titled = {
    oneOf: [
      { const: '#f00', title: 'Red\u001b[1m' },
      { const: 'blue', title: 'blue' },
    ],
  };
  expect(choiceWords(field({ type: 'string', ...titled }))).toEqual(['#f00 (Red\\u{1b}[1m)', 'blue']);
  expect(choiceWords(field({ type: 'integer', enum: [1, 2] }))).toEqual(['1', '2']);
  expect(choiceWords(field({ type: 'string' }))).toEqual([]);
});

test.each([
  ['"012"', '"012" (text)'],
  ['12345678901234567890', '12345678901234567890 (number)'],
  ['false', 'false (boolean)'],
  ['null', 'null (null)'],
  ['["a",\n"b  c"]', '["a", "b  c"] (list)'],
  ['{"a":1}', '{"a":1} (object)'],
  ['"\u202e"', '"\\u{202e}" (text)'],
])('%s is reviewed as %s', (value, words) => {
  expect(valueWords(field({ type: 'string' }), value)).toBe(words);
});

test('C28: a secret shows its length only, and is warned of by name', () => {
  expect(valueWords(field({ type: 'string' }, 'password'), '"h\u{1f511}x"')).toBe('(hidden, 3 characters)');
  expect(valueWords(field({ type: 'integer' }, 'pin'), '1234')).toBe('(hidden)');
  const asks = form({ apiKey: { type: 'string' }, email: { type: 'string', format: 'email' } });
  expect(secretWarning(asks, 'github')).toMatch(/\(apiKey\).*github/);
  expect(secretWarning(form({ email: { type: 'string' } }), 'github')).toBeUndefined();
});
