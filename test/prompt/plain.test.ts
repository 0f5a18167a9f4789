// Plain lines: every field kind, review, decline, cancel and consent by typed numbers, and no sequence on the terminal.
import { expect, test } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { askConsent } from '../../src/prompt/consent.ts';
import { walk } from '../../src/prompt/walk.ts';
import { BACKSPACE, ENTER, FakeTerminal } from './fake-terminal.ts';

function start(properties: Record<string, unknown>, required = Object.keys(properties)) {
  const terminal = new FakeTerminal();
  terminal.plain = true;
  terminal.color = false;
  const form = formOf(JSON.stringify({ type: 'object', properties, required }));
  const walked = walk('github', form, terminal.streams, async (draft) => check(form, draft));
  walked.catch(() => undefined);
  return { terminal, walked };
}

/** Nothing that moves the cursor, hides it or erases: no escape, no carriage return, no backspace. */
function isPlain(terminal: FakeTerminal): void {
  expect(terminal.drawn).not.toMatch(/[^\P{Cc}\n]/u);
}

test('every kind of field is answered by typing, and nothing is redrawn', async () => {
  const { terminal, walked } = start({
    repo: { type: 'string', minLength: 3 },
    password: { type: 'string' },
    count: { type: 'integer' },
    notify: { type: 'boolean' },
    color: { enum: ['red', 'green'] },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    odd: { type: 'object' },
  });
  await terminal.at('What do you want to do?', `1${ENTER}`);
  await terminal.at('repo (', `me${ENTER}`);
  await terminal.see('needs at least 3 characters');
  await terminal.at('> me', `/thinx${BACKSPACE}g${ENTER}`);
  await terminal.at('What you type is not shown', `hunter2${ENTER}`);
  await terminal.at('count (', `3${ENTER}`);
  await terminal.at('Type a number', `${ENTER}`);
  await terminal.at('Type a number from 1 to 2.', `no${ENTER}`);
  await terminal.at('2. green', `2${ENTER}`);
  await terminal.at('3. c', `1 3${ENTER}`);
  await terminal.at('odd (', `{"x":1}${ENTER}`);
  await terminal.at('or Enter for Send', ENTER);
  expect(await walked).toEqual({
    action: 'accept',
    content:
      '{"repo":"me/thing","password":"hunter2","count":3,"notify":false,"color":"green","tags":["a","c"],"odd":{"x":1}}',
  });
  expect(terminal.drawn).not.toContain('hunter2');
  isPlain(terminal);
  terminal.close();
});

test.each([
  ['decline', '2', 'Tell github no?'],
  ['cancel', '3', 'Dismiss the question?'],
] as const)('%s asks once more', async (action, number, asked) => {
  const { terminal, walked } = start({ repo: { type: 'string' } });
  await terminal.at('What do you want to do?', `${number}${ENTER}`);
  await terminal.at(asked, `1${ENTER}`);
  await terminal.at('What do you want to do?', `${number}${ENTER}`);
  await terminal.at(asked, `2${ENTER}`);
  expect(await walked).toEqual({ action });
  isPlain(terminal);
  terminal.close();
});

test('consent to a URL takes its number', async () => {
  const terminal = new FakeTerminal();
  terminal.plain = true;
  const consent = askConsent('github', true, terminal.streams);
  await terminal.at('Do you want to go there?', `yes${ENTER}`);
  await terminal.at('Type a number from 1 to 5.', `3${ENTER}`);
  expect(await consent).toBe('accept');
  isPlain(terminal);
  terminal.close();
});

test('Esc goes to the field before, and what was typed there is kept', async () => {
  const { terminal, walked } = start({ a: { type: 'string' }, b: { type: 'string' } });
  await terminal.at('What do you want to do?', `1${ENTER}`);
  await terminal.at('a (', `one${ENTER}`);
  await terminal.at('b (', 'two\u001b');
  await terminal.at('> one', `!${ENTER}`);
  await terminal.at('> two', ENTER);
  await terminal.at('Send this?', `1${ENTER}`);
  expect(await walked).toEqual({ action: 'accept', content: '{"a":"one!","b":"two"}' });
  isPlain(terminal);
  terminal.close();
});
