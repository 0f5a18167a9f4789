// What a -32042 requires, by table; and the one mcpx writes itself.
import { expect, test } from 'vitest';
import { isUrlRequired, readUrlRequired, urlRequiredReply } from '../../src/protocol/url-required.ts';
import { lintIfPresent } from '../support/wire-lint.ts';

const entry = (more: object = {}): string =>
  JSON.stringify({
    mode: 'url',
    elicitationId: 'e-1',
    url: 'https://example.com/',
    message: 'Link',
    ...more,
  });
const error = (entries: string, code: string = '-32042'): string =>
  `{"code":${code},"message":"m","data":{"elicitations":${entries}}}`;

test('reads each entry, its text as it came', () => {
  const odd =
    '{"url":"https:\\/\\/example.com\\/2", "x":1.0,"elicitationId":"e-2","mode":"url","message":"B"}';
  expect(readUrlRequired(error(`[${entry()}, ${odd}]`), 64)).toEqual([
    { params: entry(), message: 'Link', url: 'https://example.com/', elicitationId: 'e-1' },
    { params: odd, message: 'B', url: 'https://example.com/2', elicitationId: 'e-2' },
  ]);
});

test('an entry without a message has an empty one', () => {
  const bare = '{"mode":"url","elicitationId":"e","url":"https://example.com/"}';
  expect(readUrlRequired(error(`[${bare}]`), 64)?.[0]).toMatchObject({
    message: '',
    params: expect.stringContaining('"message":""'),
  });
});

test.each([
  ['another code', error(`[${entry()}]`, '-32041')],
  ['a code that is text', error(`[${entry()}]`, '"-32042"')],
  ['no data', '{"code":-32042,"message":"m"}'],
  ['data that is a list', '{"code":-32042,"message":"m","data":[]}'],
  ['elicitations that are an object', error('{}')],
  ['no entry', error('[]')],
  ['an entry that is text', error('["https://example.com/"]')],
  ['a form', error(`[${entry({ mode: 'form', requestedSchema: { type: 'object', properties: {} } })}]`)],
  ['no mode', error(`[${entry({ mode: undefined })}]`)],
  ['no id', error(`[${entry({ elicitationId: undefined })}]`)],
  ['an id that is a number', error(`[${entry({ elicitationId: 1 })}]`)],
  ['no URL', error(`[${entry({ url: undefined })}]`)],
  ['a message that is a number', error(`[${entry({ message: 1 })}]`)],
  ['one good, one bad', error(`[${entry()},{}]`)],
  ['a key of an entry twice', error(`[${entry().replace('{', '{"url":"https://evil.example/",')}]`)],
  ['the list twice', `{"code":-32042,"message":"m","data":{"elicitations":[],"elicitations":[${entry()}]}}`],
  ['the data twice', `{"code":-32042,"data":{},"data":{"elicitations":[${entry()}]}}`],
])('requires nothing that can be asked: %s', (_what, text) => {
  expect(readUrlRequired(text, 64)).toBeUndefined();
});

test.each([
  ['-32042', true],
  ['-32042.0', true],
  ['-32602', false],
  ['null', false],
])('code %s: %s', (code, expected) => {
  expect(isUrlRequired(`{"code":${code},"message":"m"}`)).toBe(expected);
});

test('what mcpx writes is read again, and is what the revision defines', () => {
  const reply = urlRequiredReply('Open "it"', [entry(), entry({ elicitationId: 'e-2' })]);
  if (!('error' in reply)) throw new Error('no error');
  expect(elicitationIds(reply.error)).toEqual(['e-1', 'e-2']);
  const message = { jsonrpc: '2.0', id: 1, error: JSON.parse(reply.error) };
  expect(lintIfPresent('2025-11-25', 'URLElicitationRequiredError', message)).toEqual([]);
});

test('more entries than the limit are named as many, and none of them is read', () => {
  const three = error(`[${entry()},${entry()},7]`);
  expect(readUrlRequired(three, 2)).toBe('many');
  expect(readUrlRequired(three, 3)).toBeUndefined();
});

function elicitationIds(text: string): string[] {
  const urls = readUrlRequired(text, 64);
  return typeof urls === 'object' ? urls.map(({ elicitationId }) => elicitationId) : [];
}
