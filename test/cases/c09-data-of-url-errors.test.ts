// C09: the data of -32042 arrives, for tools, resources and prompts alike.
import { describe, expect, test } from 'vitest';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';
import { calls, errorOf, FORM_AND_URL, NEEDS_TWO, paramsOf, sayComplete } from '../support/url.ts';

/** The three requests that may be interrupted, each answered by the fixture with this error. */
const REQUESTS: readonly (readonly [method: string, params: string])[] = [
  ['tools/call', JSON.stringify({ name: 'fail', arguments: { error: NEEDS_TWO } })],
  ['resources/read', JSON.stringify({ uri: `fixture://fail?error=${encodeURIComponent(NEEDS_TWO)}` })],
  ['prompts/get', JSON.stringify({ name: 'greet', arguments: { error: NEEDS_TWO } })],
];

describe.each(REQUESTS)('%s', (method, params) => {
  test('two rows are asked inline; accepted and completed, it is sent once more', async () => {
    const { host, upstream, gateway } = await scene({ host: { capabilities: FORM_AND_URL } });
    const { reply } = host.start(method, params);
    const asked = [await host.question(0), await host.question(1)].map(paramsOf);
    expect(asked.map(({ url }) => url)).toEqual([
      'https://mcp.example.com/c?e=1',
      'https://mcp.example.com/c?e=2',
    ]);
    const rows = await gateway.rows();
    expect(rows.map(({ method: by }) => by)).toEqual([method, method]);
    for (const question of host.questions) await host.reply(question, { result: '{"action":"accept"}' });
    await until('both accepted', async () => (await gateway.rows()).length === 0);
    await sayComplete(host, 'e-1');
    expect(calls(upstream, method)).toBe(1);
    await sayComplete(host, 'e-2');
    // The fixture fails each time, which is when the loop has to stop (C10).
    expect(errorOf(await reply)).toBe(NEEDS_TWO);
    expect(calls(upstream, method)).toBe(2);
  });

  test('one declined: code and data arrive as they were', async () => {
    const { host, upstream } = await scene({ host: { capabilities: FORM_AND_URL } });
    const { reply } = host.start(method, params);
    await host.reply(await host.question(1), { result: '{"action":"decline"}' });
    const error = errorOf(await reply);
    expect(error).toBe(NEEDS_TWO);
    expect(JSON.parse(error).data.x).toBe(1);
    expect(calls(upstream, method)).toBe(1);
  });

  test('without a host for it the broker asks, and the host is told in plain words', async () => {
    const { host, gateway, pending } = await scene({
      host: { revision: '2025-06-18', capabilities: '{"elicitation":{}}' },
    });
    const { reply } = host.start(method, params);
    const [row] = await pending(2);
    await gateway.mcpx(['elicit', 'decline', row?.id ?? '']);
    const error = JSON.parse(errorOf(await reply)) as { code: number; message: string };
    expect(error.code).toBe(-32603);
    expect(error.message).toMatch(/fixture .*Link A.*Link B/);
    expect(host.questions).toEqual([]);
  });
});
