import { expect, it } from 'vitest';
import { paramHeaders } from '../../src/protocol/param-headers.ts';

const annotated = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });
const schema = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

it('finds annotations down a chain of properties, whatever the keys are called', () => {
  const found = paramHeaders(
    schema({
      region: annotated('Region'),
      deep: schema({ properties: schema({ n: annotated('N', 'integer') }) }),
      'x-mcp-header': annotated('Odd', 'boolean'),
      plain: { type: 'string', default: annotated('Data') },
    }),
  );
  expect(found).toEqual({
    ok: true,
    headers: expect.arrayContaining([
      { path: ['region'], name: 'Region', type: 'string' },
      { path: ['deep', 'properties', 'n'], name: 'N', type: 'integer' },
      { path: ['x-mcp-header'], name: 'Odd', type: 'boolean' },
    ]),
  });
  expect(found.ok && found.headers).toHaveLength(3);
});

it.each([
  ['nothing', true, undefined],
  ['no schema', true, 'text'],
  ['an empty name', false, schema({ a: annotated('') })],
  ['a name that is not a string', false, schema({ a: annotated(1) })],
  ['a name with a space', false, schema({ a: annotated('a b') })],
  ['a name with a line break', false, schema({ a: annotated('a\r\nb') })],
  ['the same name twice, in another case', false, schema({ a: annotated('R'), b: annotated('r') })],
  ['a number', false, schema({ a: annotated('A', 'number') })],
  ['an object', false, schema({ a: annotated('A', 'object') })],
  ['several types', false, schema({ a: annotated('A', ['string', 'null']) })],
  ['the root', false, { ...schema({}), 'x-mcp-header': 'A' }],
  ['items', false, schema({ a: { type: 'array', items: annotated('A') } })],
  ['a branch', false, schema({}, { anyOf: [schema({ a: annotated('A') })] })],
  ['a definition', false, schema({}, { $defs: { a: annotated('A') } })],
  ['a definition of that name', true, schema({}, { $defs: { 'x-mcp-header': { type: 'string' } } })],
  ['a condition', false, schema({}, { if: schema({ a: annotated('A') }) })],
])('annotations of %s: %s', (_what, ok, value) => {
  expect(paramHeaders(value).ok).toBe(ok);
});

it('survives a schema of any depth', () => {
  let deep: object = annotated('Deep');
  for (let level = 0; level < 20_000; level += 1) deep = { properties: { p: deep } };
  expect(paramHeaders(deep).ok).toBe(true);
});
