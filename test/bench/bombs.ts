// What one hostile server costs the others: the worst wait of another host's call while each bomb of a list runs (C47, C48).
import {
  answersOf,
  BOMBS,
  discard,
  explode,
  type Siege,
  siege,
  toolOf,
  waitedWhile,
} from '../support/bombs.ts';
import type { Line, Measure } from './types.ts';

/** CPU milliseconds that the gateway's main thread may work without a pause, its 10 ms of measuring included. */
const MOST = 60;

/** Work of other kinds than schemas, by name. */
const OTHERS: Readonly<Record<string, (siege: Siege) => Promise<unknown>>> = {
  'a round of 40,000 questions': ({ attacker }) =>
    attacker.startCall(toolOf('modern', 'round'), { times: 40_000 }).reply,
  '5,000 questions at once': ({ shower }) => answersOf(shower, toolOf('bomb', 'plain'), { times: 5_000 }),
  'a -32042 of 40,000 URLs': ({ attacker }) =>
    attacker.startCall(toolOf('bomb', 'urls'), { times: 40_000 }).reply,
  'a flood of 200,000 progress notices': ({ attacker }) =>
    attacker.startCall(toolOf('bomb', 'progress'), { times: 200_000 }, { meta: '{"progressToken":1}' }).reply,
  'a result of 12 MiB of text': (it) => discard(it, toolOf('bomb', 'large'), { kind: 'text' }),
  'a result of 900,000 keys': (it) => discard(it, toolOf('bomb', 'large'), { kind: 'keys' }),
  'a result of 100,000 levels': (it) => discard(it, toolOf('bomb', 'large'), { kind: 'nesting' }),
  'a result of 200,000 blocks': (it) => discard(it, toolOf('bomb', 'large'), { kind: 'blocks' }),
};

/** Takes longer than other lines: each bomb runs until its check is given up. */
export const bombs: Line = {
  name: 'bombs',
  title: 'worst wait of another host’s call while a hostile server’s bomb runs, two at once',
  async run(scope) {
    const measures: Measure[] = [];
    const stretches: Measure[] = [];
    const it = await siege(scope);
    const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      it.stall();
      const { worst, took } = await waitedWhile(it.other, work);
      const stall = it.stall();
      console.error(
        `bench: bombs: ${what}: ${worst.toFixed(0)} ms of ${took.toFixed(0)}, ${stall.toFixed(0)} at a stretch`,
      );
      measures.push({ what, value: worst, unit: 'ms' });
      stretches.push({ what: `${what}, at a stretch`, value: stall, unit: 'ms', max: MOST });
    };
    await measure('nothing', () => new Promise((resolve) => setTimeout(resolve, 500)));
    for (const bomb of BOMBS) await measure(bomb, () => explode(it, bomb, 2));
    for (const [name, work] of Object.entries(OTHERS)) await measure(name, () => work(it));
    return [...measures, ...stretches];
  },
};
