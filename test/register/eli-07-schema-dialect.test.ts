// ELI-07: `$schema` on a form: passed on where the revision has it, taken out where it has not, always kept on the row.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

const properties = { repo: { type: 'string' } };

test.each([
  ['2025-11-25', 'https://json-schema.org/draft/2020-12/schema', true],
  ['2025-11-25', 'http://json-schema.org/draft-07/schema#', true],
  ['2025-06-18', 'https://json-schema.org/draft/2020-12/schema', false],
])('a host at %s, %s: there is %s', async (revision, dialect, kept) => {
  const { host, gateway } = await scene({
    host: {
      revision,
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"accept","content":{"repo":"x"}}' }),
    },
  });
  const requestedSchema = { $schema: dialect, type: 'object', properties, required: ['repo'] };
  const { answers } = await host.ask({ params: JSON.stringify({ message: 'm', requestedSchema }) });
  expect(answers).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
  const { $schema, ...bare } = requestedSchema;
  const sent = JSON.parse(host.questions[0]?.params ?? '{}') as { requestedSchema: unknown };
  expect(sent.requestedSchema).toEqual(kept ? { $schema, ...bare } : bare);
  const [row] = await gateway.rows(['--all']);
  expect(row?.requestedSchema).toEqual(requestedSchema);
});
