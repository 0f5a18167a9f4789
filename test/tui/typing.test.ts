// Editing a line of text, character by character as a person sees them (C30).
import { expect, test } from 'vitest';
import type { Typing } from '../../src/tui/state/types.ts';
import {
  erase,
  eraseAfter,
  eraseBlankWord,
  eraseLine,
  folded,
  insert,
  left,
  right,
  typingOf,
} from '../../src/tui/state/typing.ts';

/** `ab|c` is the text abc with the cursor behind b. */
const at = (shown: string): Typing => ({ text: shown.replace('|', ''), at: shown.indexOf('|') });
const shown = ({ text, at: cursor }: Typing): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

const FAMILY = '👨‍👩‍👧‍👦';

test.each<[string, (typing: Typing) => Typing, string, string]>([
  ['insert', (typing) => insert(typing, 'x'), 'a|b', 'ax|b'],
  ['insert at the end', (typing) => insert(typing, '한글'), 'a|', 'a한글|'],
  ['erase', erase, 'ab|c', 'a|c'],
  ['erase at the start', erase, '|abc', '|abc'],
  ['erase a family', erase, `a${FAMILY}|b`, 'a|b'],
  ['erase a letter with its accent', erase, 'cafe\u0301|', 'caf|'],
  ['erase a syllable', erase, '한글|', '한|'],
  ['erase a flag', erase, '🇩🇪🇫🇷|', '🇩🇪|'],
  ['erase after', eraseAfter, `a|${FAMILY}b`, 'a|b'],
  ['erase after the end', eraseAfter, 'ab|', 'ab|'],
  ['erase a word', eraseBlankWord, 'one two|', 'one |'],
  ['erase a word and the spaces behind it', eraseBlankWord, 'one two  |x', 'one |x'],
  ['erase the only word', eraseBlankWord, 'one|', '|'],
  ['erase the line', eraseLine, 'one t|wo', '|wo'],
  ['left', left, `a${FAMILY}|`, `a|${FAMILY}`],
  ['left at the start', left, '|a', '|a'],
  ['right', right, '|e\u0301a', 'e\u0301|a'],
  ['right at the end', right, 'a|', 'a|'],
])('%s', (_name, edit, before, after) => {
  expect(shown(edit(at(before)))).toBe(after);
});

test('a text begins with the cursor behind it', () => {
  expect(typingOf('ab')).toEqual({ text: 'ab', at: 2 });
});

test.each([
  ['one\ntwo', 'one two'],
  ['one\r\ntwo\rthree', 'one two three'],
  ['one\n', 'one'],
  ['one\r\n\r\n', 'one'],
  ['a\tb', 'a b'],
  ['\n', ''],
  ['\r\r\rtyped', 'typed'],
])('%j is folded to %j', (pasted, text) => {
  expect(folded(pasted)).toBe(text);
});
