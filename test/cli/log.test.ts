// The gateway's log: one line for each event of a question's life, with ids and no content, on stderr and nowhere else.
import { expect, test } from 'vitest';
import { serveHttp, startGateway } from '../support/gateway.ts';
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

test('--log-level says how much; stdout stays clean', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, {
    servers: { fixture: upstream.entry },
    config: { elicit: { ttl: '1s' } },
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
  const it = await scene();
  const refused = await it.gateway.mcpx(['serve', '--log-level', 'loud']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('debug, info, warn, error, silent');
});
