// ELI-02: the schema is the upstream's own: it reaches host and row as it was written, in the subset or not.
import { expect, test } from 'vitest';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const EXEMPT = ['/params/requestedSchema'];

const SCHEMAS = {
  flat: '{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer","minimum":1.0}},"required":["a"]}',
  nested: '{"type":"object","properties":{"addr":{"type":"object","properties":{"zip":{"type":"string"}}}}}',
  'with a big number':
    '{"type":"object","properties":{"n":{"type":"integer","maximum":12345678901234567890}}}',
  'with spaces': '{ "type": "object", "properties": { "x": {"type":"string"} } }',
};

test('whatever the schema, a 2025-11-25 host gets the same text', async () => {
  const { host } = await scene({
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
    exempt: EXEMPT,
  });
  for (const schema of Object.values(SCHEMAS))
    await host.ask({ params: `{"message":"m","requestedSchema":${schema}}` });
  expect(host.questions.map(({ params }) => slice(params ?? '', 'requestedSchema'))).toEqual(
    Object.values(SCHEMAS),
  );
});

test('the row keeps the schema, key order included', async () => {
  const schema = '{"properties":{"z":{"type":"string"},"a":{"type":"boolean"}},"type":"object"}';
  const { host, gateway, row } = await scene({ exempt: EXEMPT });
  const call = host.startCall('ask', { params: `{"message":"m","requestedSchema":${schema}}` });
  const { id } = await row();
  expect(JSON.stringify((await gateway.row(id)).requestedSchema)).toBe(schema);
  await gateway.mcpx(['elicit', 'decline', id]);
  expect(await answersOf(call.reply)).toEqual(['{"action":"decline"}']);
});
