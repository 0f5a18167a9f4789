import { expect, it } from 'vitest';
import { templateOf } from '../../src/gateway/routing/catalog.ts';

it.each([
  ['test://x/{id}', 'test://x/1', true],
  ['test://x/{id}/y', 'test://x/1/y', true],
  ['test://x/{id}/y', 'test://x/1/z', false],
  ['{+path}', 'anything://at/all', true],
  ['test://{a}-{b}', 'test://1-2', true],
  ['test://{a}-{b}', 'test://12', false],
  ['test://x{?q*}', 'test://x?q=1', true],
  ['aa{x}aa', 'aaa', false],
  ['test://plain', 'test://plain', true],
  ['test://plain', 'test://plain/more', false],
])('%s and %s: %s', (template, uri, expected) => {
  expect(templateOf(template).matches(uri)).toBe(expected);
});

it('stays quick on a template made to be slow', () => {
  const template = templateOf(`${'a{x}'.repeat(2_000)}b`);
  expect(template.matches('a'.repeat(50_000))).toBe(false);
});
