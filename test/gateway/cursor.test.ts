import { expect, it } from 'vitest';
import { packCursors, unpackCursors } from '../../src/gateway/routing/lists.ts';

it('carries the cursors of all servers that have more', () => {
  const cursors = new Map([
    ['a', 'page "2"'],
    ['__proto__', ''],
  ]);
  const packed = packCursors(cursors);
  expect(packed).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(unpackCursors(packed ?? '', ['__proto__', 'a', 'b'])).toEqual(cursors);
});

it('has none when no server has more', () => {
  expect(packCursors(new Map())).toBeUndefined();
});

it.each([
  ['nonsense', 'x'],
  ['an empty list', Buffer.from('[]').toString('base64url')],
  ['a server that is not there', Buffer.from('[["gone","1"]]').toString('base64url')],
  ['a cursor that is no text', Buffer.from('[["a",1]]').toString('base64url')],
  ['an object', Buffer.from('{"a":"1"}').toString('base64url')],
])('refuses %s', (_, cursor) => {
  expect(unpackCursors(cursor, ['a'])).toBeUndefined();
});
