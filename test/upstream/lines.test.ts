// Lines out of bytes.
import { expect, test } from 'vitest';
import { Lines } from '../../src/upstream/stdio/lines.ts';

function read(chunks: readonly (string | Buffer)[], limit = 100): { lines: string[]; fine: boolean } {
  const lines: string[] = [];
  const reader = new Lines({
    limit,
    onLine: (line) => lines.push(line),
    onLong: ({ kind, id }) => lines.push(`${kind} ${id}`),
  });
  const fine = chunks.every((chunk) => reader.push(Buffer.from(chunk as string)));
  if (fine) reader.end();
  return { lines, fine };
}

test.each<[string, string[], string[]]>([
  ['LF', ['a\nb\n'], ['a', 'b']],
  ['CRLF', ['a\r\nb\r\n'], ['a', 'b']],
  ['CRLF cut in two', ['a\r', '\nb\r', '\n'], ['a', 'b']],
  ['empty lines', ['\n\r\n\na\n\n'], ['a']],
  ['no end', ['a\nb'], ['a', 'b']],
  ['one byte at a time', [...'ab\ncd\n'], ['ab', 'cd']],
  ['a CR inside a line', ['a\rb\n'], ['a\rb']],
])('%s', (_, chunks, lines) => {
  expect(read(chunks)).toEqual({ lines, fine: true });
});

test('C17: a character cut at every place', () => {
  const bytes = Buffer.from('Prüfe — 確認 🙂\n');
  for (let cut = 1; cut < bytes.length; cut += 1) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)]).lines).toEqual(['Prüfe — 確認 🙂']);
  }
});

test.each([
  ['in one chunk', [`${'x'.repeat(11)}\nok\n`], 10],
  ['over several', ['x'.repeat(6), 'x'.repeat(5), '\nok\n'], 10],
  ['counted in bytes', ['€€€€\nok\n'], 11],
])('a line over the limit is dropped, and the next one read: %s', (_, chunks, limit) => {
  expect(read(chunks, limit)).toEqual({ lines: ['noise undefined', 'ok'], fine: true });
});

test('a long line says whose it is, wherever it is cut', () => {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"text":"${'ü'.repeat(90)}"}}\nok\n`);
  for (let cut = 1; cut < bytes.length; cut += 1)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual({
      lines: ['reply 7', 'ok'],
      fine: true,
    });
});

test.each([
  ['without an end', ['x'.repeat(30), 'x'.repeat(11)]],
  ['with one', [`${'x'.repeat(41)}\n`]],
])('a line over four times the limit is refused, %s', (_, chunks) => {
  expect(read(chunks, 10)).toEqual({ lines: [], fine: false });
});

test('a line of the limit, and many of them in a large chunk, pass', () => {
  expect(read([`${'x'.repeat(10)}\n`.repeat(50)], 10).lines).toHaveLength(50);
});
