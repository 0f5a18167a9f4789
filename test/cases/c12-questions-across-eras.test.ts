// C12: a modern server behind an older host, and the reverse: the question crosses eras, and an interim result is never a success.
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS } from '../support/gateway.ts';
import { toolText } from '../support/host.ts';
import { askedBy } from '../support/modern-host.ts';
import { accept, answersIn, modernScene } from '../support/modern-scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { checkUpstreamWire } from '../support/upstream-wire.ts';
import { checkWire } from '../support/wire.ts';

const MULTI = JSON.stringify({
  mode: 'form',
  message: 'Which ones?',
  requestedSchema: {
    type: 'object',
    properties: { tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
  },
});

for (const transport of HOST_TRANSPORTS) {
  test(`a host at 2025-11-25 over ${transport} is sent elicitation/create, and the final result`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28' });
    const { host } = await gatewayWithHost(
      scope,
      transport,
      { servers: { fixture: upstream.entry } },
      { capabilities: '{"elicitation":{}}', answer: () => ({ result: accept('me/x') }) },
    );
    const reply = await host.startCall('ask').reply;
    expect(answersIn(reply)).toEqual([accept('me/x')]);
    expect(host.questions.map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(host.wire.some(({ dir, text }) => dir === 'in' && /resultType|requestState/.test(text))).toBe(
      false,
    );
    await checkWire(host.wire, { revision: '2025-11-25' });
    await checkUpstreamWire(upstream);
  });

  test(`a host at 2025-11-25 over ${transport} that cannot be asked: the broker is, at once, and the result is the final one`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'stdio', revision: '2026-07-28' });
    const { host, rows, mcpx } = await gatewayWithHost(
      scope,
      transport,
      { servers: { fixture: upstream.entry } },
      { capabilities: '{}' },
    );
    const call = host.startCall('ask');
    const row = await until('the row', async () => (await rows())[0], 8_000);
    await mcpx(['elicit', 'accept', row.id, '-F', 'repo=by/hand']);
    expect(answersIn(await call.reply)).toEqual([accept('by/hand')]);
    expect(host.questions).toEqual([]);
  });
}

test('an upstream at 2025-11-25 behind a host at 2026-07-28: its request becomes input_required', async () => {
  const it = await modernScene({ upstream: { revision: '2025-11-25' } });
  expect(askedBy(await it.host.call('ask').reply).requests).toHaveLength(1);
  expect(answersIn(await it.host.through('ask', {}, () => accept('x')))).toEqual([accept('x')]);
});

test('a multi-select reaches a host at 2026-07-28 whole, with string[] back; a host at 2025-06-18 is never sent it', async () => {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'http', revision });
    const { host, rows, mcpx } = await gatewayWithHost(
      scope,
      'http',
      { servers: { fixture: upstream.entry } },
      {
        capabilities: '{"elicitation":{}}',
        revision: '2025-06-18',
        answer: () => ({ result: accept('never') }),
      },
    );
    const call = host.startCall('ask', { params: [MULTI] });
    const row = await until('the row', async () => (await rows())[0]);
    await mcpx(['elicit', 'accept', row.id, '-F', 'tags=a', '-F', 'tags=b']);
    expect(answersIn(await call.reply)).toEqual(['{"action":"accept","content":{"tags":["a","b"]}}']);
    expect(host.questions).toEqual([]);
    expect(host.wire.some(({ dir, text }) => dir === 'in' && text.includes('"mode"'))).toBe(false);
  }
  const it = await modernScene({ upstream: { revision: '2025-11-25' } });
  const many = '{"action":"accept","content":{"tags":["b","a"]}}';
  expect(answersIn(await it.host.through('ask', { params: [MULTI] }, () => many))).toEqual([many]);
});

test('what an upstream of an older revision calls input_required is no round; neither is it passed on as one', async () => {
  const result =
    '{"resultType":"input_required","requestState":"s","content":[{"type":"text","text":"odd"}]}';
  const it = await modernScene({ upstream: { revision: '2025-11-25' } });
  const reply = await it.host.call('raw-result', { result }).reply;
  expect(toolText(reply)).toBe('odd');
  expect('result' in reply && (JSON.parse(reply.result) as { resultType: string }).resultType).toBe(
    'complete',
  );
  expect(it.calls('raw-result')).toBe(1);
});
