import { describe, expect, it } from 'vitest';
import { exposedName, mayBeCut, namingFor, splitName } from '../../src/gateway/routing/catalog.ts';

describe('namingFor', () => {
  it.each([
    ['auto', 1, 'plain'],
    ['auto', 2, 'prefix'],
    ['plain', 2, 'plain'],
    ['prefix', 1, 'prefix'],
  ] as const)('%s with %i servers is %s', (naming, servers, expected) => {
    expect(namingFor(naming, servers)).toBe(expected);
  });
});

describe('exposedName', () => {
  it('leaves plain names alone, however long', () => {
    expect(exposedName('plain', 'github', 'x'.repeat(100))).toBe('x'.repeat(100));
  });

  it('prefixes with the server, its odd characters replaced', () => {
    expect(exposedName('prefix', 'my server', 'echo')).toBe('my-server__echo');
  });

  it('cuts over 64 characters and tells two long names apart', () => {
    const one = exposedName('prefix', 'github', `${'x'.repeat(70)}1`);
    const two = exposedName('prefix', 'github', `${'x'.repeat(70)}2`);
    expect(one).toHaveLength(64);
    expect(one).not.toBe(two);
    expect(mayBeCut(one)).toBe(true);
    expect(exposedName('prefix', 'a', 'x'.repeat(61))).toHaveLength(64);
  });

  it('does not cut a surrogate pair in half', () => {
    const name = exposedName('prefix', 'a', `${'x'.repeat(51)}${'🙂'.repeat(20)}`);
    expect(name).toMatch(/^a__x+_[0-9a-f]{8}$/);
  });
});

describe('splitName', () => {
  it.each([
    ['a__b__c', ['a', 'a__b'], { server: 'a__b', name: 'c' }],
    ['a__x', ['a', 'a__b'], { server: 'a', name: 'x' }],
    ['a__', ['a'], { server: 'a', name: '' }],
    ['b__x', ['a'], undefined],
    ['x', ['a'], undefined],
  ])('%s among %j', (exposed, servers, expected) => {
    expect(splitName(servers, exposed)).toEqual(expected);
  });
});
