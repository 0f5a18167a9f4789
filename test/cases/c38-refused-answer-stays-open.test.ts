// C38: an answer that is refused leaves its question open, with the reason; test/tui/remote.test.ts looks at the screen.
import { expect, test } from 'vitest';
import type { HttpGateway } from '../support/gateway.ts';
import { restOf } from '../support/rest.ts';
import { answersOf, scene } from '../support/scene.ts';

test('400, 401, 403, 413 and 415 in a row, and the question still takes the right answer', async () => {
  const { host, gateway, row, pending } = await scene({ config: { limits: { answerBytes: 40 } } });
  const call = host.startCall('ask');
  const { id } = await row();
  const rest = restOf(gateway as HttpGateway & typeof gateway);
  const path = `/v1/elicit/${id}/accept`;
  const refusals: [number, unknown, Record<string, string>?][] = [
    [400, { content: {} }],
    [400, { content: { repo: 7 } }],
    [401, { content: { repo: 'x' } }, { authorization: 'Bearer x' }],
    [403, { content: { repo: 'x' } }, { origin: 'https://evil.example' }],
    [413, { content: { repo: 'x'.repeat(100) } }],
    [415, { content: { repo: 'x' } }, { 'content-type': 'text/plain' }],
  ];
  for (const [status, body, headers] of refusals) {
    const got = await rest.post(path, body, headers);
    expect([got.status, got.json.error?.message]).toEqual([status, expect.stringMatching(/\w+ \w+.*\.$/)]);
    await pending(1);
  }
  expect((await rest.post(path, { content: { repo: 'x' } })).status).toBe(200);
  expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
});
