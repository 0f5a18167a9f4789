// ELI-06: values of an answer may be lists of strings; a host that knows no multi-select is not sent one.
import { expect, test } from 'vitest';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const SCHEMA =
  '{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}},"required":["tags"]}';
const params = `{"message":"m","requestedSchema":${SCHEMA}}`;
const ANSWER = '{"action":"accept","content":{"tags":["c","a"]}}';

test('a list that a 2025-11-25 host answers reaches the upstream as the same text', async () => {
  const { host } = await scene({ host: { capabilities: CAN_ASK, answer: () => ({ result: ANSWER }) } });
  expect((await host.ask({ params })).answers).toEqual([ANSWER]);
});

test('on the command line a repeated -F is a list', async () => {
  const { host, gateway, row } = await scene();
  const call = host.startCall('ask', { params });
  const { id } = await row();
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'tags=c', '-F', 'tags=a'])).toMatchObject({
    code: 0,
  });
  const [answer = ''] = await answersOf(call.reply);
  expect(JSON.parse(answer).content.tags.toSorted()).toEqual(['a', 'c']);
});

test('a 2025-06-18 host is not asked it: the question stays whole, with whoever can answer', async () => {
  const { host, gateway, row } = await scene({ host: { revision: '2025-06-18', capabilities: CAN_ASK } });
  const call = host.startCall('ask', { params });
  const { id, requestedSchema } = await row();
  expect(JSON.stringify(requestedSchema)).toBe(SCHEMA);
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'tags=b'])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"tags":["b"]}}']);
  expect(host.questions).toEqual([]);
});
