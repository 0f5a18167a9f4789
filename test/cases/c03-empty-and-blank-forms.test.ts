// C03: an empty form is a plain confirm; a form of optional fields can be left blank.
import { expect, test } from 'vitest';
import { askedOf } from '../support/asking.ts';
import { CAN_ASK, scene } from '../support/scene.ts';

const EMPTY = '{"type":"object","properties":{}}';
const OPTIONAL =
  '{"type":"object","properties":{"note":{"type":"string"},"n":{"type":"integer"},"mail":{"type":"string","format":"email"}}}';

test.each([
  ['accept', '{"action":"accept","content":{}}'],
  ['decline', '{"action":"decline"}'],
  ['cancel', '{"action":"cancel"}'],
])('an empty form takes %s', async (verb, expected) => {
  const { elicit, answer } = await askedOf(EMPTY, {}, 'Buy 1 loaf?');
  expect(await elicit(verb)).toMatchObject({ code: 0 });
  expect(await answer()).toBe(expected);
});

test('optional fields left blank are absent', async () => {
  const { elicit, answer } = await askedOf(OPTIONAL);
  expect(await elicit('accept')).toMatchObject({ code: 0 });
  expect(await answer()).toBe('{"action":"accept","content":{}}');
});

test('a host that accepts without content is passed on with an empty one', async () => {
  const { host } = await scene({
    host: { capabilities: CAN_ASK, answer: () => ({ result: '{"action":"accept"}' }) },
  });
  expect((await host.ask({ params: `{"message":"m","requestedSchema":${EMPTY}}` })).answers).toEqual([
    '{"action":"accept","content":{}}',
  ]);
});
