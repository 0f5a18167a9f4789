// C02: the schema is relayed as it came: $schema, unknown keywords, enumNames, key order.
import { expect, test } from 'vitest';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { askedOf } from '../support/asking.ts';
import { HOST_TRANSPORTS } from '../support/gateway.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

const SCHEMA =
  '{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"c":{"type":"string","x-hint":"slow"},"a":{"type":"string","enum":["1","2"],"enumNames":["One","Two"]},"b":{"type":"integer"}},"x-more":[1.0,{"k":null}]}';
const exempt = ['/params/requestedSchema'];

test.each(HOST_TRANSPORTS)('a host over %s gets the same text', async (transport) => {
  const { host } = await scene({
    transport,
    exempt,
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  await host.ask({ params: `{"message":"m","requestedSchema":${SCHEMA}}` });
  expect(slice(host.questions[0]?.params ?? '', 'requestedSchema')).toBe(SCHEMA);
});

test('`show --json` prints the same value, key order included', async () => {
  const { elicit } = await askedOf(SCHEMA, { exempt });
  const { stdout } = await elicit('show', '--json');
  expect(JSON.stringify(JSON.parse(stdout).requestedSchema)).toBe(JSON.stringify(JSON.parse(SCHEMA)));
});
