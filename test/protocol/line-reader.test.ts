// Lines out of chunks, wherever the chunks are cut.
import { expect, test } from 'vitest';
import { type InputLine, LineReader } from '../../src/protocol/line-reader.ts';

function read(chunks: readonly Buffer[], limit = 1000): InputLine[] {
  const reader = new LineReader(limit);
  return [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()];
}

const LONG: InputLine = { kind: 'too-long', found: { kind: 'noise', id: undefined }, hopeless: false };
const line = (text: string): InputLine => ({ kind: 'line', text });

test('a text cut at any byte comes out whole (C17)', () => {
  const bytes = Buffer.from('Prüfe — 確認 🙂\nzweite 🙂 Zeile\n');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
      line('Prüfe — 確認 🙂'),
      line('zweite 🙂 Zeile'),
    ]);
  }
  expect(read([...bytes].map((byte) => Buffer.of(byte)))).toHaveLength(2);
});

test.each<[string, string, InputLine[]]>([
  ['CRLF', 'a\r\nb\r\n', [line('a'), line('b')]],
  ['blank lines and spaces', '\n\r\n  \n a \n', [line('a')]],
  ['a byte order mark', '\ufeffa\n', [line('a')]],
  ['no line break at the end', 'a\nb', [line('a'), line('b')]],
  ['nothing', '', []],
  ['exactly the limit', `${'x'.repeat(10)}\ny\n`, [line('x'.repeat(10)), line('y')]],
  ['one over the limit', `${'x'.repeat(11)}\ny\n`, [LONG, line('y')]],
  ['over the limit at the end', `y\n${'x'.repeat(11)}`, [line('y'), LONG]],
])('%s', (_name, text, lines) => {
  const bytes = Buffer.from(text);
  expect(read([bytes], 10)).toEqual(lines);
  expect(
    read(
      [...bytes].map((byte) => Buffer.of(byte)),
      10,
    ),
  ).toEqual(lines);
});

test('bytes that are no UTF-8 are named, and the next line is read', () => {
  expect(read([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('ok\n')])).toEqual([
    { kind: 'not-utf8', text: '\ufffd\ufffd' },
    line('ok'),
  ]);
});

test('a long line says whose it is, wherever it is cut', () => {
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"text":"${'ü'.repeat(90)}"}}\nok\n`);
  for (let cut = 1; cut < bytes.length; cut += 1)
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)], 100)).toEqual([
      { kind: 'too-long', found: { kind: 'reply', id: '7' }, hopeless: false },
      line('ok'),
    ]);
});

test('the limit is counted in bytes', () => {
  expect(read([Buffer.from('€€€€\nok\n')], 11)).toEqual([LONG, line('ok')]);
});

test('many lines of the limit in one chunk pass, and a CR inside a line stays', () => {
  expect(read([Buffer.from(`${'x'.repeat(10)}\n`.repeat(50))], 10)).toHaveLength(50);
  expect(read([Buffer.from('a\rb\n')])).toEqual([line('a\rb')]);
});

test('a line far over the limit is reported at four times the limit, and not kept', () => {
  const reader = new LineReader(1000);
  expect([...reader.push(Buffer.alloc(1001, 'x'))]).toEqual([]);
  expect([...reader.push(Buffer.alloc(3000, 'x'))]).toEqual([{ ...LONG, hopeless: true }]);
  for (let i = 0; i < 100; i += 1) expect([...reader.push(Buffer.alloc(65536, 'x'))]).toEqual([]);
  expect([...reader.push(Buffer.from('\nok\n'))]).toEqual([line('ok')]);
});
