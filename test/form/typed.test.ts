// What a person types, and what -F gives, becomes the JSON that is sent.
import { describe, expect, test } from 'vitest';
import { readFlags } from '../../src/form/flags.ts';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { readTyped } from '../../src/form/typed.ts';
import type { Field, Form } from '../../src/form/types.ts';

const field = (property: object): Field => {
  const [first] = formOf(JSON.stringify({ properties: { x: property } })).fields;
  if (first === undefined) throw new Error('no field');
  return first;
};
/** The JSON text, `unset`, or `! message`. */
const read = (property: object, text: string): string => {
  const typed = readTyped(field(property), text);
  return typed.ok ? (typed.value ?? 'unset') : `! ${typed.message}`;
};

const INEXACT = '! too large or too fine to be carried exactly; use fewer digits';
const NO_NUMBER = '! needs a number, such as 12, 0.5 or 1e3';
const NO_WHOLE = '! needs a whole number, such as 12';
const CATS = { enum: ['p1', 'p2', '3'], enumNames: ['Cat', 'Dog', 'p1'] };

describe('typed text', () => {
  test.each<[object, string, string]>([
    [{ type: 'string' }, 'a "b" \\ c', '"a \\"b\\" \\\\ c"'],
    [{ type: 'string' }, '012', '"012"'],
    [{ type: 'string' }, 'true', '"true"'],
    [{ type: 'string' }, '  a ', '"  a "'],
    [{ type: 'string' }, '', 'unset'],
    [{ type: 'string', default: 'a' }, '', 'unset'],
    [{ type: 'string', default: '' }, '', '""'],
    [{ type: 'number' }, '0.1', '0.1'],
    [{ type: 'number' }, ' 12 ', '12'],
    [{ type: 'number' }, '1e3', '1e3'],
    [{ type: 'number' }, '1.50', '1.50'],
    [{ type: 'number' }, '-0.5', '-0.5'],
    [{ type: 'number' }, '0.12345678901234567890', '0.12345678901234567890'],
    [{ type: 'number' }, '', 'unset'],
    [{ type: 'number' }, '012', NO_NUMBER],
    [{ type: 'number' }, '.5', NO_NUMBER],
    [{ type: 'number' }, '5.', NO_NUMBER],
    [{ type: 'number' }, '+5', NO_NUMBER],
    [{ type: 'number' }, '1,5', NO_NUMBER],
    [{ type: 'number' }, '1 000', NO_NUMBER],
    [{ type: 'number' }, '0x10', NO_NUMBER],
    [{ type: 'number' }, 'NaN', NO_NUMBER],
    [{ type: 'number' }, 'Infinity', NO_NUMBER],
    [{ type: 'number' }, '１２', NO_NUMBER],
    [{ type: 'number' }, 'null', NO_NUMBER],
    [{ type: 'number' }, '1e999', INEXACT],
    [{ type: 'number' }, '-1e999', INEXACT],
    [{ type: 'number' }, '1e-999', INEXACT],
    [{ type: 'number' }, '9007199254740993', INEXACT],
    [{ type: 'number' }, `1${'0'.repeat(500)}`, INEXACT],
    [{ type: 'number' }, `0.${'0'.repeat(500)}1`, INEXACT],
    [{ type: 'integer' }, '12', '12'],
    [{ type: 'integer' }, '-12', '-12'],
    [{ type: 'integer' }, '0', '0'],
    [{ type: 'integer' }, '1.0', '1'],
    [{ type: 'integer' }, '1e3', '1000'],
    [{ type: 'integer' }, '1.5e1', '15'],
    [{ type: 'integer' }, '1500e-2', '15'],
    [{ type: 'integer' }, '-0', '0'],
    [{ type: 'integer' }, '0.000', '0'],
    [{ type: 'integer' }, '9007199254740992', '9007199254740992'],
    [{ type: 'integer' }, '9007199254740994', '9007199254740994'],
    [{ type: 'integer' }, '-9007199254740993', INEXACT],
    [{ type: 'integer' }, '9007199254740991.5', INEXACT],
    [{ type: 'integer' }, '1e22', '10000000000000000000000'],
    [{ type: 'integer' }, '1e23', INEXACT],
    [{ type: 'integer' }, '012', NO_WHOLE],
    [{ type: 'integer' }, '1.5', NO_WHOLE],
    [{ type: 'integer' }, '15e-2', NO_WHOLE],
    [{ type: 'integer' }, 'twelve', NO_WHOLE],
    [{ type: 'integer' }, '', 'unset'],
    [{ type: 'boolean' }, 'yes', 'true'],
    [{ type: 'boolean' }, 'Y', 'true'],
    [{ type: 'boolean' }, ' TRUE ', 'true'],
    [{ type: 'boolean' }, 'no', 'false'],
    [{ type: 'boolean' }, 'n', 'false'],
    [{ type: 'boolean' }, 'false', 'false'],
    [{ type: 'boolean' }, '', 'unset'],
    [{ type: 'boolean' }, 'maybe', '! needs yes or no'],
    [{ type: 'boolean' }, '1', '! needs yes or no'],
    [CATS, 'p2', '"p2"'],
    [CATS, 'Dog', '"p2"'],
    [CATS, 'dog', '"p2"'],
    [CATS, 'p1', '"p1"'],
    [CATS, '3', '"3"'],
    [CATS, '', 'unset'],
    [CATS, 'Fish', '! not one of the options: Cat (p1), Dog (p2), p1 (3)'],
    [
      { enum: ['a', 'b'], enumNames: ['Same', 'Same'] },
      'same',
      '! the label of more than one option; give the value: "a", "b"',
    ],
    [{ enum: ['a', 'b'], enumNames: ['X', 'x'] }, 'x', '"b"'],
    [{ enum: ['', 'b'] }, '', '""'],
    [{ enum: [1, 2], type: 'integer' }, '2', '2'],
    [{ enum: [1, '1'] }, '1', '"1"'],
    [{ enum: [true, null] }, 'null', 'null'],
    [{ oneOf: [{ const: 'k', title: 'A, B' }] }, 'A, B', '"k"'],
    [{ type: 'array', items: CATS }, 'p1', '["p1"]'],
    [{ type: 'array', items: CATS }, 'Dog, p1 ,Dog', '["p2","p1"]'],
    [{ type: 'array', items: CATS }, '["p1","Dog"]', '["p1","p2"]'],
    [{ type: 'array', items: CATS }, '[]', '[]'],
    [{ type: 'array', items: CATS }, '', 'unset'],
    [{ type: 'array', items: CATS }, 'p1,x', '! x is not one of the options: Cat (p1), Dog (p2), p1 (3)'],
    [{ type: 'array', items: { anyOf: [{ const: 'k', title: 'A, B' }, { const: 'l' }] } }, 'A, B', '["k"]'],
    [{ type: 'array', items: { enum: [1, 2] } }, '[2,1]', '[2,1]'],
    [{ type: 'array', items: { enum: ['[x'] } }, '[x', '["[x"]'],
    [{ type: 'object' }, ' {"a": [1.50]} ', '{"a": [1.50]}'],
    [{ type: 'object' }, '', 'unset'],
    [{ type: 'object' }, '{a:1}', '! not valid JSON (text needs double quotes)'],
  ])('%j reads %j as %s', (property, text, expected) => {
    expect(read(property, text)).toBe(expected);
  });

  test('long lists of options are cut short in messages', () => {
    const many = { enum: Array.from({ length: 40 }, (_, index) => `o${index}`) };
    expect(read(many, 'x')).toBe(
      '! not one of the options: o0, o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11 … (28 more)',
    );
  });
});

describe('flags', () => {
  const form: Form = formOf(
    JSON.stringify({
      type: 'object',
      properties: {
        title: { type: 'string', default: 'Untitled' },
        count: { type: 'integer', default: 3 },
        draft: { type: 'boolean', default: true },
        kind: { enum: ['bug', 'idea'], enumNames: ['A bug', 'An idea'] },
        tags: { type: 'array', items: { enum: ['a', 'b', 'c'] }, default: ['c'] },
        meta: { type: 'object' },
        __proto__x: { type: 'string' },
      },
    }),
  );
  const flags = (...pairs: string[]): { content: string | undefined; problems: string[] } => {
    const split = pairs.map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
    const { draft, problems } = readFlags(form, split);
    const checked = check(form, draft);
    return {
      content: checked.ok ? checked.content : undefined,
      problems: problems.map(({ path, message }) => `${path}: ${message}`),
    };
  };
  const base = { title: 'Untitled', count: 3, draft: true, tags: ['c'] };

  test.each<[string[], object]>([
    [[], base],
    [['title=012'], { ...base, title: '012' }],
    [['title='], { ...base, title: '' }],
    [['title=a=b'], { ...base, title: 'a=b' }],
    [['count=7'], { ...base, count: 7 }],
    [['count='], { title: 'Untitled', draft: true, tags: ['c'] }],
    [['draft=no'], { ...base, draft: false }],
    [['draft='], { title: 'Untitled', count: 3, tags: ['c'] }],
    [['kind=An idea'], { ...base, kind: 'idea' }],
    [['tags=a'], { ...base, tags: ['a'] }],
    [['tags=a', 'tags=b'], { ...base, tags: ['a', 'b'] }],
    [['tags=a,b'], { ...base, tags: ['a', 'b'] }],
    [['tags='], { ...base, tags: [] }],
    [['meta={"a":1}'], { ...base, meta: { a: 1 } }],
  ])('%j', (pairs, expected) => {
    const { content, problems } = flags(...pairs);
    expect(problems).toEqual([]);
    expect(JSON.parse(content ?? 'null')).toEqual(expected);
  });

  test.each<[string[], string[]]>([
    [['count=012'], ['/count: needs a whole number, such as 12']],
    [['title=a', 'title=b'], ['/title: given more than once, but takes one value']],
    [['meta=x'], ['/meta: not valid JSON (text needs double quotes)']],
    [['tags=a', 'tags=x'], ['/tags: x is not one of the options: a, b, c']],
    [
      ['titel=a', 'nothing=b'],
      [
        '/titel: unknown field; fields are: title, count, draft, kind, tags, meta, __proto__x; did you mean title?',
        '/nothing: unknown field; fields are: title, count, draft, kind, tags, meta, __proto__x',
      ],
    ],
    [
      ['constructor=a'],
      ['/constructor: unknown field; fields are: title, count, draft, kind, tags, meta, __proto__x'],
    ],
  ])('%j is refused', (pairs, expected) => {
    expect(flags(...pairs).problems).toEqual(expected);
  });

  test('what could be read is in the draft beside the problems', () => {
    const { draft, problems } = readFlags(form, [
      { name: 'count', value: 'x' },
      { name: 'title', value: 'T' },
    ]);
    expect(draft.get('title')).toBe('"T"');
    expect(draft.get('count')).toBe('3');
    expect(problems).toHaveLength(1);
  });

  test('a form without fields says so', () => {
    expect(readFlags(formOf('{}'), [{ name: 'a', value: '1' }]).problems).toEqual([
      { path: '/a', message: 'unknown field; this question has no fields' },
    ]);
  });

  test('a field named __proto__ takes a flag', () => {
    const hostile = formOf('{"properties":{"__proto__":{"type":"string"}}}');
    const { draft, problems } = readFlags(hostile, [{ name: '__proto__', value: 'v' }]);
    expect(problems).toEqual([]);
    expect(check(hostile, draft)).toEqual({ ok: true, content: '{"__proto__":"v"}' });
  });
});
