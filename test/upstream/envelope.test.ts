// The `_meta` of every modern request: mcpx's own keys first, what others wrote kept as it came.
import { expect, test } from 'vitest';
import { Envelopes } from '../../src/upstream/modern/envelope.ts';

const OWN =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientInfo":{"name":"mcpx","version":"1.2.3"},' +
  '"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}';
const LEVEL = ',"io.modelcontextprotocol/logLevel":"info"';

test.each<[string, string | undefined, string]>([
  ['no params', undefined, `{"_meta":{${OWN}}}`],
  ['empty params', '{}', `{"_meta":{${OWN}}}`],
  ['params without', '{"a":1.0}', `{"a":1.0,"_meta":{${OWN}}}`],
  ['an empty one, in its place', '{"_meta":{ },"a":1}', `{"_meta":{${OWN} },"a":1}`],
  ['keys of others', '{"_meta":{"x":1.0,"__proto__":2}}', `{"_meta":{${OWN},"x":1.0,"__proto__":2}}`],
  ['one that is none', '{"_meta":7}', `{"_meta":{${OWN}}}`],
  [
    'forged ones',
    '{"_meta":{"io.modelcontextprotocol/logLevel":"debug","x":1,"io.modelcontextprotocol/clientInfo":{"name":"y"}}}',
    `{"_meta":{${OWN},"x":1}}`,
  ],
  [
    'only forged ones',
    '{"_meta":{"io.modelcontextprotocol\\u002fprotocolVersion":"1"}}',
    `{"_meta":{${OWN}}}`,
  ],
])('%s', (_, params, expected) => {
  const envelopes = new Envelopes('2026-07-28', '1.2.3');
  expect(envelopes.around(params, '{"elicitation":{}}')).toBe(expected);
  const logged = envelopes.around(params, '{"elicitation":{}}', 'info');
  expect(logged).toBe(expected.replace(OWN, OWN + LEVEL));
});

test('what the revision no longer has is taken out of the capabilities, for any number of them', () => {
  const envelopes = new Envelopes('2026-07-28', '1');
  for (let index = 0; index < 250; index += 1) {
    const text = envelopes.around('{}', `{"roots":{"listChanged":true},"experimental":{"n":${index}}}`);
    expect(text).toContain(`{"roots":{},"experimental":{"n":${index}}}`);
  }
});
