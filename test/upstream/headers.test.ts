// Which headers a modern request has, by table.
import { expect, test } from 'vitest';
import { paramHeaders } from '../../src/protocol/param-headers.ts';
import { paramHeaderValues, standardHeaders } from '../../src/upstream/modern/headers.ts';

const SCHEMA = {
  properties: {
    s: { type: 'string', 'x-mcp-header': 'Text' },
    n: { type: 'integer', 'x-mcp-header': 'Number' },
    b: { type: 'boolean', 'x-mcp-header': 'Flag' },
    o: { properties: { constructor: { type: 'string', 'x-mcp-header': 'Deep' } } },
  },
};

test.each<[string, string, Record<string, string>]>([
  ['a text', '{"s":"us-west1"}', { 'mcp-param-text': 'us-west1' }],
  ['an empty text', '{"s":""}', { 'mcp-param-text': '' }],
  ['a text with a line break', '{"s":"a\\r\\nX: y"}', { 'mcp-param-text': '=?base64?YQ0KWDogeQ==?=' }],
  ['half a surrogate', '{"s":"\\ud800"}', { 'mcp-param-text': '=?base64?77+9?=' }],
  ['an integer', '{"n":-7}', { 'mcp-param-number': '-7' }],
  ['an integer in other words', '{"n":1.5e1}', { 'mcp-param-number': '15' }],
  ['the largest that is safe', '{"n":9007199254740991}', { 'mcp-param-number': '9007199254740991' }],
  ['one that is not', '{"n":9007199254740993}', {}],
  ['no number at all', '{"n":1e999}', {}],
  ['a boolean', '{"b":false}', { 'mcp-param-flag': 'false' }],
  ['null', '{"s":null,"n":null,"b":null}', {}],
  ['an object where a text should be', '{"s":{"a":1},"n":[1]}', {}],
  ['one further down', '{"o":{"constructor":"x"}}', { 'mcp-param-deep': 'x' }],
  ['nothing on the way', '{"o":7}', {}],
  ['no arguments', 'null', {}],
])('%s', (_, args, expected) => {
  const found = paramHeaders(SCHEMA);
  if (!found.ok) throw new Error(found.reason);
  expect(paramHeaderValues(found.headers, `{"name":"x","arguments":${args}}`)).toEqual(expected);
});

test.each<[string, string | undefined, string | undefined]>([
  ['tools/call', '{"name":"x","uri":"y"}', 'x'],
  ['prompts/get', '{"name":"x"}', 'x'],
  ['resources/read', '{"name":"x","uri":"y:z"}', 'y:z'],
  ['tools/list', '{"name":"x"}', undefined],
  ['tools/call', undefined, undefined],
  ['tools/call', '{"name":7}', undefined],
])('Mcp-Name of %s %s', (method, params, name) => {
  expect(standardHeaders('2026-07-28', method, params)).toEqual({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  });
});
