// The gateway's log: one line for each event of a question's life, with ids and no content, on stderr and nowhere else.
import { expect, test } from 'vitest';
import { install, serveHttp, startGateway } from '../support/gateway.ts';
import { askedBy, responsesOf } from '../support/modern-host.ts';
import { accept, answersIn, errorOf, modernScene } from '../support/modern-scene.ts';
import { CAN_ASK, scene } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly row?: string;
  readonly [key: string]: unknown;
}

const lines = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

test('a question opened, answered and delivered is three lines about its row, without a word of it', async () => {
  const it = await scene({
    spawn: true,
    transport: 'stdio',
    host: {
      capabilities: CAN_ASK,
      answer: () => ({ result: '{"action":"accept","content":{"repo":"answer-31f"}}' }),
    },
  });
  await it.host.ask({ message: 'message-77c' });
  const { id } = await it.rowIn('accepted');
  const about = await until('the last line', () => {
    const found = lines(it.gateway.process.stderr()).filter(({ row }) => row === id);
    return found.length >= 3 && found;
  });
  expect(about.map(({ msg, state, by }) => [msg, state, by])).toEqual([
    ['question opened', undefined, undefined],
    ['question answered', 'accepted', 'host'],
    ['its outcome was delivered', undefined, undefined],
  ]);
  expect(about[0]).toMatchObject({
    level: 30,
    server: 'fixture',
    inline: true,
    call: expect.stringMatching(/^cal-/),
  });
  expect(it.gateway.process.stderr()).not.toMatch(/answer-31f|message-77c/);
});

test.each(['host', 'cli'])(
  'a sealed round that the %s answered has the same three lines, once',
  async (by) => {
    const it = await modernScene({ spawn: true });
    const args = { message: 'message-77c' };
    const first = askedBy(await it.host.call('ask', args).reply);
    const { id } = await it.rowIn('pending');
    if (by === 'cli') await it.gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=answer-31f']);
    const responses = responsesOf([['q1', accept('answer-31f')]]);
    for (let tries = 0; tries < 2; tries += 1)
      answersIn(await it.host.call('ask', args, { state: first.state, responses }).reply);
    await it.gateway.process.stop();
    const about = lines(it.gateway.process.stderr()).filter(({ row }) => row === id);
    expect(about.map(({ msg, state, by }) => [msg, state, by])).toEqual([
      ['question opened', undefined, undefined],
      ['question answered', 'accepted', by],
      ['its outcome was delivered', undefined, undefined],
    ]);
    expect(it.gateway.process.stderr()).not.toMatch(/answer-31f|message-77c/);
  },
);

test('a sealed round whose host goes is logged as withdrawn', async () => {
  const it = await modernScene({ spawn: true, capabilities: '{}' });
  const sent = it.host.call('ask');
  const { id } = await it.rowIn('pending');
  sent.close();
  await until('the line', () =>
    lines(it.gateway.process.stderr()).some(({ row, msg }) => row === id && msg === 'question withdrawn'),
  );
});

test('a question of a sealed round that is refused is logged', async () => {
  const it = await modernScene({ spawn: true, config: { limits: { messageBytes: 10 } } });
  errorOf(await it.host.call('ask', { message: 'longer than ten bytes' }).reply);
  await it.gateway.process.stop();
  const refused = lines(it.gateway.process.stderr()).filter(({ msg }) => msg === 'question refused');
  expect(refused).toMatchObject([
    { level: 40, server: 'fixture', why: expect.stringContaining('messageBytes') },
  ]);
});

test('--log-level says how much; stdout stays clean', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, {
    spawn: true,
    servers: { fixture: upstream.entry },
    config: { elicit: { ttl: '200ms' } },
  });
  await (await gateway.connect()).ask();
  const levels = new Set(lines(gateway.process.stderr()).map(({ level }) => level));
  expect(levels.has(30)).toBe(true);
  expect(levels.has(20)).toBe(false);
  expect(gateway.process.stdout().trim().split('\n')).toHaveLength(1);
  await gateway.process.stop();

  for (const [level, least] of [
    ['debug', 20],
    ['warn', 40],
    ['silent', 100],
  ] as const) {
    const again = await serveHttp(scope, gateway, ['--log-level', level]);
    await (await again.connect()).ask();
    const logged = lines(again.process.stderr()).map((line) => line.level);
    expect(logged.filter((one) => one < least)).toEqual([]);
    if (level === 'debug') expect(logged).toContain(30);
    await again.process.stop();
  }
});

test('an unknown level is a usage error', async () => {
  const refused = await install(testScope(), { servers: {} }).mcpx(['serve', '--log-level', 'loud']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('debug, info, warn, error, silent');
});
