// What is read from `initialize`, and what each revision is answered.
import { expect, test } from 'vitest';
import { initializeResult, readInitialize } from '../../src/host/initialize.ts';

const from = { principal: 'local', transport: 'stdio' } as const;
const facts = (params: unknown) => readInitialize(JSON.stringify(params), from);

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2025-11-25'],
  ['1999-01-01', '2025-11-25'],
  ['', '2025-11-25'],
])('a host that asks for %s gets %s', (protocolVersion, revision) => {
  expect(facts({ protocolVersion })?.revision).toBe(revision);
});

test.each([[undefined], [null], [7], [['2025-11-25']]])(
  'protocolVersion %j is refused',
  (protocolVersion) => {
    expect(facts({ protocolVersion })).toBeUndefined();
  },
);

test('no params, or params that are no JSON, are refused', () => {
  expect(readInitialize(undefined, from)).toBeUndefined();
  expect(readInitialize('{"protocolVersion":"2025-11-25","x":tru}', from)).toBeUndefined();
});

test.each([[true], [[]], [null], ['elicitation'], [{ elicitation: true }]])(
  'capabilities %j are kept as they came',
  (capabilities) => {
    expect(facts({ protocolVersion: '2025-11-25', capabilities })).toEqual({
      ...from,
      revision: '2025-11-25',
      capabilities,
      clientName: '',
    });
  },
);

test.each([
  [{ name: 'editor', version: '1' }, 'editor'],
  [{ name: 7 }, ''],
  ['editor', ''],
  [null, ''],
])('clientInfo %j names %j', (clientInfo, name) => {
  expect(facts({ protocolVersion: '2025-11-25', clientInfo })?.clientName).toBe(name);
});

const info = { name: 'mcpx', version: '1.2.3', title: 'mcpx gateway' };

test.each([
  ['2024-11-05', false],
  ['2025-03-26', false],
  ['2025-06-18', true],
  ['2025-11-25', true],
])('serverInfo at %s has a title: %s', (protocolVersion, titled) => {
  const host = facts({ protocolVersion });
  if (host === undefined) throw new Error('refused');
  const result = JSON.parse(
    initializeResult(host, info, { capabilities: '{"tools":{}}', instructions: undefined }),
  );
  expect(result).toEqual({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: titled ? info : { name: 'mcpx', version: '1.2.3' },
  });
});

test('instructions and capabilities go out as given', () => {
  const host = facts({ protocolVersion: '2025-11-25' });
  if (host === undefined) throw new Error('refused');
  const text = initializeResult(host, info, { capabilities: '{"x":1.0}', instructions: 'Say "please".' });
  expect(text).toContain('"capabilities":{"x":1.0}');
  expect(JSON.parse(text).instructions).toBe('Say "please".');
});
