// Bytes from a terminal as strokes, typing and pastes.
import { expect, test } from 'vitest';
import { type Input, KeyInput } from '../../src/terminal/key-input.ts';
import { keyAt } from '../../src/tui/state/keys.ts';
import { fakeClock } from '../support/fake-clock.ts';

function listen() {
  const clock = fakeClock();
  const heard: Input[] = [];
  const input = new KeyInput(clock, (one) => heard.push(one));
  return { clock, heard, input };
}

const key = (stroke: string): Input => ({ type: 'key', stroke });

test.each<[string, Input[]]>([
  ['a', [key('a')]],
  ['A', [key('A')]],
  ['?', [key('?')]],
  ['é', [key('é')]],
  [' ', [key('space')]],
  ['\r', [key('enter')]],
  ['\t', [key('tab')]],
  ['\u001b[Z', [key('shift+tab')]],
  ['\u007f', [key('backspace')]],
  ['\b', [key('backspace')]],
  ['\u001b[3~', [key('delete')]],
  ['\u001b[A\u001b[B', [key('up'), key('down')]],
  ['\u001bOA', [key('up')]],
  ['\u001b[H\u001b[F\u001b[1~\u001b[4~', [key('home'), key('end'), key('home'), key('end')]],
  ['\u001b[5~\u001b[6~', [key('pageup'), key('pagedown')]],
  ['\u0003\u0004\u0005\u0012\u0018\u001a', ['c', 'd', 'e', 'r', 'x', 'z'].map((name) => key(`ctrl+${name}`))],
  ['\u001bd\u001b\u007f', [key('alt+d'), key('alt+backspace')]],
  ['\u001b[1;5D\u001b[1;3C\u001b\u001b[D', [key('ctrl+left'), key('alt+right'), key('alt+left')]],
  ['\u001b[1;2A\u001b[1;129B\u001b[1;1:2A', [key('up'), key('down'), key('up')]],
  [
    '\u001bOd\u001bO5C\u001b[7~\u001b[3;5~',
    [key('ctrl+left'), key('ctrl+right'), key('home'), key('ctrl+delete')],
  ],
  ['\u0017\u0019\u001f', [key('ctrl+w'), key('ctrl+y'), key('ctrl+_')]],
  // The kitty protocol and modifyOtherKeys, left on by another program: ways out, and no text.
  [
    '\u001b[27u\u001b[99;5u\u001b[98;3u\u001b[27;5;99~',
    [key('esc'), key('ctrl+c'), key('alt+b'), key('ctrl+c')],
  ],
  ['\u001b[97u\u001b[121;1u\u001b[13u\u001b[109;5u\u001b[99;5:3u\u001b[32;;32u\u001b[27;1;121~', []],
  // The function keys of the Linux console, of rxvt with Ctrl, a character set, a single shift.
  ['\u001b[[Ax\u001b[11^\u001b(B\u001bNy\u008ez', [key('x')]],
  ['\u001b]11;rgb\u0003', [key('ctrl+c')]],
  ['\u001b[1\u0018x', [key('x')]],
  ['a\tb', [key('a'), key('tab'), key('b')]],
  ['a\tb\rc', [{ type: 'text', text: 'a\tb\rc' }]],
  ['abc', [{ type: 'text', text: 'abc' }]],
  ['abc\rdef', [{ type: 'text', text: 'abc\rdef' }]],
  ['👨‍👩‍👧‍👦', [{ type: 'text', text: '👨‍👩‍👧‍👦' }]],
  ['\u001b[200~one\rtwo\u001b[201~', [{ type: 'paste', text: 'one\ntwo' }]],
  ['\u001b[200~\u001b[201~', []],
  ['\u001b[200~a\u0003b\u001b[201~x', [{ type: 'paste', text: 'a\u0003b' }, key('x')]],
  // Mouse reports and answers of the terminal that nobody asked for.
  ['\u001b[<0;10;10M\u001b[I\u001b[?1;2cx', [key('x')]],
])('%j', (bytes, expected) => {
  const { heard, input } = listen();
  input.push(Buffer.from(bytes));
  expect(heard).toEqual(expected);
});

test('a lone Esc is one after a moment; the start of a sequence that comes late is none', () => {
  const { clock, heard, input } = listen();
  input.push('\u001b');
  clock.advance(59);
  input.push('[A');
  expect(heard).toEqual([key('up')]);
  input.push('\u001b');
  clock.advance(59);
  expect(heard).toHaveLength(1);
  clock.advance(1);
  expect(heard[1]).toEqual(key('esc'));
  expect(keyAt('read', 'esc')?.does).toBe('back');
  clock.advance(40);
  input.push('[Ax');
  expect(heard.slice(2)).toEqual([key('x')]);
});

test('what follows a late Esc is a sequence only where it can be one, and only for a second', () => {
  const { clock, heard, input } = listen();
  const esc = (ms: number): void => {
    input.push('\u001b');
    clock.advance(ms);
    heard.length = 0;
  };
  esc(100);
  input.push('x');
  expect(heard).toEqual([key('x')]);
  esc(100);
  for (const character of 'Paris') input.push(character);
  expect(heard).toEqual([key('r'), key('i'), key('s')]);
  esc(1_100);
  input.push('[');
  input.push('P');
  expect(heard).toEqual([key('['), key('P')]);
});

test('two Esc are two, also where a word of the terminal follows', () => {
  const { clock, heard, input } = listen();
  input.push('\u001b\u001b');
  clock.advance(60);
  expect(heard).toEqual([key('esc'), key('esc')]);
  input.push('\u001b\u001b]11;y\u0007\u001b\u001b[?2026;2$y\u001b\u001bb');
  expect(heard.slice(2)).toEqual([key('esc'), key('esc'), key('esc'), key('alt+b')]);
});

test('bytes that are no UTF-8 are no keys', () => {
  const { heard, input } = listen();
  // A lone continuation, an overlong Enter, a surrogate, more than Unicode has, a character that is broken off.
  input.push(Buffer.from([0xbf, 0xc0, 0x8d, 0xe0, 0x80, 0x8d, 0xed, 0xa0, 0x80, 0xf5, 0xe2, 0x82, 0x79]));
  // CSI and ST as single bytes.
  input.push(Buffer.from([0x9b, 0x33, 0x31, 0x6d, 0x9d, 0x79, 0x9c]));
  expect(heard).toEqual([key('y')]);
});

test('an old mouse report may hold any bytes, but ends where the next sequence begins', () => {
  const { heard, input } = listen();
  input.push(Buffer.from([0x1b, 0x5b, 0x4d, 0x20, 0xc3, 0x0d, 0x78]));
  input.push(Buffer.from([0x1b, 0x5b, 0x4d, 0x79, 0x1b, 0x79, 0x78]));
  input.push(Buffer.from([0x1b, 0x5b, 0x4d, 0x20, 0x1b, 0x5b, 0x41]));
  expect(heard).toEqual([key('x'), key('x'), key('up')]);
});

test('a character that comes in two reads is one', () => {
  const { heard, input } = listen();
  const bytes = Buffer.from('€');
  input.push(bytes.subarray(0, 1));
  input.push(bytes.subarray(1));
  expect(heard).toEqual([key('€')]);
});

test('a paste in several reads is one; one whose end is lost ends after a while', () => {
  const { clock, heard, input } = listen();
  input.push('\u001b[200~one ');
  clock.advance(1_000);
  input.push('two');
  expect(heard).toEqual([]);
  clock.advance(1_999);
  expect(heard).toEqual([]);
  clock.advance(1);
  expect(heard).toEqual([{ type: 'paste', text: 'one two' }]);
  input.push('x');
  expect(heard[1]).toEqual(key('x'));
});
