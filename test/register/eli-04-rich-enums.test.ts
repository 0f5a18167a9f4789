// ELI-04: rich enums: as they came to a 2025-11-25 host, spelled down for 2025-06-18, and kept whole where there is no word.
import { expect, test } from 'vitest';
import { CAN_ASK, scene } from '../support/scene.ts';

const titled = {
  type: 'string',
  title: 'Color',
  description: 'Pick one',
  oneOf: [
    { const: '#f00', title: 'Red' },
    { const: '#0f0', title: 'Green' },
  ],
  default: '#0f0',
};
const untitled = { type: 'string', enum: ['a', 'b'], default: 'b' };
const legacy = { type: 'string', enum: ['p1', 'p2'], enumNames: ['Cat', 'Dog'] };
const many = { type: 'array', items: { type: 'string', enum: ['x', 'y', 'z'] }, minItems: 1, maxItems: 2 };
const manyTitled = {
  type: 'array',
  items: {
    anyOf: [
      { const: 'x', title: 'Ex' },
      { const: 'y', title: 'Why' },
    ],
  },
};

const question = (properties: object) => ({
  message: 'Choose',
  requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
});
const schemaOf = (params: string | undefined): unknown => JSON.parse(params ?? '{}').requestedSchema;

test('a 2025-06-18 host gets a titled single-select as enum and enumNames, and its answer is the constant', async () => {
  const { host } = await scene({
    host: {
      revision: '2025-06-18',
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"accept","content":{"color":"#f00","plain":"a","pet":"p2"}}' }),
    },
  });
  const asked = question({ color: titled, plain: untitled, pet: legacy });
  const { answers } = await host.ask({ params: JSON.stringify(asked) });
  expect(answers).toEqual(['{"action":"accept","content":{"color":"#f00","plain":"a","pet":"p2"}}']);
  expect(schemaOf(host.questions[0]?.params)).toEqual({
    type: 'object',
    properties: {
      color: {
        type: 'string',
        title: 'Color',
        description: 'Pick one',
        enum: ['#f00', '#0f0'],
        enumNames: ['Red', 'Green'],
      },
      plain: { type: 'string', enum: ['a', 'b'] },
      pet: legacy,
    },
    required: ['color', 'plain', 'pet'],
  });
});

test('a 2025-11-25 host gets every kind as it came', async () => {
  const { host } = await scene({
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"decline"}' }) },
  });
  const asked = question({ titled, untitled, legacy, many, manyTitled });
  await host.ask({ params: JSON.stringify(asked) });
  expect(schemaOf(host.questions[0]?.params)).toEqual(asked.requestedSchema);
});

test.each([
  ['untitled', { tags: many }],
  ['titled', { tags: manyTitled }],
  ['beside a single-select', { color: titled, tags: many }],
])(
  'a multi-select (%s) is not put to a 2025-06-18 host; it waits whole, and a list comes back',
  async (_what, properties) => {
    const { host, gateway, row } = await scene({ host: { revision: '2025-06-18', capabilities: CAN_ASK } });
    const asked = question(properties);
    const call = host.startCall('ask', { params: JSON.stringify(asked) });
    const { id } = await row();
    expect(await gateway.row(id)).toMatchObject({
      requestedSchema: asked.requestedSchema,
      audience: 'human',
      host: { inline: false },
    });
    const fields = ['-F', 'tags=x', '-F', 'tags=y', ...('color' in properties ? ['-F', 'color=#f00'] : [])];
    expect(await gateway.mcpx(['elicit', 'accept', id, ...fields])).toMatchObject({ code: 0 });
    const reply = JSON.stringify(await call.reply);
    expect(JSON.parse(JSON.parse(JSON.parse(reply).result).content[0].text).answers.map(JSON.parse)).toEqual([
      { action: 'accept', content: { ...('color' in properties && { color: '#f00' }), tags: ['x', 'y'] } },
    ]);
    expect(host.questions).toEqual([]);
  },
);
