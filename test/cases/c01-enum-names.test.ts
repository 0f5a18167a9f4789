// C01: labels of an old enum (`enumNames`) are shown, raw values are sent.
import { expect, test } from 'vitest';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { askedOf } from '../support/asking.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

const schema = (names: string) =>
  `{"type":"object","properties":{"pet":{"type":"string","title":"Pet","enum":["p1","p2","p3"],"enumNames":${names},"default":"p2"}},"required":["pet"]}`;

test('the labels are shown, the default is sent as it is', async () => {
  const { elicit, answer } = await askedOf(schema('["Cat","Dog","Bird"]'));
  const shown = await elicit('show');
  for (const label of ['Cat', 'Dog', 'Bird']) expect(shown.stdout).toContain(label);
  expect(await elicit('accept')).toMatchObject({ code: 0 });
  expect(await answer()).toBe('{"action":"accept","content":{"pet":"p2"}}');
});

test('where labels are missing the raw value stands in', async () => {
  const { elicit, answer } = await askedOf(schema('["Cat"]'));
  const shown = await elicit('show');
  for (const label of ['Cat', 'p2', 'p3']) expect(shown.stdout).toContain(label);
  expect(await elicit('accept', '-F', 'pet=p3')).toMatchObject({ code: 0 });
  expect(await answer()).toBe('{"action":"accept","content":{"pet":"p3"}}');
});

test('a value that is no choice is refused, and the question stays', async () => {
  const { elicit, row } = await askedOf(schema('["Cat","Dog","Bird"]'));
  expect(await elicit('accept', '-F', 'pet=p9')).toMatchObject({ code: 8 });
  expect((await row()).state).toBe('pending');
});

test('a 2025-06-18 host gets enum and enumNames', async () => {
  const { host } = await scene({
    host: {
      revision: '2025-06-18',
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"decline"}' }),
    },
  });
  await host.ask({ params: `{"message":"m","requestedSchema":${schema('["Cat","Dog","Bird"]')}}` });
  expect(JSON.parse(slice(host.questions[0]?.params ?? '', 'requestedSchema') ?? '').properties.pet).toEqual({
    type: 'string',
    title: 'Pet',
    enum: ['p1', 'p2', 'p3'],
    enumNames: ['Cat', 'Dog', 'Bird'],
  });
});
