// Secrets are taken out of texts in every spelling in which they come back, and nothing else is.
import { expect, test } from 'vitest';
import { Redactor } from '../../src/text/redact.ts';

const VALUE = 'sk-live/+9f8e "7d6c';
const redactor = new Redactor([
  { name: 'KEY', value: VALUE, certain: true },
  { name: 'DIR', value: '/home/somebody', certain: false },
  { name: 'PIN', value: '12345678', certain: true },
  { name: 'SHORT', value: 'abc', certain: true },
  { name: 'a b[c]', value: 'another-secret', certain: true },
]);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each<[string, string, string]>([
  ['as it is', `no: ${VALUE}.`, 'no: [KEY].'],
  ['twice', `${VALUE} ${VALUE}`, '[KEY] [KEY]'],
  ['in a JSON string', JSON.stringify({ a: VALUE }), '{"a":"[KEY]"}'],
  ['percent-encoded', `?k=${encodeURIComponent(VALUE)}&`, '?k=[KEY]&'],
  ['percent-encoded in lower case', encodeURIComponent(VALUE).toLowerCase(), '[KEY]'],
  ['as a form has it', encodeURIComponent(VALUE).replaceAll('%20', '+'), '[KEY]'],
  ['in hex', Buffer.from(VALUE).toString('hex'), '[KEY]'],
  ['not certain, in a text', 'in /home/somebody/x', 'in [DIR]/x'],
  ['digits, in a text', 'pin 12345678', 'pin [PIN]'],
  ['too short to tell', 'abc', 'abc'],
  ['a name that is no word', 'another-secret', '[a-b-c-]'],
  ['another text', 'nothing here', 'nothing here'],
  ['cut off at the end', `said: ${VALUE.slice(0, 9)}…`, 'said: [KEY]…'],
])('%s', (_what, text, masked) => {
  expect(redactor.text(text)).toBe(masked);
});

test.each([0, 1, 2, 3, 4, 5])('in Base64 behind %i other bytes', (before) => {
  for (const text of [base64(`${'x'.repeat(before)}${VALUE}`), base64(`${'x'.repeat(before)}${VALUE}yz`)])
    for (const spelled of [text, text.replaceAll('+', '-').replaceAll('/', '_')]) {
      const masked = redactor.text(spelled);
      expect(masked).toContain('[KEY]');
      expect(Buffer.from(masked.replace('[KEY]', ''), 'base64').toString('latin1')).not.toContain('live');
    }
});

test('in JSON that is passed on, only what is a secret for certain and stands in a string', () => {
  const text = JSON.stringify({ id: 12_345_678, path: '/home/somebody', key: VALUE });
  expect(redactor.json(text)).toBe('{"id":12345678,"path":"/home/somebody","key":"[KEY]"}');
  expect(redactor.errorJson(text)).toBe('{"id":12345678,"path":"[DIR]","key":"[KEY]"}');
});

test('a long text is looked through for the values as they are', () => {
  const long = 'x'.repeat(1_100_000);
  expect(redactor.json(`"${long}${JSON.stringify(VALUE).slice(1, -1)}"`)).toBe(`"${long}[KEY]"`);
});

test('without secrets nothing is changed', () => {
  const none = new Redactor([]);
  expect([none.isEmpty, none.text(VALUE), none.json('"a"'), none.errorJson('"a"')]).toEqual([
    true,
    VALUE,
    '"a"',
    '"a"',
  ]);
});
