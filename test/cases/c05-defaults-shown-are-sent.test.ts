// C05: the defaults that are shown are the ones sent; falsy ones count, mistyped ones do not.
import { expect, test } from 'vitest';
import { askedOf } from '../support/asking.ts';

const SCHEMA =
  '{"type":"object","properties":{"notify":{"type":"boolean","default":true},"retries":{"type":"integer","default":0},"label":{"type":"string","default":""},"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":1,"default":["b"]},"bad":{"type":"boolean","default":"true"}},"required":["notify","tags"]}';
const CONTENT = '{"notify":true,"retries":0,"label":"","tags":["b"]}';

test('an untouched accept sends them', async () => {
  const { elicit, answer } = await askedOf(SCHEMA, { exempt: ['/params/requestedSchema'] });
  const dry = await elicit('accept', '--dry-run', '--json');
  expect(dry.code).toBe(0);
  expect(JSON.stringify(JSON.parse(dry.stdout))).toBe(CONTENT);
  expect(await elicit('accept')).toMatchObject({ code: 0 });
  expect(await answer()).toBe(`{"action":"accept","content":${CONTENT}}`);
});
