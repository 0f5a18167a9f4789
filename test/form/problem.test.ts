// One field's message while a person types, and the work behind it that is kept within bounds.
import { describe, expect, test } from 'vitest';
import { bounded } from '../../src/form/bounded.ts';
import { problemFor } from '../../src/form/field-problem.ts';
import { formOf } from '../../src/form/form-of.ts';
import { limitsProblem } from '../../src/form/limits.ts';
import { testPatterns } from '../../src/form/patterns.ts';

const problem = (
  property: unknown,
  value: string | undefined,
  required: string[] = [],
): string | undefined => {
  const [field] = formOf(JSON.stringify({ properties: { x: property }, required })).fields;
  return field === undefined ? 'no field' : problemFor(field, value);
};

test.each<[string, unknown, string | undefined, string | undefined]>([
  ['unset', { type: 'string' }, undefined, undefined],
  ['length', { type: 'string', minLength: 3, maxLength: 50 }, '"a"', 'needs 3–50 characters'],
  ['pattern', { type: 'string', pattern: '^a$' }, '"b"', 'does not match the pattern ^a$'],
  ['pattern that fits', { type: 'string', pattern: '^a$' }, '"a"', undefined],
  ['inside of JSON', { type: 'object', required: ['zip'] }, '{}', '/zip: required'],
  ['JSON of another type', { type: 'object' }, '1', 'needs a JSON object'],
  ['JSON that fits', { type: 'object', required: ['zip'] }, '{"zip":1}', undefined],
  ['JSON that waits for the whole schema', { $ref: '#/$defs/a' }, '1', undefined],
  ['no JSON', { type: 'object' }, '{', 'not valid JSON (text needs double quotes)'],
])('%s', (_name, property, value, expected) => {
  expect(problem(property, value)).toBe(expected);
});

test('unset is a problem only where a value is required', () => {
  expect(problem({ type: 'string' }, undefined, ['x'])).toBe('required');
  expect(problem({ type: 'object' }, undefined, ['x'])).toBe('required');
});

test("a server's pattern in a message is inert", () => {
  expect(problem({ type: 'string', pattern: '\u001b\\[2J\u202e$^' }, '"b"')).toBe(
    'does not match the pattern \\u{1b}\\[2J\\u{202e}$^',
  );
});

describe('bounded work', () => {
  test('a loop is stopped from outside', () => {
    const start = performance.now();
    expect(
      bounded(30, () => {
        for (;;);
      }),
    ).toEqual({ ok: false, late: true });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test('what is thrown is not ok, what is returned is', () => {
    expect(bounded(1_000, () => [1])).toEqual({ ok: true, value: [1] });
    const overflow = (): number => 1 + overflow();
    expect(bounded(1_000, overflow)).toEqual({ ok: false, late: true });
  });

  test('a slow pattern is named slow, those around it get their verdict', () => {
    const slow = { pattern: '(x+x+)+y', value: 'x'.repeat(60) };
    expect(
      testPatterns([
        { pattern: 'a', value: 'a' },
        slow,
        { pattern: '(', value: 'a' },
        { pattern: 'b', value: 'a' },
        { pattern: '[\\-]', value: '-' },
      ]),
    ).toEqual(['match', 'slow', 'unusable', 'mismatch', 'match']);
  });

  test('many slow patterns take no longer than a few', () => {
    const slow = Array.from({ length: 100 }, () => ({ pattern: '^(a|a)*$', value: `${'a'.repeat(50)}!` }));
    const start = performance.now();
    expect(testPatterns(slow)).toEqual(slow.map(() => 'slow'));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('limits', () => {
  const limits = { schemaBytes: 1_000, properties: 3, options: 4 };
  const properties = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));
  const all = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);

  test.each<[string, object, string | undefined]>([
    ['nothing', {}, undefined],
    ['just enough', { properties: properties(3) }, undefined],
    [
      'properties',
      { properties: properties(4) },
      'requestedSchema has 4 properties, and the limit is 3: raise limits.properties in mcpx.json',
    ],
    [
      'properties inside properties',
      { properties: { a: { type: 'object', properties: properties(3) } } },
      'requestedSchema has 4 properties, and the limit is 3: raise limits.properties in mcpx.json',
    ],
    [
      'options',
      { properties: { a: { enum: all(5) } } },
      'requestedSchema has 5 options, and the limit is 4: raise limits.options in mcpx.json',
    ],
    [
      'options of several fields',
      {
        properties: {
          a: { enum: all(2) },
          b: { items: { anyOf: all(2).map((value) => ({ const: value })) } },
          c: { oneOf: [{}] },
        },
      },
      'requestedSchema has 5 options, and the limit is 4: raise limits.options in mcpx.json',
    ],
    ['a property named enum', { properties: { enum: { default: all(9) } } }, undefined],
  ])('%s', (_name, schema, expected) => {
    expect(limitsProblem(JSON.stringify(schema), limits)).toBe(expected);
  });

  test('bytes are counted, not characters', () => {
    const text = (letter: string): string => JSON.stringify({ title: letter.repeat(900) });
    expect(limitsProblem(text('a'), limits)).toBeUndefined();
    expect(limitsProblem(text('é'), limits)).toBe(
      'requestedSchema is 1812 bytes long, and the limit is 1000: raise limits.schemaBytes in mcpx.json',
    );
  });

  test('a schema at the default limits is counted without a stack that could overflow', () => {
    const deep = `${'{"not":'.repeat(30_000)}{}${'}'.repeat(30_000)}`;
    expect(limitsProblem(deep, { schemaBytes: 262_144, properties: 500, options: 2_000 })).toBeUndefined();
  });
});
