// Frames of one connection: in their order, whatever their size, and a large one without holding up others (C48).
import { expect, test } from 'vitest';
import type { Frame } from '../../src/protocol/message.ts';
import { FrameReader } from '../../src/upstream/frame-reader.ts';

const SOURCE = { origin: undefined, scope: 's', replayed: false, repliesTo: 'all' } as const;
const notice = (method: string): string => `{"jsonrpc":"2.0","method":"${method}"}`;
/** A result of about three million characters. */
const large = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[${Array.from({ length: 300_000 }, (_, at) => `"${at}"`).join()}]}}`;

function nameOf(frame: Frame): string {
  if (frame.batch) return `${frame.items.length} messages`;
  if (!frame.item.ok) return frame.item.reason;
  const { message } = frame.item;
  return message.kind === 'notification'
    ? message.method
    : `${message.kind} ${'id' in message && message.id}`;
}

function reader(): { readonly frames: FrameReader; readonly taken: string[] } {
  const taken: string[] = [];
  return { frames: new FrameReader((frame) => taken.push(nameOf(frame))), taken };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a small frame is read at once', () => {
  const { frames, taken } = reader();
  frames.read(notice('a'), SOURCE);
  expect(taken).toEqual(['a']);
});

test('a large frame is read in turns, and what comes behind it stays behind it', async () => {
  const { frames, taken } = reader();
  for (const text of [notice('a'), large(1), notice('b'), large(2), notice('c')]) frames.read(text, SOURCE);
  expect(taken).toEqual(['a']);
  let turns = 0;
  for (; taken.length < 5 && turns < 100; turns += 1) await turn();
  expect(taken).toEqual(['a', 'result 1', 'b', 'result 2', 'c']);
  expect(turns).toBeGreaterThan(8);
  frames.read(notice('d'), SOURCE);
  expect(taken.at(-1)).toBe('d');
});

test('what must not come before it has the rest read at once, and nothing is read twice', async () => {
  const { frames, taken } = reader();
  frames.read(large(1), SOURCE);
  await turn();
  frames.read(notice('a'), SOURCE);
  frames.flush();
  expect(taken).toEqual(['result 1', 'a']);
  await turn();
  expect(taken).toEqual(['result 1', 'a']);
});

test('a large frame that is no message says why, as a small one does', () => {
  const { frames, taken } = reader();
  frames.read(`${large(1)}]`, SOURCE);
  frames.read(large(1).replace('"7"', '"7'), SOURCE);
  frames.read(`[${large(1)},${notice('a')}]`, SOURCE);
  frames.flush();
  expect(taken).toEqual([
    expect.stringContaining('more than one value'),
    expect.stringMatching(/at offset/),
    '2 messages',
  ]);
});
