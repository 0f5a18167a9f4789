// C10: a server that requires the same URL after every retry: one retry per consent, then the loop stops.
import { expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { calls, errorOf, FORM_AND_URL } from '../support/url.ts';

const needs = (id: string): string =>
  `{"code":-32042,"message":"Again","data":{"elicitations":[{"mode":"url","elicitationId":"${id}","url":"https://mcp.example.com/again","message":"Link"}]}}`;

test('the second -32042 is the reply, and a manual retry asks again', async () => {
  const { host, upstream, gateway } = await scene({
    host: { capabilities: FORM_AND_URL, answer: () => ({ result: '{"action":"accept"}' }) },
    config: { elicit: { urlWait: '200ms' } },
  });
  const error = needs('e-1');
  expect(errorOf(await host.startCall('fail', { error }).reply)).toBe(error);
  expect(calls(upstream)).toBe(2);
  expect(await gateway.rows(['--all'])).toHaveLength(1);
  // By hand, as often as the person likes: each consent is worth one retry.
  expect(errorOf(await host.startCall('fail', { error }).reply)).toBe(error);
  expect(calls(upstream)).toBe(4);
  expect(host.questions).toHaveLength(2);
});

test('a cancelled call is not sent again', async () => {
  const { host, upstream, gateway } = await scene({ host: { capabilities: FORM_AND_URL } });
  const { id } = host.startCall('fail', { error: needs('e-1') });
  await host.reply(await host.question(), { result: '{"action":"accept"}' });
  await host.cancel(id);
  await host.call('whoami');
  expect(calls(upstream)).toBe(1);
  expect(await gateway.rows()).toEqual([]);
});
