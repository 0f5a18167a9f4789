// What comes from an upstream is read in turns, in order, and not at all while those it is for do not read (C51).
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Arrivals, Inflow } from '../../src/upstream/inflow.ts';

const KIB = 1024;

/** A stream that has 2 MiB ready, in pieces as a pipe hands them over. */
function flooding() {
  const stream = new PassThrough({ highWaterMark: 4 * KIB * KIB });
  const read: number[] = [];
  for (let piece = 0; piece < 32; piece += 1) stream.write(Buffer.alloc(64 * KIB, piece));
  stream.on('data', (chunk: Buffer) => read.push(chunk[0] ?? -1));
  return { stream, read };
}

test('others get their turn while a flood is read, and it stays in order', async () => {
  const { stream, read } = flooding();
  new Inflow(new Arrivals(16 * KIB * KIB)).add(stream, undefined);
  let most = 0;
  let before = 0;
  for (let turns = 0; turns < 500 && read.length < 32; turns += 1) {
    await turn();
    most = Math.max(most, read.length - before);
    before = read.length;
  }
  expect(read).toEqual([...Array(32).keys()]);
  expect(most).toBeLessThanOrEqual(8);
});

test('what is held back stays unread, also where its turn comes, and goes on later', async () => {
  const inflow = new Inflow(new Arrivals(16 * KIB * KIB));
  const held = flooding();
  const other = flooding();
  inflow.add(held.stream, 'a');
  inflow.add(other.stream, 'b');
  inflow.regulate({ isHeld: (ticket) => ticket === 'a', readerOf: () => undefined });
  for (let turns = 0; turns < 500 && other.read.length < 32; turns += 1) await turn();
  expect(other.read.length).toBe(32);
  const before = held.read.length;
  expect(before).toBeLessThan(8);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(held.read.length).toBe(before);
  inflow.release();
  for (let turns = 0; turns < 500 && held.read.length < 32; turns += 1) await turn();
  expect(held.read).toEqual([...Array(32).keys()]);
});

test('large messages for one host come one after the other, those for another beside them', async () => {
  const arrivals = new Arrivals(512 * KIB);
  const [one, other] = [{}, {}];
  const regulation = {
    isHeld: () => false,
    readerOf: (ticket: string | undefined) => (ticket?.startsWith('one') ? one : other),
  };
  let most = 0;
  const under = new Map<string, number>();
  /** A message of 2 MiB on a connection of its own. */
  const message = (ticket: string) => {
    const inflow = new Inflow(arrivals);
    inflow.regulate(regulation);
    const stream = new PassThrough({ highWaterMark: 4 * KIB * KIB });
    const done = { at: 0 };
    for (let piece = 0; piece < 32; piece += 1) stream.write(Buffer.alloc(64 * KIB));
    stream.on('data', (chunk: Buffer) => {
      const bytes = (under.get(ticket) ?? 0) + chunk.length;
      under.set(ticket, bytes === 2 * KIB * KIB ? 0 : bytes);
      if (bytes === 2 * KIB * KIB) {
        done.at = turns;
        ended();
      }
      const ones = [...under].filter(([key]) => key.startsWith('one')).map(([, held]) => held);
      most = Math.max(
        most,
        ones.reduce((sum, held) => sum + held, 0),
      );
    });
    const ended = inflow.add(stream, ticket);
    return done;
  };
  let turns = 1;
  const ones = [...Array(20).keys()].map((n) => message(`one ${n}`));
  const free = message('other');
  for (; turns < 2000 && ones.some(({ at }) => at === 0); turns += 1) await turn();
  expect(ones.every(({ at }) => at > 0)).toBe(true);
  expect(most).toBeLessThan(2 * KIB * KIB + 20 * 512 * KIB);
  expect(free.at).toBeLessThan(50);
});
