// C15: what a host replies to requests of servers reaches them, whatever their ids; an error of a host is no decline.
import { expect, test } from 'vitest';
import type { HttpHost } from '../support/host-http.ts';
import { answersOf, CAN_ASK, scene } from '../support/scene.ts';

const NO_METHOD = '{"code":-32601,"message":"Method not found"}';

test('a ping 7 and a question "7" on the GET stream are told apart, and replies to nobody do no harm', async () => {
  const { host, upstream } = await scene({
    upstream: { transport: 'http' },
    host: { capabilities: CAN_ASK },
  });
  const http = host as HttpHost;
  expect(await http.openStream()).toBe(200);
  host.answerWith(({ method }) => ({
    result: method === 'ping' ? '{}' : '{"action":"accept","content":{"repo":"x"}}',
  }));
  const calls = [
    host.startCall('server-ping', { id: '7', on: 'get' }),
    host.startCall('ask', { id: '"7"', on: 'get' }),
  ];
  const [ping, ask] = await Promise.all(calls.map(({ reply }) => answersOf(reply)));
  expect(ping).toEqual(['{}']);
  expect(ask).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
  expect(
    await upstream.message('the pong', ({ id, result }) => id === 7 && result !== undefined),
  ).toMatchObject({
    id: 7,
  });
  expect(await upstream.message('the answer', ({ id }) => id === '7')).toMatchObject({
    result: { action: 'accept' },
  });
  for (const id of ['"nobody"', '4711', '7', '"7"']) {
    const { status, body } = await http.post(`{"jsonrpc":"2.0","id":${id},"result":{"action":"decline"}}`);
    expect([status, body]).toEqual([202, '']);
  }
  expect(await answersOf(host.startCall('ask').reply)).toEqual([
    '{"action":"accept","content":{"repo":"x"}}',
  ]);
});

test('with the broker on, an error of the host leaves the question open for others, and it is not asked again', async () => {
  const { host, gateway, row } = await scene({ host: { capabilities: CAN_ASK } });
  host.answerWith(() => ({ error: NO_METHOD }));
  const call = host.startCall('ask');
  await host.question();
  const { id } = await row();
  expect(await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=x'])).toMatchObject({ code: 0 });
  expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"x"}}']);
  expect(host.questions).toHaveLength(1);
});

test('with the broker off the server gets that very error', async () => {
  const { host } = await scene({
    host: { capabilities: CAN_ASK },
    config: { elicit: { audience: 'host' } },
  });
  host.answerWith(() => ({ error: NO_METHOD }));
  expect(await answersOf(host.startCall('ask').reply)).toEqual([NO_METHOD]);
});
