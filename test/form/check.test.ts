// A whole answer: what is sent, or everything that is wrong with it.
import { describe, expect, test } from 'vitest';
import { initialDraft, setValue } from '../../src/form/draft.ts';
import { formOf } from '../../src/form/form-of.ts';
import { check, checkContent } from '../../src/form/jobs.ts';
import type { Checked } from '../../src/form/types.ts';
import { LATE } from '../../src/form/words.ts';

/** `'ok'`, or the problems as `path: message`. */
const verdict = (checked: Checked): string | string[] =>
  checked.ok ? 'ok' : checked.problems.map(({ path, message }) => `${path}: ${message}`);

const content = (schema: unknown, text: string): string | string[] =>
  verdict(checkContent(formOf(typeof schema === 'string' ? schema : JSON.stringify(schema)), text));

const property = (schema: unknown, value: string): string | string[] =>
  content({ type: 'object', properties: { x: schema } }, `{"x":${value}}`);

describe('a draft', () => {
  const form = formOf(
    '{"type":"object","properties":{"b":{"type":"string"},"10":{"type":"integer"},"a":{"type":"boolean","default":false}},"required":["b"]}',
  );

  test('is sent in schema order, whatever the order it was filled in', () => {
    const draft = setValue(setValue(initialDraft(form), '10', '7'), 'b', '"x"');
    expect(check(form, draft)).toEqual({ ok: true, content: '{"b":"x","10":7,"a":false}' });
  });

  test('leaves unset optional fields out', () => {
    const draft = setValue(setValue(initialDraft(form), 'a', undefined), 'b', '""');
    expect(check(form, draft)).toEqual({ ok: true, content: '{"b":""}' });
  });

  test('is not changed by setValue', () => {
    const before = initialDraft(form);
    setValue(before, 'b', '"x"');
    setValue(before, 'a', undefined);
    expect(before).toEqual(new Map([['a', 'false']]));
  });

  test('says all that is wrong at once', () => {
    const draft = new Map([
      ['10', '1.5'],
      ['a', '"no"'],
      ['c', '1'],
    ]);
    expect(verdict(check(form, draft))).toEqual([
      '/b: required',
      '/10: needs a whole number',
      '/a: needs yes or no',
      '/c: unknown field; fields are: b, 10, a',
    ]);
  });

  test('that is no JSON is a problem of its field', () => {
    expect(verdict(check(form, new Map([['b', 'x']])))).toEqual([
      '/b: not valid JSON (text needs double quotes)',
    ]);
  });

  test('of an empty form is {} (C03)', () => {
    for (const schema of ['{"type":"object","properties":{}}', '{}', '{"type":"object"}']) {
      expect(check(formOf(schema), new Map())).toEqual({ ok: true, content: '{}' });
    }
  });

  test('left blank is {} where all is optional (C03)', () => {
    const blank = formOf(
      '{"type":"object","properties":{"note":{"type":"string"},"n":{"type":"integer"},"mail":{"type":"string","format":"email"}}}',
    );
    expect(check(blank, initialDraft(blank))).toEqual({ ok: true, content: '{}' });
  });

  test('sends constants, never labels (C01)', () => {
    const pets = formOf(
      '{"type":"object","properties":{"pet":{"type":"string","title":"Pet","enum":["p1","p2","p3"],"enumNames":["Cat","Dog","Bird"],"default":"p2"}},"required":["pet"]}',
    );
    expect(check(pets, initialDraft(pets))).toEqual({ ok: true, content: '{"pet":"p2"}' });
  });
});

describe('fields', () => {
  test.each<[string, unknown, string, string]>([
    ['text', { type: 'string' }, '1', '/x: needs text'],
    ['lengths', { type: 'string', minLength: 3, maxLength: 50 }, '"ab"', '/x: needs 3–50 characters'],
    ['one length', { type: 'string', minLength: 4, maxLength: 4 }, '"ab"', '/x: needs exactly 4 characters'],
    ['least length', { type: 'string', minLength: 1 }, '""', '/x: needs at least 1 character'],
    ['most length', { type: 'string', maxLength: 2 }, '"🙂🙂🙂"', '/x: needs at most 2 characters'],
    ['email', { type: 'string', format: 'email' }, '"me"', '/x: not an e-mail address (name@example.com)'],
    ['uri', { type: 'string', format: 'uri' }, '"a b"', '/x: not a URI (https://example.com/page)'],
    ['date', { type: 'string', format: 'date' }, '"2030-02-30"', '/x: not a date (2030-01-31)'],
    [
      'date-time',
      { type: 'string', format: 'date-time' },
      '"2030-01-26T00:18:49"',
      '/x: not a date and time with a zone (2030-01-31T09:30:00Z)',
    ],
    ['pattern', { type: 'string', pattern: '^b+$' }, '"a"', '/x: does not match the pattern ^b+$'],
    ['number', { type: 'number' }, '"1"', '/x: needs a number'],
    ['integer', { type: 'integer' }, '1.5', '/x: needs a whole number'],
    ['bounds', { type: 'integer', minimum: 1, maximum: 9 }, '0', '/x: must be between 1 and 9'],
    ['least', { type: 'integer', minimum: 1 }, '0', '/x: must be at least 1'],
    ['most', { type: 'number', maximum: 1.5 }, '2', '/x: must be at most 1.5'],
    ['above', { type: 'number', exclusiveMinimum: 0 }, '0', '/x: must be more than 0'],
    ['below', { type: 'number', exclusiveMaximum: 0 }, '0', '/x: must be less than 0'],
    ['multiple', { type: 'number', multipleOf: 0.5 }, '0.7', '/x: must be a multiple of 0.5'],
    [
      'inexact',
      { type: 'integer' },
      '9007199254740993',
      '/x: too large or too fine to be carried exactly; use fewer digits',
    ],
    [
      'infinite',
      { type: 'number' },
      '1e999',
      '/x: too large or too fine to be carried exactly; use fewer digits',
    ],
    ['boolean', { type: 'boolean' }, '"true"', '/x: needs yes or no'],
    ['boolean null', { type: 'boolean' }, 'null', '/x: needs yes or no'],
    [
      'select',
      { enum: ['p1', 'p2'], enumNames: ['Cat'] },
      '"Cat"',
      '/x: not one of the options: Cat (p1), p2',
    ],
    ['choices', { type: 'array', items: { enum: ['a'] } }, '"a"', '/x: needs a list of choices'],
    [
      'a wrong choice',
      { type: 'array', items: { enum: ['a'] } },
      '["b"]',
      '/x: "b" is not one of the options: a',
    ],
    [
      'a choice twice',
      { type: 'array', items: { enum: ['a'] } },
      '["a","a"]',
      '/x: has the same choice twice',
    ],
    [
      'few choices',
      { type: 'array', minItems: 1, items: { enum: ['a'] } },
      '[]',
      '/x: needs at least 1 choice',
    ],
    [
      'many choices',
      { type: 'array', minItems: 1, maxItems: 2, items: { enum: ['a', 'b', 'c'] } },
      '["a","b","c"]',
      '/x: needs 1–2 choices',
    ],
    [
      'an object',
      { type: 'object', properties: { zip: { type: 'string' } } },
      '{"zip":1}',
      '/x/zip: needs text',
    ],
    ['a list', { type: 'array', items: { type: 'object' } }, '[{},1]', '/x/1: needs a JSON object'],
    ['types', { type: ['string', 'null'] }, '1', '/x: needs text or null'],
    ['a false schema', false, '1', '/x: is not allowed'],
  ])('%s', (_name, schema, value, expected) => {
    expect(property(schema, value)).toEqual([expected]);
  });

  test.each<[string, unknown, string]>([
    ['two emoji are two characters (C30)', { type: 'string', maxLength: 2 }, '"🙂🙂"'],
    [
      'two escaped emoji too',
      { type: 'string', minLength: 2, maxLength: 2 },
      '"\\ud83d\\ude42\\ud83d\\ude42"',
    ],
    ['an unknown format says nothing (C07)', { type: 'integer', format: 'int32' }, '99999999999'],
    ['a format named as a prototype member', { type: 'string', format: 'toString' }, '"x"'],
    ['a pattern is searched for, not anchored', { type: 'string', pattern: 'b' }, '"abc"'],
    ['a pattern without the u flag', { type: 'string', pattern: '^[\\w\\-]+$' }, '"a-b"'],
    ['a pattern of code points', { type: 'string', pattern: '^.$' }, '"🙂"'],
    ['a pattern that is none', { type: 'string', pattern: '(' }, '"x"'],
    ['a whole number with a point', { type: 'integer' }, '1.0'],
    ['a whole number with an exponent', { type: 'integer' }, '1e3'],
    ['a decimal multiple', { type: 'number', multipleOf: 0.1 }, '0.3'],
    ['2^53 itself', { type: 'integer' }, '9007199254740992'],
    ['an option that is null', { enum: ['a', null] }, 'null'],
    ['no choices', { type: 'array', items: { enum: ['a'] } }, '[]'],
    ['a keyword nobody knows', { type: 'string', 'x-hint': 'slow' }, '"x"'],
    ['true as schema', true, '[1]'],
  ])('%s', (_name, schema, value) => {
    expect(property(schema, value)).toBe('ok');
  });
});

describe('formats (C07)', () => {
  const schema = {
    type: 'object',
    properties: {
      when: { type: 'string', format: 'date-time' },
      day: { type: 'string', format: 'date' },
      site: { type: 'string', format: 'uri' },
      mail: { type: 'string', format: 'email' },
    },
  };
  test.each([
    ['when', '2030-01-26T00:18:49Z', true],
    ['when', '2030-01-26T00:18:49.123456Z', true],
    ['when', '2030-01-26T00:18:49+02:00', true],
    ['when', '2030-01-26t00:18:49z', true],
    ['when', '2016-12-31T23:59:60Z', true],
    ['when', '2030-01-26T00:18:49', false],
    ['when', '2030-01-26 00:18:49', false],
    ['when', '2030-01-26 00:18:49Z', false],
    ['when', '2030-01-26T00:18:49+02', false],
    ['when', '2030-01-26T00:18:49+0200', false],
    ['when', '2030-02-30T00:18:49Z', false],
    ['when', '2030-01-26T24:18:49Z', false],
    ['when', '2030-01-26T00:18Z', false],
    ['day', '2030-02-28', true],
    ['day', '2028-02-29', true],
    ['day', '2030-02-30', false],
    ['day', '2030-2-3', false],
    ['day', '2030-13-01', false],
    ['site', 'https://example.com/a?b=c#d', true],
    ['site', 'mailto:me@example.com', true],
    ['site', 'urn:isbn:1', true],
    ['site', 'example.com', false],
    ['site', '/relative', false],
    ['site', 'https://example.com/a b', false],
    ['mail', 'me@example.com', true],
    ['mail', 'first.last+tag@sub.example.co', true],
    ['mail', 'me@', false],
    ['mail', 'me@localhost', false],
    ['mail', 'Me <me@example.com>', false],
    ['mail', `${'a'.repeat(400)}@example.com`, false],
  ])('%s %s → %s', (name, text, fits) => {
    const checked = checkContent(formOf(JSON.stringify(schema)), JSON.stringify({ [name]: text }));
    expect(checked.ok).toBe(fits);
  });

  test('very long values are judged at once', () => {
    const start = performance.now();
    for (const name of ['when', 'day', 'site', 'mail']) {
      for (const filler of ['a', '1', '-', 'a.', '://', '%41', '@']) {
        content(schema, JSON.stringify({ [name]: `a@${filler.repeat(100_000)}!` }));
        content(schema, JSON.stringify({ [name]: `http://${filler.repeat(100_000)} ` }));
      }
    }
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe('a content given whole', () => {
  const schema = {
    type: 'object',
    properties: { repo: { type: 'string' }, n: { type: 'number' } },
    required: ['repo'],
  };

  test('keeps its text, but for line breaks', () => {
    const text = ' { "n" : 1.50 ,\n"repo":"\\u0061" }';
    expect(checkContent(formOf(JSON.stringify(schema)), text)).toEqual({
      ok: true,
      content: ' { "n" : 1.50 ,"repo":"\\u0061" }',
    });
  });

  test.each([
    ['no JSON', '{', ': needs a JSON object'],
    ['a list', '[]', ': needs a JSON object'],
    ['null', 'null', ': needs a JSON object'],
    ['a name twice', '{"repo":"a","repo":"b"}', '/repo: given twice'],
    ['a required name missing', '{}', '/repo: required'],
    ['null for text', '{"repo":null}', '/repo: needs text'],
    [
      'an unknown name',
      '{"repo":"a","Repo":"b"}',
      '/Repo: unknown field; fields are: repo, n; did you mean repo?',
    ],
    ['an unknown name with a slash', '{"repo":"a","a/b~":1}', '/a~1b~0: unknown field; fields are: repo, n'],
    ['a prototype member', '{"repo":"a","toString":1}', '/toString: unknown field; fields are: repo, n'],
    ['__proto__', '{"repo":"a","__proto__":{}}', '/__proto__: unknown field; fields are: repo, n'],
  ])('%s', (_name, text, expected) => {
    expect(content(schema, text)).toEqual([expected]);
  });

  test('extra names are for the schema alone to judge where that is asked for', () => {
    const extra = (more: object, text: string): string | string[] =>
      verdict(checkContent(formOf(JSON.stringify({ ...schema, ...more })), text, { extra: true }));
    expect(extra({}, '{"repo":"a","more":1}')).toBe('ok');
    expect(extra({ additionalProperties: false }, '{"repo":"a","more":1}')).toEqual(['/more: unknown field']);
    expect(extra({ additionalProperties: { type: 'string' } }, '{"repo":"a","more":1}')).toEqual([
      '/more: needs text',
    ]);
    expect(extra({ additionalProperties: false }, '{"repo":"a","__proto__":1}')).toEqual([
      '/__proto__: unknown field',
    ]);
  });

  test('an empty form takes only {}', () => {
    expect(content({}, '{}')).toBe('ok');
    expect(content({}, '{"a":1}')).toEqual(['/a: unknown field; this question has no fields']);
  });
});

describe('hostile names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

  test.each(names)('%s is a field like any other', (name) => {
    const schema = (more = ''): string =>
      `{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}},"required":[${JSON.stringify(name)}]${more}}`;
    const text = (value: string): string => `{${JSON.stringify(name)}:${value}}`;
    for (const more of ['', ',"additionalProperties":false']) {
      expect(content(schema(more), '{}')).toEqual([`/${name}: required`]);
      expect(content(schema(more), text('1'))).toEqual([`/${name}: needs text`]);
      expect(content(schema(more), text('"a"'))).toBe('ok');
    }
    const form = formOf(schema());
    expect(check(form, new Map([[name, '"a"']]))).toEqual({ ok: true, content: text('"a"') });
    expect(verdict(check(form, initialDraft(form)))).toEqual([`/${name}: required`]);
  });

  test.each(names)('%s inside a JSON value is checked', (name) => {
    const inner = `{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}},"required":[${JSON.stringify(name)}],"additionalProperties":false}`;
    const schema = `{"type":"object","properties":{"x":${inner}}}`;
    expect(content(schema, '{"x":{}}')).toEqual([`/x/${name}: required`]);
    expect(content(schema, `{"x":{${JSON.stringify(name)}:1}}`)).toEqual([`/x/${name}: needs text`]);
    expect(content(schema, `{"x":{${JSON.stringify(name)}:"a"}}`)).toBe('ok');
  });

  test('nothing reaches a prototype', () => {
    const schema =
      '{"type":"object","properties":{"__proto__":{"type":"object","default":{"polluted":true}}}}';
    const form = formOf(schema);
    expect(check(form, initialDraft(form))).toEqual({ ok: true, content: '{"__proto__":{"polluted":true}}' });
    expect('polluted' in {}).toBe(false);
  });
});

describe('the whole schema', () => {
  test.each<[string, unknown, string, string[] | 'ok']>([
    ['conditions', { dependentRequired: { a: ['b'] } }, '{"a":"1"}', ['/b: required where a is given']],
    ['least filled in', { minProperties: 1 }, '{}', [': needs at least 1 field filled in']],
    [
      'anyOf',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{}',
      [': fits none of the shapes that are allowed'],
    ],
    [
      'oneOf',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{"a":"1","b":"1"}',
      [': must fit exactly one of the shapes that are allowed'],
    ],
    ['not', { not: { required: ['a'] } }, '{"a":"1"}', [': has a shape that is not allowed']],
    [
      'then',
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'),
      '{"a":"1"}',
      ['/b: required'],
    ],
    [
      'draft-07 items',
      { $schema: 'http://json-schema.org/draft-07/schema#', dependencies: { a: ['b'] } },
      '{"a":"1"}',
      ['/b: required where a is given'],
    ],
    [
      '$async does not make it a promise',
      { $async: true, minProperties: 1 },
      '{}',
      [': needs at least 1 field filled in'],
    ],
    [
      'a local reference',
      { $defs: { c: { minLength: 2 } } },
      '{"c":"1"}',
      ['/c: needs at least 2 characters'],
    ],
    [
      'a bad keyword leaves the fields checked',
      { minProperties: 'x', required: ['a'] },
      '{}',
      ['/a: required'],
    ],
    ['a reference to elsewhere', { allOf: [{ $ref: 'https://x.test/s' }] }, '{"a":1}', ['/a: needs text']],
    [
      'a reference to a metaschema',
      { allOf: [{ $ref: 'https://json-schema.org/draft/2020-12/schema' }] },
      '{}',
      'ok',
    ],
    [
      'another dialect',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', minProperties: 1 },
      '{}',
      'ok',
    ],
    ['endless recursion', { allOf: [{ $ref: '#' }] }, '{"a":1}', ['/a: needs text']],
    ['endless recursion never fits', { allOf: [{ $ref: '#' }] }, '{"a":"x"}', [`: ${LATE}`]],
    ['discriminators of other tools', { discriminator: { propertyName: 'a' } }, '{}', 'ok'],
  ])('%s', (_name, more, text, expected) => {
    const properties = { a: { type: 'string' }, b: { type: 'string' }, c: { $ref: '#/$defs/c' } };
    const schema = { type: 'object', properties, ...(more as object) };
    if (!Object.hasOwn(schema, '$defs')) Reflect.deleteProperty(properties, 'c');
    expect(content(schema, text)).toEqual(expected);
  });

  test('a field that is wrong is said once, in its own words', () => {
    expect(
      content({ properties: { a: { type: 'string', minLength: 2, format: 'email' } } }, '{"a":"x"}'),
    ).toEqual(['/a: needs at least 2 characters']);
  });

  test('what can not be checked in time does not fit, and the fields are checked all the same', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    );
    const schema = {
      properties: { a: { type: 'string' } },
      $defs: { ...defs, d40: {} },
      allOf: [{ $ref: '#/$defs/d0' }],
    };
    const start = performance.now();
    expect(content(schema, '{"a":1}')).toEqual(['/a: needs text']);
    expect(content(schema, '{"a":"x"}')).toEqual([`: ${LATE}`]);
    expect(performance.now() - start).toBeLessThan(6_000);
  });

  test('no nesting is too deep', () => {
    const deep = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;
    expect(content(`{"properties":{"a":${deep},"b":{"type":"string"}}}`, '{"a":1,"b":2}')).toEqual([
      '/b: needs text',
    ]);
    const list = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(
      content('{"properties":{"a":{"type":"array"},"b":{"type":"string"}}}', `{"a":${list},"b":2}`),
    ).toEqual(['/b: needs text']);
  });

  test('a catastrophic pattern holds nobody up, and the rest of the form is checked', () => {
    const slow = { type: 'string', pattern: '^(a+)+$' };
    const start = performance.now();
    expect(
      content(
        {
          properties: {
            a: slow,
            b: { type: 'string', pattern: '^b$' },
            c: { type: 'string', pattern: '^c$' },
          },
        },
        `{"a":"${'a'.repeat(40)}!","b":"x","c":"c"}`,
      ),
    ).toEqual([
      '/a: could not be checked in time against the pattern ^(a+)+$',
      '/b: does not match the pattern ^b$',
    ]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test('no more than a hundred problems come out of one schema', () => {
    const checked = checkContent(
      formOf('{"properties":{"a":{"type":"array","items":{"type":"string","minLength":1}}}}'),
      `{"a":[${Array.from({ length: 5_000 }, (_, index) => index).join(',')}]}`,
    );
    expect(checked.ok ? [] : checked.problems).toHaveLength(100);
  });
});
