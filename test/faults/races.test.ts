// Three surfaces answer within 5 ms, 200 times; 20 commands answer 20 rows while an outside writer holds the lock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Broker, Row } from '../../src/broker/types.ts';
import { systemClock } from '../../src/clock.ts';
import { lockStore, startActor } from '../broker/actor.ts';
import { startGateway } from '../support/gateway.ts';
import type { Question } from '../support/host.ts';
import { CAN_ASK } from '../support/scene.ts';
import { testScope } from '../support/scope.ts';
import { until, within } from '../support/until.ts';
import { fixtureUpstream } from '../support/upstream.ts';
import { responsesTo, Tallying } from './tally.ts';

const ROUNDS = 200;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void systemClock.after(ms, resolve));

/** Numbers that look random and are the same in every run. */
function spread(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test(`host, command and HTTP answer within 5 ms, ${ROUNDS} rounds`, async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
  const command = await startActor(scope, gateway.stateDir, { role: 'command' });
  const host = await gateway.connect({ capabilities: CAN_ASK });
  const token = readFileSync(join(gateway.stateDir, 'token'), 'utf8').trim();
  const counted = new Tallying();
  const random = spread(7);
  const wins: Record<string, number> = {};
  const wrongWords: string[] = [];

  /** By POST, as `--url` does; the row as the reply has it. */
  async function overHttp(id: string): Promise<{ won: boolean; row: Row }> {
    const response = await fetch(gateway.url.replace('/mcp', `/v1/elicit/${id}/accept`), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"content":{"repo":"rest"}}',
    });
    const body = (await response.json()) as Row & { row?: Row };
    return { won: response.status === 200, row: body.row ?? body };
  }

  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `r-${round}`;
    const call = host.startCall('ask', { message: name, id: `"${name}"` });
    const question: Question = await host.question(round);
    const { id } = await until('the row', async () => (await command.list())[0]);
    // HTTP takes longer than a commit: it starts first, so that each of the three wins some rounds.
    const at = [random(), 4 + random(), random()];
    const [, cli, rest] = await Promise.all([
      pause(at[0] ?? 0).then(() =>
        host.reply(question, { result: '{"action":"accept","content":{"repo":"host"}}' }),
      ),
      pause(at[1] ?? 0).then(() =>
        command.answer(id, { action: 'accept', content: '{"repo":"cli"}', by: 'cli' }),
      ),
      pause(at[2] ?? 0).then(() => overHttp(id)),
    ]);
    await within(`the result of ${name}`, call.reply);
    const row = await until('the delivery', async () => {
      const now = await command.get(id);
      return now.deliveredAt !== undefined && now;
    });
    const by = row.answer?.by ?? 'nobody';
    wins[by] = (wins[by] ?? 0) + 1;
    // Whoever lost was told who won, and whoever won is on the row.
    if (cli.won !== (by === 'cli') || rest.won !== (by === 'rest')) wrongWords.push(`${name}: ${by}`);
    if (cli.row.answer?.by !== by || rest.row.answer?.by !== by) wrongWords.push(`${name}: told another`);
    counted.count(name, row, responsesTo(upstream, name), { states: ['accepted'], survived: true });
  }

  process.stdout.write(`\nthree surfaces within 5 ms, ${counted.report()}; won by ${JSON.stringify(wins)}\n`);
  expect({ ...counted.tally, wrongWords }).toEqual({
    runs: ROUNDS,
    lost: [],
    twice: [],
    wrong: [],
    wrongWords: [],
  });
}, 120_000);

test('20 commands answer 20 rows while an outside writer holds the lock', async () => {
  const scope = testScope();
  const upstream = await fixtureUpstream(scope, { transport: 'stdio' });
  const gateway = await startGateway(scope, { spawn: true, servers: { fixture: upstream.entry } });
  const eye: Pick<Broker, 'list' | 'get'> = await startActor(scope, gateway.stateDir, { role: 'command' });
  const host = await gateway.connect();
  const names = Array.from({ length: 20 }, (_, index) => `l-${index}`);
  const calls = names.map((name) => host.startCall('ask', { message: name, id: `"${name}"` }));
  const rows = await until('20 rows', async () => {
    const all = await eye.list();
    return all.length === 20 && all;
  });
  const counted = new Tallying();

  let unlock = await lockStore(scope, gateway.stateDir);
  let held = true;
  const working = Promise.all(
    rows.map((row) =>
      gateway.mcpx(['elicit', 'accept', row.id, '-F', `repo=${row.message}`], { ms: 90_000 }),
    ),
  );
  // Held for 2 s, given back for a moment, taken again, until all have come through: no command finds the store at rest.
  const holding = (async () => {
    while (held) {
      await pause(2_000);
      await unlock();
      if (held) unlock = await lockStore(scope, gateway.stateDir);
    }
    await unlock();
  })();
  const done = await working;
  held = false;
  await holding;

  expect(done.filter(({ code }) => code !== 0)).toEqual([]);
  for (const { reply } of calls) await within('the results', reply);
  for (const { id, message } of rows) {
    const row = await until('the delivery', async () => {
      const now = await eye.get(id);
      return now.deliveredAt !== undefined && now;
    });
    expect(row.answer?.content).toBe(`{"repo":"${message}"}`);
    counted.count(message, row, responsesTo(upstream, message), { states: ['accepted'], survived: true });
  }
  process.stdout.write(`\n20 commands against a lock, ${counted.report()}\n`);
  expect(counted.tally).toEqual({ runs: 20, lost: [], twice: [], wrong: [] });
}, 120_000);
