// C04: a schema outside the flat subset is relayed whole, named as unusual, and can still be answered, declined, cancelled.
import { expect, test } from 'vitest';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { askedOf } from '../support/asking.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

const SCHEMA =
  '{"type":"object","properties":{"addr":{"type":"object","properties":{"zip":{"type":"string"}}},"odd":{"type":"object","enum":["a"]},"rows":{"type":"array","items":{"type":"object"}},"__proto__":{"type":"string"},"constructor":{"type":"boolean"}},"required":["addr"]}';
const exempt = ['/params/requestedSchema'];

test('the host receives it as it is', async () => {
  const { host } = await scene({
    exempt,
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  await host.ask({ params: `{"message":"m","requestedSchema":${SCHEMA}}` });
  expect(slice(host.questions[0]?.params ?? '', 'requestedSchema')).toBe(SCHEMA);
});

test('`show` names every field, hostile names included', async () => {
  const { elicit } = await askedOf(SCHEMA, { exempt });
  const { code, stdout } = await elicit('show');
  expect(code).toBe(0);
  for (const name of ['addr', 'odd', 'rows', '__proto__', 'constructor']) expect(stdout).toContain(name);
});

test.each(['decline', 'cancel'])('%s stays usable', async (verb) => {
  const { elicit, answer } = await askedOf(SCHEMA, { exempt });
  expect(await elicit(verb)).toMatchObject({ code: 0 });
  expect(await answer()).toBe(`{"action":"${verb}"}`);
});

test('an accept is held to the schema: what is missing or wrong is exit 8, what fits is sent as it is', async () => {
  const { elicit, answer } = await askedOf(SCHEMA, { exempt: [...exempt, '/result/content'] });
  expect(await elicit('accept')).toMatchObject({ code: 8 });
  expect(await elicit('accept', '-F', 'addr={"zip":1}')).toMatchObject({ code: 8 });
  expect(await elicit('accept', '-F', 'addr={"zip":"1"}', '-F', '__proto__=x')).toMatchObject({ code: 0 });
  expect(await answer()).toBe('{"action":"accept","content":{"addr":{"zip":"1"},"__proto__":"x"}}');
});
