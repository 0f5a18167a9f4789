// The params of a request, found in one walk: what is read from them, what stands twice, and what is put in its place.
import { expect, test } from 'vitest';
import { Params, paramsOf, shareParams } from '../../src/protocol/params.ts';

const TEXT =
  '{ "name" : "a\\u0062" , "other":[1,{"name":2}], "_meta": { "progressToken" : 7 , "x":{} }, "ref":{"type":"t"} }';

test.each<[readonly string[], string | undefined]>([
  [['name'], '"a\\u0062"'],
  [['other'], '[1,{"name":2}]'],
  [['_meta', 'progressToken'], '7'],
  [['_meta', 'x'], '{}'],
  [['ref', 'type'], '"t"'],
  [['ref', 'name'], undefined],
  [['cursor'], undefined],
  [['nothing'], undefined],
  [['nothing', 'inside'], undefined],
  [['name', 'inside'], undefined],
])('%j is %j', (path, value) => {
  expect(new Params(TEXT).at(path)).toBe(value);
});

test.each<[string, string | undefined]>([
  ['{"name":1,"name":2}', 'name'],
  ['{"name":1,"n\\u0061me":2}', 'name'],
  ['{"_meta":{"progressToken":1,"progressToken":2}}', 'progressToken'],
  ['{"ref":{"uri":1,"uri":1}}', 'uri'],
  ['{"other":1,"other":2,"_meta":{"x":1,"x":2}}', undefined],
  ['{"arguments":{"name":1,"name":2}}', undefined],
  ['{"_meta":[{"progressToken":1,"progressToken":2}]}', undefined],
])('%s has %s twice', (text, key) => {
  expect(new Params(text).repeated).toBe(key);
});

test.each<[string, readonly string[], string | undefined, string]>([
  ['{ "name" : 1 ,"x":1.0}', ['name'], '"b"', '{ "name" : "b" ,"x":1.0}'],
  [
    '{"a":1,"_meta":{"x":1, "progressToken" : 7}}',
    ['_meta', 'progressToken'],
    '"c"',
    '{"a":1,"_meta":{"x":1, "progressToken" : "c"}}',
  ],
  ['{"_meta":{"progressToken":7,"x":1}}', ['_meta', 'progressToken'], undefined, '{"_meta":{"x":1}}'],
  ['{"a":1}', ['name'], '2', '{"a":1,"name":2}'],
  ['{"a":1}', ['_meta', 'progressToken'], '2', '{"a":1,"_meta":{"progressToken":2}}'],
])('%s with %j as %s', (text, path, value, expected) => {
  expect(new Params(text).with(path, value)).toBe(expected);
});

test('the index is made once for one request, and goes with its params', () => {
  const message = { params: TEXT };
  const index = paramsOf(message);
  expect(paramsOf(message)).toBe(index);
  const exchange = { params: TEXT };
  shareParams(message, exchange);
  expect(paramsOf(exchange)).toBe(index);
  const renamed = { params: '{}' };
  shareParams(message, renamed);
  expect(paramsOf(renamed)?.text).toBe('{}');
  expect(paramsOf({})).toBeUndefined();
});
