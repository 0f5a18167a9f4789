// ELI-05: defaults of every kind where the revision has them; on booleans only before; and they fill what a person leaves out.
import { expect, test } from 'vitest';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const SCHEMA =
  '{"type":"object","properties":{"s":{"type":"string","default":"x"},"i":{"type":"integer","default":0},"n":{"type":"number","default":1.5},"b":{"type":"boolean","default":false},"e":{"type":"string","enum":["p","q"],"default":"q"}}}';
const params = `{"message":"m","requestedSchema":${SCHEMA}}`;

async function askedAt(revision: string): Promise<string> {
  const { host } = await scene({
    host: { revision, capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  await host.ask({ params });
  return slice(host.questions[0]?.params ?? '', 'requestedSchema') ?? '';
}

test('a 2025-11-25 host gets them as they are', async () => {
  expect(await askedAt('2025-11-25')).toBe(SCHEMA);
});

test('a 2025-06-18 host gets the default of a boolean, and no other', async () => {
  expect(JSON.parse(await askedAt('2025-06-18'))).toEqual({
    type: 'object',
    properties: {
      s: { type: 'string' },
      i: { type: 'integer' },
      n: { type: 'number' },
      b: { type: 'boolean', default: false },
      e: { type: 'string', enum: ['p', 'q'] },
    },
  });
});

test('an accept on the command line sends the defaults of what is not given', async () => {
  // The schema of 2025-11-25 forgets that a number may have a fraction; its text does not.
  const { host, gateway, row } = await scene({ exempt: ['/result/content'] });
  const call = host.startCall('ask', { params });
  const { id } = await row();
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'i=7'])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual([
    '{"action":"accept","content":{"s":"x","i":7,"n":1.5,"b":false,"e":"q"}}',
  ]);
});
