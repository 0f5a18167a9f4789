import { expect, it } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue } from '../../src/protocol/param-headers.ts';

it.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', ''],
  ['in\tside and é', '=?base64?aW4Jc2lkZSBhbmQgw6k=?='],
  ['=?base64?', '=?base64?'],
  ['=?BASE64?SGk=?=', '=?BASE64?SGk=?='],
])('%j goes as %j and comes back', (value, header) => {
  expect(encodeHeaderValue(value)).toBe(header);
  expect(decodeHeaderValue(header)).toBe(value);
});

it.each([
  ['=?base64?SGVsbG8?=', 'padding is missing'],
  ['=?base64?SGVs!!!bG8=?=', 'characters that are no Base64'],
  ['=?base64?SGVsbG8_?=', 'the alphabet of URLs'],
  ['=?base64?/w==?=', 'bytes that are no UTF-8'],
  ['caf\u00e9', 'a character that is not ASCII'],
  ['a\u0001', 'a control character'],
])('%j is refused: %s', (header) => {
  expect(decodeHeaderValue(header)).toBeUndefined();
});

it('takes white space around a value for what it is', () => {
  expect(decodeHeaderValue(' \techo ')).toBe('echo');
  expect(decodeHeaderValue('=?base64??=')).toBe('');
});
