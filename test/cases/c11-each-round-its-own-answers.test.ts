// C11: each retry carries this round's answers and this round's state, and nothing of the rounds before.
import { expect, test } from 'vitest';
import { gatewayWithHost, HOST_TRANSPORTS } from '../support/gateway.ts';
import { type RawReply, toolText } from '../support/host.ts';
import { modernScene } from '../support/modern-scene.ts';
import { testScope } from '../support/scope.ts';
import { type FixtureUpstream, fixtureUpstream } from '../support/upstream.ts';
import { checkUpstreamWire } from '../support/upstream-wire.ts';

const ENTRY = (key: string): object => ({
  [key]: {
    method: 'elicitation/create',
    params: { mode: 'form', message: `Round ${key}?`, requestedSchema: { type: 'object', properties: {} } },
  },
});
/** `mark` is a parameter that no retry may touch. */
const ARGS = {
  rounds: [
    { inputRequests: ENTRY('a'), requestState: 'S1' },
    { inputRequests: ENTRY('b') },
    { requestState: 'S3' },
  ],
  mark: { n: 12345678 },
};
const ANSWER = '{"action":"accept","content":{}}';

/** What each call and retry of the tool carried, and that lists carried nothing of it. */
function expectClean(upstream: FixtureUpstream): void {
  const messages = upstream.messages() as { id: unknown; method: string; params?: Record<string, unknown> }[];
  const calls = messages.filter(
    ({ method, params }) => method === 'tools/call' && params?.['name'] === 'rounds',
  );
  const carried = calls.map(({ params = {} }) => ({
    responses: Object.keys((params['inputResponses'] as object | undefined) ?? {}),
    state: params['requestState'],
    has: ['inputResponses' in params, 'requestState' in params],
    arguments: params['arguments'],
  }));
  expect(carried).toEqual([
    { responses: [], state: undefined, has: [false, false], arguments: ARGS },
    { responses: ['a'], state: 'S1', has: [true, true], arguments: ARGS },
    { responses: ['b'], state: undefined, has: [true, false], arguments: ARGS },
    { responses: [], state: 'S3', has: [false, true], arguments: ARGS },
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
  const lists = messages.filter(({ method }) => method === 'tools/list');
  expect(lists.length).toBeGreaterThan(3);
  for (const { params = {} } of lists)
    expect('inputResponses' in params || 'requestState' in params).toBe(false);
}

/** Lists tools all the while that the call runs. */
async function beside(call: Promise<RawReply>, list: () => Promise<unknown>): Promise<RawReply> {
  let over = false;
  const done = call.finally(() => {
    over = true;
  });
  do await list();
  while (!over);
  return done;
}

for (const transport of HOST_TRANSPORTS)
  test(`a legacy host over ${transport}: mcpx goes through the rounds for it`, async () => {
    const scope = testScope();
    const upstream = await fixtureUpstream(scope, { transport: 'http', revision: '2026-07-28' });
    const { host } = await gatewayWithHost(
      scope,
      transport,
      { servers: { fixture: upstream.entry } },
      { capabilities: '{"elicitation":{}}', answer: () => ({ result: ANSWER }) },
    );
    const reply = await beside(host.startCall('rounds', ARGS).reply, () => host.request('tools/list'));
    expect(JSON.parse(toolText(reply))).toEqual({ inputResponses: null, requestState: '"S3"' });
    expectClean(upstream);
    await checkUpstreamWire(upstream);
  });

test('a stateless host: two rounds are its own, the one that only carries state is not', async () => {
  const it = await modernScene();
  const asked: string[] = [];
  const call = it.host.through('rounds', ARGS, ({ key }) => {
    asked.push(key);
    return ANSWER;
  });
  const reply = await beside(call, () => it.host.send('tools/list').reply);
  expect(JSON.parse(toolText(reply))).toEqual({ inputResponses: null, requestState: '"S3"' });
  expect(asked).toEqual(['a', 'b']);
  expectClean(it.upstream);
});
