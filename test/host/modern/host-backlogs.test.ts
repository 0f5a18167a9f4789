// What waits for the hosts of 2026-07-28: counted by host, bounded by principal, and cut where it stands still (C51).
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HostBacklogs } from '../../../src/host/modern/host-backlogs.ts';
import { silent } from '../../../src/log.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { until } from '../../support/until.ts';

const CAPACITY = 4 * 1024 * 1024;

function scene() {
  const clock = fakeClock();
  const backlogs = new HostBacklogs({ capacity: CAPACITY, clock, log: silent });
  /** A response of which the host reads a piece when the test says so. */
  const response = (principal: string, client: string) => {
    const waiting: (() => void)[] = [];
    const got: Buffer[] = [];
    const output = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, taken) {
        got.push(Buffer.from(chunk));
        waiting.push(taken);
      },
    });
    output.on('error', () => {});
    const backlog = backlogs.for(principal, client, output as unknown as ServerResponse);
    return {
      output,
      backlog,
      end: (text: string) => backlog.end(output as unknown as ServerResponse, text),
      /** One piece; false where nothing waits. */
      async read(): Promise<boolean> {
        const taken = waiting.shift();
        taken?.();
        await turn();
        return taken !== undefined;
      },
      text: () => Buffer.concat(got).toString(),
    };
  };
  return { clock, response };
}
const big = 'x'.repeat(CAPACITY);

test('all responses of one host count together, those of other hosts and principals do not', () => {
  const { response } = scene();
  const one = response('p', 'a');
  one.end(big);
  expect(one.backlog.full).toBe(true);
  expect(response('p', 'a').backlog).toBe(one.backlog);
  expect([response('p', 'b'), response('q', 'a')].map(({ backlog }) => backlog.full)).toEqual([false, false]);
});

test('a host under many names meets the bound of its principal, and another principal does not', () => {
  const { response } = scene();
  const told: boolean[] = [];
  const other = response('p', 'other');
  other.backlog.onChange(() => told.push(other.backlog.full));
  for (let name = 0; name < 5; name += 1) response('p', `host ${name}`).end(big);
  expect([other.backlog.full, told, response('q', 'other').backlog.full]).toEqual([true, [true], false]);
});

test('what stands still is cut after ten seconds, and what is read meanwhile is not', async () => {
  const { clock, response } = scene();
  const slow = response('p', 'a');
  const still = response('p', 'a');
  slow.end(big);
  still.end(big);
  for (let second = 0; second < 12; second += 1) {
    expect(await slow.read()).toBe(true);
    clock.advance(1000);
  }
  expect([slow.output.destroyed, still.output.destroyed]).toEqual([false, true]);
  while (await slow.read());
  await until('all to be read', () => slow.output.closed);
  expect([slow.text().length, slow.backlog.full, response('p', 'a').backlog.full]).toEqual([
    big.length,
    false,
    false,
  ]);
});

test('a host that has been cut off is given less time, until it has caught up', async () => {
  const { clock, response } = scene();
  const first = response('p', 'a');
  first.end(big);
  clock.advance(11_000);
  const second = response('p', 'a');
  second.end(big);
  clock.advance(900);
  expect([first.output.destroyed, second.output.destroyed]).toEqual([true, false]);
  while (await second.read()) clock.advance(900);
  const third = response('p', 'a');
  third.end(big);
  clock.advance(9000);
  expect(third.output.destroyed).toBe(false);
  clock.advance(2000);
  const fourth = response('p', 'a');
  fourth.end(big);
  clock.advance(2000);
  expect([third.output.destroyed, fourth.output.destroyed]).toEqual([true, true]);
});

test('the oldest are cut first, and no more than needed', () => {
  const { clock, response } = scene();
  const all = [4, 4, 16].map((part) => ({ ...response('p', 'a'), part }));
  for (const { end, part } of all) end('x'.repeat(CAPACITY / part + 1));
  clock.advance(11_000);
  expect(all.map(({ output }) => output.destroyed)).toEqual([true, true, false]);
});

test('little that waits is not cut, however long', () => {
  const { clock, response } = scene();
  const one = response('p', 'a');
  one.end('x'.repeat(CAPACITY / 4));
  clock.advance(3_600_000);
  expect(one.output.destroyed).toBe(false);
});

test('a response goes out in pieces, its characters whole', async () => {
  const { response } = scene();
  const one = response('p', 'a');
  const text = `a${'🙂'.repeat(400_000)}`;
  one.end(text);
  while (await one.read());
  expect(one.text()).toBe(text);
});

test('a long response is refused while far too much waits, a short one never is', () => {
  const { response } = scene();
  const one = response('p', 'a');
  one.end(big + big + big);
  expect([one.backlog.refuses(one.output, big), one.backlog.refuses(one.output, '{}')]).toEqual([
    true,
    false,
  ]);
});

test('nothing is kept of a host whose responses are closed', async () => {
  const { clock, response } = scene();
  for (let name = 0; name < 50; name += 1) {
    const one = response('p', `host ${name}`);
    one.end(big);
    one.output.destroy();
    await once(one.output, 'close');
  }
  expect(response('p', 'host 1').backlog.full).toBe(false);
  expect(clock.timers).toBe(0);
});
