// A requestedSchema becomes fields: kinds, order, defaults, and what is outside the flat subset.
import { describe, expect, test } from 'vitest';
import { initialDraft } from '../../src/form/draft.ts';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import type { Field } from '../../src/form/types.ts';

const one = (property: unknown, more: object = {}): Field => {
  const [field] = formOf(JSON.stringify({ type: 'object', properties: { x: property }, ...more })).fields;
  if (field === undefined) throw new Error('no field');
  return field;
};

describe('kinds', () => {
  test.each<[string, unknown, Partial<Record<string, unknown>>]>([
    ['text', { type: 'string' }, { kind: 'text', format: undefined, label: 'x', required: false }],
    ['title as label', { type: 'string', title: 'A name' }, { label: 'A name' }],
    ['blank title', { type: 'string', title: '  ' }, { label: 'x' }],
    ['title that is no text', { type: 'string', title: 7 }, { label: 'x' }],
    ['description', { type: 'string', description: 'd' }, { description: 'd' }],
    ['lengths', { type: 'string', minLength: 1, maxLength: 5 }, { minLength: 1, maxLength: 5 }],
    ['email', { type: 'string', format: 'email' }, { kind: 'text', format: 'email' }],
    ['date-time', { type: 'string', format: 'date-time' }, { kind: 'text', format: 'date-time' }],
    ['unknown format', { type: 'string', format: 'int32' }, { kind: 'text', format: undefined }],
    ['format named as a prototype member', { type: 'string', format: 'constructor' }, { format: undefined }],
    ['pattern', { type: 'string', pattern: '^a' }, { kind: 'text', pattern: '^a' }],
    ['number', { type: 'number', minimum: 0, maximum: 1.5 }, { kind: 'number', minimum: 0, maximum: 1.5 }],
    ['integer', { type: 'integer', exclusiveMinimum: 0 }, { kind: 'integer', exclusiveMinimum: 0 }],
    ['bound of the wrong type', { type: 'integer', minimum: '5' }, { kind: 'integer', minimum: undefined }],
    ['boolean', { type: 'boolean' }, { kind: 'boolean' }],
    ['boolean with an enum', { type: 'boolean', enum: [true] }, { kind: 'boolean' }],
    ['enum', { type: 'string', enum: ['a', 'b'] }, { kind: 'select', options: opts('a', 'b') }],
    [
      'enum without type',
      { enum: ['a', 1, null, true] },
      { kind: 'select', options: opts('a', 1, null, true) },
    ],
    ['enum twice the same', { enum: ['a', 'a'] }, { options: opts('a') }],
    ['enum with an empty text', { enum: [''] }, { options: [{ value: '', label: '""' }] }],
    ['enum of numbers', { type: 'integer', enum: [1, 2] }, { kind: 'select', options: opts(1, 2) }],
    ['const', { const: 'a' }, { kind: 'select', options: opts('a') }],
    [
      'enumNames',
      { type: 'string', enum: ['p1', 'p2', 'p3'], enumNames: ['Cat', 'Dog'] },
      {
        options: [
          { value: 'p1', label: 'Cat' },
          { value: 'p2', label: 'Dog' },
          { value: 'p3', label: 'p3' },
        ],
      },
    ],
    ['enumNames that are no text', { enum: ['a'], enumNames: [5] }, { options: opts('a') }],
    ['enumNames that are no list', { enum: ['a'], enumNames: 'A' }, { options: opts('a') }],
    ['oneOf', { type: 'string', oneOf: titled() }, { kind: 'select', options: [{ value: 'a', label: 'A' }] }],
    ['oneOf without type', { oneOf: titled() }, { kind: 'select', options: [{ value: 'a', label: 'A' }] }],
    ['anyOf', { anyOf: titled() }, { kind: 'select', options: [{ value: 'a', label: 'A' }] }],
    [
      'oneOf of null',
      { oneOf: [{ const: null, title: 'None' }] },
      { options: [{ value: null, label: 'None' }] },
    ],
    ['oneOf without titles', { oneOf: [{ const: 'a' }, { enum: ['b'] }] }, { options: opts('a', 'b') }],
    ['multi-select', { type: 'array', items: { enum: ['a'] } }, { kind: 'multiselect', options: opts('a') }],
    [
      'titled multi-select',
      { type: 'array', minItems: 1, maxItems: 2, items: { anyOf: titled() } },
      { kind: 'multiselect', options: [{ value: 'a', label: 'A' }], minItems: 1, maxItems: 2 },
    ],
    ['multi-select by oneOf', { type: 'array', items: { oneOf: titled() } }, { kind: 'multiselect' }],
    ['object', { type: 'object' }, { kind: 'json', why: 'it asks for an object' }],
    ['object with an enum', { type: 'object', enum: ['a'] }, { kind: 'json' }],
    ['list of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    ['list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'json' }],
    ['list of anything', { type: 'array' }, { kind: 'json', why: 'it asks for a list of anything' }],
    ['tuple', { type: 'array', items: [{ type: 'string' }] }, { kind: 'json' }],
    ['type list', { type: ['string', 'null'] }, { kind: 'json', why: 'it allows several types' }],
    ['no type', { title: 'X' }, { kind: 'json', why: 'it names no type' }],
    ['null', { type: 'null' }, { kind: 'json' }],
    ['unknown type', { type: 'text' }, { kind: 'json', why: 'its type is unknown' }],
    ['reference', { $ref: '#/$defs/a' }, { kind: 'json', why: 'it refers to another schema ($ref)' }],
    ['true', true, { kind: 'json' }],
    ['a number', 5, { kind: 'json' }],
    ['null schema', null, { kind: 'json' }],
    ['anyOf of types', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'json' }],
    ['choices that are objects', { enum: [{ a: 1 }] }, { kind: 'json' }],
    ['choices of another type', { type: 'string', enum: [1] }, { kind: 'json' }],
    ['no choices', { enum: [] }, { kind: 'json', why: 'it offers no choice at all' }],
    ['choices beyond doubles', { enum: [2 ** 53] }, { kind: 'json' }],
    ['oneOf of types on a string', { type: 'string', oneOf: [{ minLength: 1 }] }, { kind: 'text' }],
  ])('%s', (_name, property, expected) => {
    expect(one(property)).toMatchObject(expected);
  });

  test('secrets are marked, and only where something is typed', () => {
    const secret = (property: object): boolean => {
      const [field] = formOf(JSON.stringify({ type: 'object', properties: { apiKey: property } })).fields;
      return field?.secret ?? false;
    };
    expect(secret({ type: 'string' })).toBe(true);
    expect(secret({ type: 'object' })).toBe(true);
    expect(secret({ type: 'boolean' })).toBe(false);
    expect(secret({ type: 'string', enum: ['a'] })).toBe(false);
    expect(one({ type: 'string', format: 'password' }).secret).toBe(true);
  });
});

describe('order and names', () => {
  const names = (text: string): string[] => formOf(text).fields.map((field) => field.name);

  test('fields stand in the order of the text, numbers as names too', () => {
    expect(
      names('{"properties":{"c":{"type":"string"},"10":{"type":"string"},"9":{"type":"string"},"a":{}}}'),
    ).toEqual(['c', '10', '9', 'a']);
  });

  test('a property that appears twice counts once, as JSON.parse has it', () => {
    const { fields } = formOf(
      '{"properties":{"a":{"type":"string"},"b":{"type":"string"},"a":{"type":"boolean"}}}',
    );
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'boolean'],
      ['b', 'text'],
    ]);
  });

  test('required marks fields, and a name without a property is asked for as JSON', () => {
    const { fields, unusual } = formOf('{"properties":{"a":{"type":"string"}},"required":["a","b",3]}');
    expect(fields).toMatchObject([
      { name: 'a', required: true, kind: 'text' },
      { name: 'b', required: true, kind: 'json', why: 'it is required but not described' },
    ]);
    expect(unusual).toHaveLength(1);
  });

  test('the names of prototype members are names like any other (C04)', () => {
    const text =
      '{"type":"object","properties":{"addr":{"type":"object","properties":{"zip":{"type":"string"}}},' +
      '"odd":{"type":"object","enum":["a"]},"rows":{"type":"array","items":{"type":"object"}},' +
      '"__proto__":{"type":"string"},"constructor":{"type":"boolean"}},"required":["addr"]}';
    const form = formOf(text);
    expect(form.fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['addr', 'json'],
      ['odd', 'json'],
      ['rows', 'json'],
      ['__proto__', 'text'],
      ['constructor', 'boolean'],
    ]);
    expect(form.unusual).toEqual([
      'addr cannot be shown as a field, since it asks for an object; give its value as JSON.',
      'odd cannot be shown as a field, since it asks for an object; give its value as JSON.',
      'rows cannot be shown as a field, since it asks for a list of objects; give its value as JSON.',
    ]);
    expect(form.schema).toBe(text);
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });
});

describe('defaults', () => {
  test.each<[string, unknown, unknown]>([
    ['text', { type: 'string', default: 'a' }, 'a'],
    ['empty text', { type: 'string', default: '' }, ''],
    ['text of another type', { type: 'string', default: 1 }, undefined],
    ['too short', { type: 'string', minLength: 2, default: 'a' }, undefined],
    ['not of its format', { type: 'string', format: 'email', default: 'me' }, undefined],
    ['against its pattern', { type: 'string', pattern: '^b', default: 'a' }, undefined],
    [
      'for a catastrophic pattern',
      { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` },
      undefined,
    ],
    ['zero', { type: 'integer', default: 0 }, 0],
    ['a fraction for an integer', { type: 'integer', default: 1.5 }, undefined],
    ['text for an integer', { type: 'integer', default: '1' }, undefined],
    ['out of bounds', { type: 'number', maximum: 1, default: 2 }, undefined],
    ['false', { type: 'boolean', default: false }, false],
    ['text for a boolean', { type: 'boolean', default: 'true' }, undefined],
    ['null for a boolean', { type: 'boolean', default: null }, undefined],
    ['an option', { enum: ['a', 'b'], default: 'b' }, 'b'],
    ['null as an option', { enum: ['a', null], default: null }, null],
    ['no option', { enum: ['a'], default: 'c' }, undefined],
    ['a label', { enum: ['a'], enumNames: ['A'], default: 'A' }, undefined],
    ['options', { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] }, ['b']],
    ['no options', { type: 'array', items: { enum: ['a'] }, default: [] }, []],
    ['a scalar for many', { type: 'array', items: { enum: ['a'] }, default: 'a' }, undefined],
    ['too many', { type: 'array', maxItems: 1, items: { enum: ['a', 'b'] }, default: ['a', 'b'] }, undefined],
    ['JSON that fits', { type: 'object', required: ['a'], default: { a: 1 } }, { a: 1 }],
    ['JSON that does not', { type: 'object', required: ['a'], default: { b: 1 } }, undefined],
  ])('%s', (_name, property, expected) => {
    expect(one(property).initial).toEqual(expected);
  });

  test('a number keeps its own text', () => {
    const form = formOf('{"properties":{"n":{"type":"number","default":1.50}}}');
    expect(initialDraft(form)).toEqual(new Map([['n', '1.50']]));
  });

  test('untouched defaults are sent, falsy ones too, mistyped ones not (C05)', () => {
    const form = formOf(
      JSON.stringify({
        type: 'object',
        properties: {
          notify: { type: 'boolean', default: true },
          retries: { type: 'integer', default: 0 },
          label: { type: 'string', default: '' },
          tags: {
            type: 'array',
            items: { type: 'string', enum: ['a', 'b', 'c'] },
            minItems: 1,
            default: ['b'],
          },
          bad: { type: 'boolean', default: 'true' },
        },
        required: ['notify', 'tags'],
      }),
    );
    expect(check(form, initialDraft(form))).toEqual({
      ok: true,
      content: '{"notify":true,"retries":0,"label":"","tags":["b"]}',
    });
  });
});

describe('unusual schemas', () => {
  test.each<[string, string, string[]]>([
    ['a flat one', '{"type":"object","properties":{"a":{"type":"string"}}}', []],
    ['no properties (C03)', '{"type":"object","properties":{}}', []],
    ['nothing at all', '{}', []],
    ['2020-12', '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}', []],
    ['draft-07', '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}', []],
    [
      'another dialect',
      '{"$schema":"http://json-schema.org/draft-04/schema#"}',
      [
        'The schema is written in a dialect mcpx does not check (http://json-schema.org/draft-04/schema#): only its fields are checked.',
      ],
    ],
    [
      'a dialect that is no text',
      '{"$schema":7}',
      ['The schema is written in a dialect mcpx does not check (7): only its fields are checked.'],
    ],
    ['another type', '{"type":"array"}', ['The schema does not describe an object.']],
    ['properties that are a list', '{"properties":[1]}', ['Its properties are not an object.']],
    ['conditions', '{"allOf":[{}],"if":{}}', ['The fields depend on each other (allOf, if).']],
    [
      'a bad pattern',
      '{"properties":{"a":{"type":"string","pattern":"("}}}',
      ['The pattern of a is not a regular expression that mcpx knows, and is not checked.'],
    ],
    [
      'a reference that leads somewhere',
      '{"$defs":{"a~b/c d":{}},"not":{"$ref":"#/$defs/a~0b~1c%20d"}}',
      ['The fields depend on each other (not).'],
    ],
    [
      'anchors and ids',
      '{"$id":"https://x.test/s","$defs":{"a":{"$anchor":"n"},"b":{"$ref":"#n"},"c":{"$ref":"#"}}}',
      [],
    ],
    [
      'a reference to elsewhere',
      '{"$defs":{"a":{"$ref":"https://x.test/s"},"b":{"$ref":"#/$defs/%zz"}}}',
      [
        'It refers to something outside itself (#/$defs/%zz, https://x.test/s): nothing is fetched, and only its fields are checked.',
      ],
    ],
    ['a list', '[]', ['The schema of this question is not a JSON object.']],
    ['no JSON', '{', ['The schema of this question is not a JSON object.']],
  ])('%s', (_name, schema, expected) => {
    expect(formOf(schema).unusual.toSorted()).toEqual(expected.toSorted());
  });

  test('a form that is none is an empty one on every way', () => {
    for (const text of ['{', '[]', '', 'null']) {
      const form = formOf(text);
      expect(check(form, initialDraft(form))).toEqual({ ok: true, content: '{}' });
    }
  });

  test('names in sentences are inert and short', () => {
    const [sentence] = formOf(
      JSON.stringify({ properties: { [`\u001b[2J${'n'.repeat(200)}`]: true } }),
    ).unusual;
    expect(sentence).toMatch(/^\\u\{1b\}\[2Jn+… cannot be shown/);
  });
});

test('500 properties and 2,000 options take no seconds', () => {
  const choices = Array.from({ length: 2_000 }, (_, index) => `choice ${index}`);
  const properties = Object.fromEntries(
    Array.from({ length: 499 }, (_, index) => [
      `name${index}`,
      {
        type: 'string',
        title: `Name ${index}`,
        pattern: '^a{0,20}$',
        minLength: 1,
        default: 'a',
        description: 'Your name',
      },
    ]),
  );
  const schema = JSON.stringify({ type: 'object', properties: { ...properties, pick: { enum: choices } } });
  const start = performance.now();
  const form = formOf(schema);
  const result = check(form, initialDraft(form));
  expect(performance.now() - start).toBeLessThan(3_000);
  expect(form.fields).toHaveLength(500);
  expect(result.ok).toBe(true);
});

test('500 slow patterns take no longer than a few', () => {
  const slow = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` };
  const schema = JSON.stringify({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`n${index}`, slow])),
  });
  const start = performance.now();
  expect(formOf(schema).fields.every((field) => field.initial === undefined)).toBe(true);
  expect(performance.now() - start).toBeLessThan(3_000);
});

function opts(...values: (string | number | boolean | null)[]): unknown[] {
  return values.map((value) => ({ value, label: typeof value === 'string' ? value : JSON.stringify(value) }));
}

function titled(): unknown[] {
  return [{ const: 'a', title: 'A' }];
}
