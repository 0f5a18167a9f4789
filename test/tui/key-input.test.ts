// Bytes from a terminal as strokes, typing and pastes.
import { expect, test } from 'vitest';
import { type Input, KeyInput } from '../../src/tui/key-input.ts';
import { keyAt } from '../../src/tui/state/keys.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';

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
  ['\u001bd', []],
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

test('a lone Esc is one after a moment; the start of a sequence that comes late is none', async () => {
  const { heard, input } = listen();
  input.push('\u001b');
  input.push('[A');
  expect(heard).toEqual([key('up')]);
  input.push('\u001b');
  await until('Esc', () => heard.length === 2);
  expect(heard[1]).toEqual(key('esc'));
  expect(keyAt('read', 'esc')?.does).toBe('back');
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
