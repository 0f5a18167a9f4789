// Server-sent events out of bytes.
import { expect, test } from 'vitest';
import { SseReader } from '../../src/upstream/http/sse-reader.ts';

interface Read {
  readonly events: { id: string | undefined; data: string }[];
  readonly retries: number[];
  readonly fine: boolean;
  readonly long: string[];
}

function read(chunks: readonly Buffer[], limit = 1000): Read {
  const events: Read['events'] = [];
  const retries: number[] = [];
  const long: string[] = [];
  const reader = new SseReader(limit, {
    onEvent: ({ id, data }) => events.push({ id, data }),
    onLong: ({ kind, id }, eventId) => long.push(`${eventId} ${kind} ${id}`),
    onRetry: (ms) => retries.push(ms),
  });
  return { fine: chunks.every((chunk) => reader.push(chunk)), events, retries, long };
}

const ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };
const STREAM = [
  ': a comment',
  'id: 1',
  'data:',
  '',
  'retry: 40',
  'event: message',
  'id: 2',
  'data: {"a":',
  'data: "🙂"}',
  '',
  '',
];
const WANTED = {
  events: [
    { id: '1', data: '' },
    { id: '2', data: '{"a":\n"🙂"}' },
  ],
  retries: [40],
  long: [],
  fine: true,
};

test.each(Object.entries(ENDS))('line ends of %s, whole and cut at every byte', (_, end) => {
  const bytes = Buffer.from(STREAM.join(end));
  expect(read([bytes])).toEqual(WANTED);
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(WANTED);
  }
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(WANTED);
});

test('mixed line ends and a byte order mark', () => {
  expect(
    read([Buffer.from('\ufeffdata: a\r\n\ndata: b\r\rdata: c\n\n')]).events.map(({ data }) => data),
  ).toEqual(['a', 'b', 'c']);
});

test('an event that ends in CR CR is seen at once, not with the next one', () => {
  expect(read([Buffer.from('data: a\r\r')]).events).toEqual([{ id: undefined, data: 'a' }]);
});

test('an event over the limit is dropped, says whose it is, and the next one is read, wherever it is cut', () => {
  const long = `id: 9\r\nevent: message\r\ndata: {"jsonrpc":"2.0","result":{"text":"${'x'.repeat(90)}"},"id":"q"}\r\n\r\n`;
  const bytes = Buffer.from(`data: a\n\n${long}data: b\n\n`);
  const wanted = { events: [{ data: 'a' }, { data: 'b' }], long: ['9 reply "q"'], fine: true };
  for (let cut = 1; cut < bytes.length; cut += 1)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)], 100)).toMatchObject(wanted);
  expect(
    read(
      [...bytes].map((byte) => Buffer.from([byte])),
      100,
    ),
  ).toMatchObject(wanted);
});

test.each([
  ['in a line that does not end', ['data: '.padEnd(220, 'x')]],
  ['over many lines', Array.from({ length: 20 }, () => 'data: xxxxxxxxxx\n')],
])('an event over four times the limit is refused: %s', (_, chunks) => {
  expect(
    read(
      chunks.map((chunk) => Buffer.from(chunk)),
      50,
    ),
  ).toMatchObject({ events: [], fine: false });
});

test('a large event within the limit passes in small pieces', () => {
  const data = 'x'.repeat(900);
  const bytes = Buffer.from(`data: ${data}\n\n`);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
    bytes.subarray(i * 7, i * 7 + 7),
  );
  expect(read(pieces).events).toEqual([{ id: undefined, data }]);
});
