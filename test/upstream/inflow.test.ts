// What comes from an upstream is read in turns, in order, and not at all while those it is for do not read (C51).
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Inflow } from '../../src/upstream/inflow.ts';

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
  new Inflow().add(stream, undefined);
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
  const inflow = new Inflow();
  const held = flooding();
  const other = flooding();
  inflow.add(held.stream, 'a');
  inflow.add(other.stream, 'b');
  inflow.regulate((ticket) => ticket === 'a');
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
