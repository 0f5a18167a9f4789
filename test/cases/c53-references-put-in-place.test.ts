// C53: towards a 2025-06-18 host no reference goes without its definition, and no choice is lost: in place, or not sent.
import { describe, expect, it, test } from 'vitest';
import { member } from '../../src/protocol/json-text.ts';
import { spellQuestion } from '../../src/protocol/question/spell-question.ts';
import { CAN_ASK, scene } from '../support/scene.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

const DEFS = {
  color: { type: 'string', enum: ['red', 'blue'], title: 'Color' },
  again: { $ref: '#/$defs/color' },
  named: { oneOf: [{ const: 'r', title: 'Red' }, { $ref: '#/$defs/blue' }] },
  blue: { const: 'b', title: 'Blue' },
  age: { type: 'integer', minimum: 0, maximum: 150 },
  circle: { $ref: '#/$defs/square' },
  square: { $ref: '#/$defs/circle' },
  list: { type: 'array', items: { type: 'string', enum: ['a'] } },
  address: { type: 'object', properties: { zip: { type: 'string' } } },
  'a/b~c d': { type: 'boolean', default: true },
  anchored: { $anchor: 'here', type: 'string', maxLength: 5 },
  older: { $id: '#there', type: 'number' },
  foreign: { $id: 'https://example.com/s', $ref: '#/$defs/color' },
  self: { anyOf: [{ $ref: '#/$defs/self' }, { type: 'string' }] },
};

/** The schema that a host of 2025-06-18 is sent for one; undefined where it is not asked. */
function sent(
  requestedSchema: unknown,
): { properties: Record<string, unknown>; required?: string[] } | undefined {
  const params = JSON.stringify({ message: 'm', requestedSchema });
  const text = spellQuestion('2025-06-18', { server: 's', params });
  if (text === undefined) return undefined;
  const message = { method: 'elicitation/create', params: JSON.parse(text) as unknown };
  expect(lintIfPresent('2025-06-18', 'ElicitRequest', message)).toEqual([]);
  return JSON.parse(member(text, 'requestedSchema') ?? '') as ReturnType<typeof sent>;
}

/** The property `p` as it is sent. */
function property(p: unknown, more: object = {}): unknown {
  return sent({ type: 'object', properties: { p }, $defs: DEFS, ...more })?.properties['p'];
}

const color = { type: 'string', enum: ['red', 'blue'], title: 'Color' };
const named = { type: 'string', enum: ['r', 'b'], enumNames: ['Red', 'Blue'] };

describe('what can be said flatly is put in place', () => {
  it.each<[string, unknown, unknown]>([
    ['a reference', { $ref: '#/$defs/color' }, color],
    ['a chain', { $ref: '#/$defs/again' }, color],
    [
      'the words beside it',
      { $ref: '#/$defs/color', title: 'Paint', default: 'red' },
      { ...color, title: 'Paint' },
    ],
    [
      'the narrower of two bounds',
      { $ref: '#/$defs/age', minimum: 18, maximum: 200 },
      { type: 'integer', minimum: 18, maximum: 150 },
    ],
    ['references among choices', { $ref: '#/$defs/named' }, named],
    [
      'choices by anyOf',
      { type: 'string', anyOf: [{ const: 'r', title: 'Red' }, { $ref: '#/$defs/blue' }] },
      named,
    ],
    [
      'choices of two lists',
      { anyOf: [{ $ref: '#/$defs/color' }, { enum: ['green'] }] },
      { type: 'string', enum: ['red', 'blue', 'green'] },
    ],
    [
      'a lone allOf, as pydantic writes it',
      { allOf: [{ $ref: '#/$defs/color' }], title: 'Paint' },
      { ...color, title: 'Paint' },
    ],
    [
      'an optional value, as pydantic writes it',
      { anyOf: [{ $ref: '#/$defs/color' }, { type: 'null' }], default: null },
      color,
    ],
    ['an optional type', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', maxLength: 3 }],
    [
      'an optional choice',
      { enum: ['a', null], enumNames: ['A', 'None'] },
      { type: 'string', enum: ['a'], enumNames: ['A'] },
    ],
    ['a constant text', { const: 'yes' }, { type: 'string', enum: ['yes'] }],
    ['an escaped pointer', { $ref: '#/$defs/a~1b~0c%20d' }, { type: 'boolean', default: true }],
    ['a pointer into an array', { $ref: '#/$defs/self/anyOf/1' }, { type: 'string' }],
    ['a pointer to another property', { $ref: '#/properties/q' }, { type: 'number' }],
    ['an anchor', { $ref: '#here' }, { type: 'string', maxLength: 5 }],
    ["an anchor in draft-07's words", { $ref: '#there' }, { type: 'number' }],
    [
      'choices with their older names',
      { enum: ['r', 'b'], oneOf: [{ const: 'r', title: 'Red' }, { $ref: '#/$defs/blue' }] },
      named,
    ],
  ])('%s', (_, written, expected) => {
    const properties = { p: written, q: { type: 'number' } };
    expect(property(written, { properties })).toEqual(expected);
  });

  it('definitions in the words of draft-07, and under the id of the schema', () => {
    const definitions = DEFS;
    const schema = { $id: 'https://example.com/form', type: 'object', definitions };
    for (const $ref of ['#/definitions/color', 'https://example.com/form#/definitions/color'])
      expect(sent({ ...schema, properties: { p: { $ref } } })?.properties['p']).toEqual(color);
  });

  it('a whole form that is only referred to', () => {
    const form = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const more = { properties: { b: { $ref: '#/$defs/color' } }, required: ['b'] };
    const schema = {
      $ref: '#/$defs/form',
      allOf: [{ $ref: '#/$defs/more' }],
      $defs: { ...DEFS, form, more },
    };
    expect(sent(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: color },
      required: ['a', 'b'],
    });
  });
});

describe('what cannot is not sent', () => {
  it.each<[string, unknown]>([
    ['a reference to an array', { $ref: '#/$defs/list' }],
    ['an array behind allOf', { allOf: [{ $ref: '#/$defs/list' }] }],
    ['an optional array', { anyOf: [{ $ref: '#/$defs/list' }, { type: 'null' }] }],
    ['an array among types', { type: ['array', 'null'], items: { type: 'string' } }],
    ['a reference to an object', { $ref: '#/$defs/address' }],
    ['a reference inside an object', { type: 'object', properties: { c: { $ref: '#/$defs/color' } } }],
    ['a reference inside items', { type: 'array', items: { $ref: '#/$defs/color' } }],
    ['a circle', { $ref: '#/$defs/circle' }],
    ['a circle with a way out', { $ref: '#/$defs/self' }],
    ['itself', { $ref: '#/properties/p' }],
    ['the whole form', { $ref: '#' }],
    ['nowhere', { $ref: '#/$defs/none' }],
    ['a definition that hosts do not fetch', { $ref: 'https://example.com/schema.json' }],
    ['a reference in another document', { $ref: '#/$defs/foreign' }],
    ['a reference that is no text', { $ref: 7 }],
    ['a dynamic reference', { $dynamicRef: '#here' }],
    ['a contradiction', { $ref: '#/$defs/age', type: 'string' }],
    ['choices that exclude each other', { type: 'string', enum: ['a'], oneOf: [{ const: 'b' }] }],
    ['a choice of integers', { type: 'integer', enum: [1, 2, 3] }],
    ['a choice of numbers among texts', { type: 'string', enum: ['a', 1] }],
    ['titled integers', { type: 'integer', oneOf: [{ const: 1, title: 'One' }] }],
    ['a constant number', { type: 'number', const: 5 }],
    ['a boolean that can only be yes', { type: 'boolean', const: true }],
    ['two kinds of value', { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['what it may not be', { type: 'string', not: { const: 'x' } }],
    ['a condition', { type: 'string', if: { minLength: 3 }, else: { maxLength: 9 } }],
    ['no type', { title: 'Anything' }],
    ['true', true],
    ['a nested object', { type: 'object', properties: { zip: { type: 'string' } } }],
  ])('%s', (_, written) => {
    expect(property(written)).toBeUndefined();
    expect(
      sent({ type: 'object', properties: { ok: { type: 'string' }, p: written }, $defs: DEFS }),
    ).toBeUndefined();
  });

  it.each<[string, object]>([
    ['what one field means for another', { dependentRequired: { p: ['q'] } }],
    ['a condition on the form', { if: { required: ['p'] }, else: { required: ['q'] } }],
    ['one of two fields', { anyOf: [{ required: ['p'] }, { required: ['q'] }] }],
    ['a least number of fields', { minProperties: 1 }],
    ['a form that is none', { type: 'array' }],
  ])('%s', (_, more) => {
    const properties = { p: { type: 'string' }, q: { type: 'string' } };
    expect(sent({ type: 'object', properties })).toBeDefined();
    expect(sent({ type: 'object', properties, ...more })).toBeUndefined();
  });
});

it('words that narrow one text or number are left to the asking server', () => {
  expect(property({ type: 'string', pattern: '^a', format: 'uuid', minLength: 2 })).toEqual({
    type: 'string',
    minLength: 2,
  });
  expect(property({ type: 'number', multipleOf: 2, exclusiveMinimum: 0 })).toEqual({ type: 'number' });
  expect(sent({ type: 'object', properties: {}, additionalProperties: false })).toEqual({
    type: 'object',
    properties: {},
  });
});

describe('references that multiply cost a bounded time', () => {
  const chain = (of: (next: string) => object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `d${i}`,
        i === 29 ? { type: 'string' } : of(`#/$defs/d${i + 1}`),
      ]),
    );
  const big = { type: 'string', enum: Array.from({ length: 2000 }, (_, i) => `choice ${i}`) };
  const many = (schema: object): object =>
    Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}`, schema]));
  const deep = '{"$anchor":"a","not":'.repeat(10_000);
  it.each<[string, object]>([
    [
      'two branches a level',
      {
        properties: { p: { $ref: '#/$defs/d0' } },
        $defs: chain(($ref) => ({ anyOf: [{ $ref }, { $ref }] })),
      },
    ],
    [
      'both words a level',
      { properties: { p: { $ref: '#/$defs/d0' } }, $defs: chain(($ref) => ({ $ref, allOf: [{ $ref }] })) },
    ],
    ['one large definition in every field', { properties: many({ $ref: '#/$defs/big' }), $defs: { big } }],
    ['a far pointer in every field', { properties: many({ $ref: '#/$defs/big/enum/1999' }), $defs: { big } }],
    ['forms of forms', { $ref: '#/$defs/d0', $defs: chain(($ref) => ({ allOf: [{ $ref }, { $ref }] })) }],
  ])('%s', (_, schema) => {
    const begun = process.cpuUsage();
    expect(sent({ type: 'object', ...schema })).toBeUndefined();
    const { user, system } = process.cpuUsage(begun);
    // Without the bound these take minutes.
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  it('names in deep nests', () => {
    const params = `{"message":"m","requestedSchema":{"properties":{"p":{"$ref":"#b"}},"x":${deep}{}${'}'.repeat(10_000)}}}`;
    expect(spellQuestion('2025-06-18', { server: 's', params })).toBeUndefined();
  });
});

test('a host of 2025-06-18 is asked with the definition in place; a question that has none waits whole', async () => {
  const { host, gateway, row } = await scene({
    host: {
      revision: '2025-06-18',
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"accept","content":{"p":"red"}}' }),
    },
  });
  const schemaFor = (p: object): object => ({
    type: 'object',
    properties: { p },
    $defs: { color: DEFS.color, list: DEFS.list },
  });
  const asked = schemaFor({ $ref: '#/$defs/color' });
  const { answers } = await host.ask({ schema: asked });
  expect(answers).toEqual(['{"action":"accept","content":{"p":"red"}}']);
  expect(JSON.parse(host.questions[0]?.params ?? '').requestedSchema).toEqual({
    type: 'object',
    properties: { p: color },
  });
  const [first] = await gateway.rows(['--all']);
  expect((await gateway.row(first?.id ?? '')).requestedSchema).toEqual(asked);

  const kept = schemaFor({ $ref: '#/$defs/list' });
  const call = host.startCall('ask', { schema: kept });
  const { id, host: shown } = await row();
  expect(shown).toMatchObject({ inline: false });
  expect((await gateway.row(id)).requestedSchema).toEqual(kept);
  expect(host.questions).toHaveLength(1);
  await gateway.mcpx(['elicit', 'decline', id]);
  await call.reply;
});

test.each(['2025-11-25'])('a host of %s gets reference and definition as they came', async (revision) => {
  const { host } = await scene({
    exempt: ['/params/requestedSchema'],
    host: { revision, capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  const schema = { type: 'object', properties: { p: { $ref: '#/$defs/list' } }, $defs: { list: DEFS.list } };
  await host.ask({ schema });
  expect(JSON.parse(host.questions[0]?.params ?? '').requestedSchema).toEqual(schema);
});
