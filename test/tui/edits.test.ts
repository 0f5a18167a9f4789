// Readline's keys in a text, each by its row of the table of keys, on texts of one line and of several.
import { expect, test } from 'vitest';
import type { Row } from '../../src/broker/types.ts';
import type { Field } from '../../src/form/types.ts';
import { typingFor } from '../../src/tui/state/answers.ts';
import { editKey, inserted, replaced } from '../../src/tui/state/edits.ts';
import { keyAt } from '../../src/tui/state/keys.ts';
import { questionOf } from '../../src/tui/state/question.ts';
import type { Question } from '../../src/tui/state/types.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const row = (properties: object): Row => ({
  id: 'elc-0000000000000001',
  state: 'pending',
  server: 'github',
  mode: 'form',
  message: '',
  params: '{}',
  requestedSchema: JSON.stringify({ type: 'object', properties }),
  principal: 'local',
  audience: 'human',
  sensitive: false,
  createdAt: '2026-11-30T18:00:00.000Z',
  expiresAt: '2026-11-30T18:10:00.000Z',
});

function fieldOf(question: Question, index = 0): Field {
  const field = question.form?.fields[index];
  if (field === undefined) throw new Error('no such field');
  return field;
}

/** A question whose text is `before`, with the cursor at the bar. */
function at(before: string): Question {
  const question = questionOf(row({ it: { type: 'string' } }));
  const field = fieldOf(question);
  const text = before.replace('|', '');
  const typing = new Map([[field.name, { text, at: before.indexOf('|') }]]);
  return { ...replaced(question, field, text), typing, history: new Map() };
}

function press(question: Question, keys: readonly string[], index = 0): Question {
  const field = fieldOf(question, index);
  let now = question;
  for (const key of keys) {
    const does = keyAt('text', key)?.does;
    now = does === undefined ? inserted(now, field, key) : (editKey(now, field, does) ?? now);
  }
  return now;
}

function shown(question: Question, index = 0): string {
  const { text, at: cursor } = typingFor(question, fieldOf(question, index));
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

test.each<[keys: string[], before: string, after: string]>([
  [['ctrl+a'], 'one two|', '|one two'],
  [['ctrl+e'], '|one two', 'one two|'],
  [['ctrl+b'], `a${FAMILY}|`, `a|${FAMILY}`],
  [['ctrl+f'], `|${FAMILY}a`, `${FAMILY}|a`],
  [['alt+b'], 'one two-three|', 'one two-|three'],
  [['alt+b', 'alt+b'], 'one two-three|', 'one |two-three'],
  [['ctrl+left'], 'one two  |', 'one |two  '],
  [['alt+left'], '|one', '|one'],
  [['alt+f'], 'one| two', 'one two|'],
  [['ctrl+right'], '|  one two', '  one| two'],
  [['alt+b'], `❤️ 한글|`, `❤️ |한글`],
  [['alt+b'], 'cafe\u0301s|', '|cafe\u0301s'],
  [['alt+d'], 'one| two three', 'one| three'],
  [['alt+backspace'], 'one two-three|', 'one two-|'],
  [['ctrl+w'], 'one two-three|', 'one |'],
  [['ctrl+u'], 'one| two', '| two'],
  [['ctrl+k'], 'one| two', 'one|'],
  [['ctrl+k', 'ctrl+a', 'ctrl+y'], 'one| two', ' two|one'],
  [['ctrl+w', 'ctrl+y', 'ctrl+y'], 'one two|', 'one twotwo|'],
  [['ctrl+y'], 'one|', 'one|'],
  [['ctrl+a'], 'one\ntwo|', 'one\n|two'],
  [['ctrl+e'], 'o|ne\ntwo', 'one|\ntwo'],
  [['ctrl+u'], 'one\ntw|o', 'one\n|o'],
  [['ctrl+u'], 'one\n|two', 'one|two'],
  [['ctrl+k'], 'o|ne\ntwo', 'o|\ntwo'],
  [['ctrl+k'], 'one|\r\ntwo', 'one|two'],
  [['up'], 'one\ntw|o', 'on|e\ntwo'],
  [['ctrl+p'], 'o\ntwo|', 'o|\ntwo'],
  [['down'], 'on|e\ntwo', 'one\ntw|o'],
  [['ctrl+n'], `${FAMILY}|\r\nab`, `${FAMILY}\r\na|b`],
  [['a', 'b', 'ctrl+_'], 'x|', 'x|'],
  [['a', 'left', 'b', 'ctrl+_'], 'x|', 'x|a'],
  [['backspace', 'backspace', 'ctrl+_'], 'xyz|', 'xyz|'],
  [['ctrl+u', 'a', 'ctrl+_', 'ctrl+_'], 'xyz|', 'xyz|'],
  [['ctrl+_', 'ctrl+_'], 'xyz|', 'xyz|'],
])('%j on %j gives %j', (keys, before, after) => {
  expect(shown(press(at(before), keys))).toBe(after);
});

test('the value follows every edit, the undone ones too', () => {
  const question = press(at('one two|'), ['ctrl+w']);
  expect(question.draft.get('it')).toBe('"one "');
  expect(press(question, ['ctrl+_']).draft.get('it')).toBe('"one two"');
});

test('what is taken out of a secret gets into no other field', () => {
  const start = questionOf(row({ password: { type: 'string' }, note: { type: 'string' } }));
  const typed = press(start, ['a', 'b', 'ctrl+u'], 0);
  expect(shown(press(typed, ['ctrl+y'], 1), 1)).toBe('|');
  expect(shown(press(typed, ['ctrl+y'], 0), 0)).toBe('ab|');
});

test('a hundred steps can be undone, and what they hold is limited', () => {
  let question = at('|');
  for (let count = 0; count < 150; count += 1) question = press(question, ['a', 'left']);
  expect(question.history.get('it')?.past).toHaveLength(100);
  question = replaced(question, fieldOf(question), 'x'.repeat(900_000));
  question = press(question, ['y', 'left', 'z', 'left']);
  expect(question.history.get('it')?.past.length).toBeLessThan(3);
});
