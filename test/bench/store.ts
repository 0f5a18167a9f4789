// The broker's store: rows opened and answered a second, a long list, and how fast another process is woken.
import { join } from 'node:path';
import { openBroker } from '../../src/broker/open.ts';
import { rowJson } from '../../src/broker/row-json.ts';
import { systemClock } from '../../src/clock.ts';
import { silent } from '../../src/log.ts';
import { startActor } from '../broker/actor.ts';
import { question } from '../broker/question.ts';
import { median } from './interleave.ts';
import type { Line } from './types.ts';

const PAIRS = 2_000;
const LISTED = 10_000;
const WAKES = 101;

/** Milliseconds that `work` takes, the median of `times` runs. */
async function timed(times: number, work: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return median(taken);
}

export const store: Line = {
  name: 'store',
  title: 'the broker on SQLite',
  async run(scope) {
    const stateDir = join(scope.dir(), 'state');
    const keep = 86_400_000;
    const broker = await openBroker({ stateDir, clock: systemClock, log: silent, role: 'gateway', keep });
    scope.defer(() => broker.close());

    const pairs = await timed(3, async () => {
      for (let n = 0; n < PAIRS; n += 1) {
        const { id } = await broker.open(question());
        await broker.answer(id, { action: 'accept', content: '{"repo":"me/thing"}', by: 'cli' });
      }
    });

    const command = await startActor(scope, stateDir, { role: 'command' });
    const wakes: number[] = [];
    for (let n = 0; n < WAKES; n += 1) {
      const { id } = await broker.open(question());
      const settled = broker.settled(id).then(() => Number(process.hrtime.bigint()) / 1e6);
      await command.answer(id, { action: 'accept', content: '{}', by: 'cli' });
      const woken = await settled;
      wakes.push(Math.max(0, woken - command.lastAt()));
    }

    for (let n = 0; n < LISTED; n += 1) await broker.open(question());
    const list = await timed(7, async () => {
      await broker.list();
    });
    const rows = await broker.list();
    const print = await timed(7, async () => {
      for (const row of rows) rowJson(row);
    });
    return [
      { what: 'rows opened and answered', value: (PAIRS * 1_000) / pairs, unit: '/s', min: 2_000 },
      { what: `list of ${LISTED} pending rows, median`, value: list, unit: 'ms', max: 50 },
      { what: `${LISTED} rows as JSON, median`, value: print, unit: 'ms' },
      { what: 'answer in another process to settled(), median', value: median(wakes), unit: 'ms', max: 50 },
      { what: 'answer in another process to settled(), worst', value: Math.max(...wakes), unit: 'ms' },
    ];
  },
};
