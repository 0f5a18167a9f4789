import { expect, onTestFinished, test, vi } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { walk } from '../../src/prompt/walk.ts';
import { BACKSPACE, CTRL_C, CTRL_D, DOWN, ENTER, FakeTerminal, UP } from './fake-terminal.ts';

const SERVER = 'github';

function start(schema: unknown, color = true) {
  const terminal = new FakeTerminal();
  terminal.color = color;
  const form = formOf(JSON.stringify(schema));
  const walked = walk(SERVER, form, terminal.streams, async (draft) => check(form, draft));
  // Looked at only at the end of a test; until then a stop is no unhandled rejection.
  walked.catch(() => undefined);
  return { terminal, walked };
}

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

test('walks every kind of field and returns what the review showed', async () => {
  const { terminal, walked } = start(
    object(
      {
        repo: { type: 'string', title: 'Repository', minLength: 3 },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        ratio: { type: 'number' },
        notify: { type: 'boolean' },
        color: {
          type: 'string',
          oneOf: [
            { const: '#f00', title: 'Red' },
            { const: '#0f0', title: 'Green' },
          ],
        },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
        odd: { type: 'object', properties: { zip: { type: 'string' } } },
      },
      ['repo', 'count', 'ratio', 'notify', 'color', 'tags', 'odd'],
    ),
  );
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('Repository', `me/thing${ENTER}`);
  await terminal.at('count', `3${ENTER}`);
  await terminal.at('ratio', `0.5${ENTER}`);
  await terminal.at('notify', `${DOWN}${DOWN}${ENTER}`);
  await terminal.at('color', `2${ENTER}`);
  await terminal.at('tags', ` ${DOWN} ${ENTER}`);
  await terminal.at('odd', `{"zip":"1"}${ENTER}`);
  await terminal.see('What github gets');
  await terminal.at('Send this?', ENTER);
  const result = await walked;
  expect(result).toEqual({
    action: 'accept',
    content:
      '{"repo":"me/thing","count":3,"ratio":0.5,"notify":false,"color":"#0f0","tags":["a","b"],"odd":{"zip":"1"}}',
  });
  const review = terminal.text.slice(terminal.text.indexOf('What github gets'));
  expect(review).toContain('"me/thing" (text)');
  expect(review).toContain('3 (number)');
  expect(review).toContain('false (boolean)');
  expect(review).toContain('"#0f0" (text)');
  expect(review).toContain('["a","b"] (list)');
});

test('C03: a form without fields is a plain confirm and sends {}', async () => {
  const { terminal, walked } = start(object({}));
  await terminal.see('What github gets');
  await terminal.at('Send this?', `${UP.repeat(3)}${ENTER}`);
  expect(await walked).toEqual({ action: 'accept', content: '{}' });
});

test('C03: optional fields left alone are absent', async () => {
  const { terminal, walked } = start(
    object({
      note: { type: 'string' },
      n: { type: 'integer' },
      mail: { type: 'string', format: 'email' },
      b: { type: 'boolean' },
    }),
  );
  await terminal.at('What do you want to do?', ENTER);
  for (const name of ['note', 'n (', 'mail', 'b (']) await terminal.at(name, ENTER);
  await terminal.at('Send this?', `${UP}${ENTER}`);
  expect(await walked).toEqual({ action: 'accept', content: '{}' });
  expect(terminal.text).toContain('(not sent)');
});

test('C05: defaults are prefilled and sent untouched, falsy ones too; one that does not fit is ignored', async () => {
  const { terminal, walked } = start(
    object(
      {
        notify: { type: 'boolean', default: true },
        retries: { type: 'integer', default: 0 },
        label: { type: 'string', default: '' },
        tags: {
          type: 'array',
          items: { type: 'string', enum: ['a', 'b', 'c'] },
          minItems: 1,
          default: ['b'],
        },
        bad: { type: 'boolean', default: 'true' },
      },
      ['notify', 'tags'],
    ),
  );
  await terminal.at('What do you want to do?', ENTER);
  for (const name of ['notify', 'retries', 'label', 'tags', 'bad']) await terminal.at(`${name} (`, ENTER);
  await terminal.at('Send this?', `${UP}${ENTER}`);
  expect(await walked).toEqual({
    action: 'accept',
    content: '{"notify":true,"retries":0,"label":"","tags":["b"]}',
  });
});

/** Decline and cancel are asked once more, and stand on the way back. */
async function mean(terminal: FakeTerminal, action: 'decline' | 'cancel' | 'leave'): Promise<void> {
  if (action === 'leave') return;
  const asked = action === 'decline' ? 'Tell github no?' : 'Dismiss the question?';
  await terminal.at(asked, `${DOWN}${ENTER}`);
}

test.each([
  ['decline', 1],
  ['cancel', 2],
  ['leave', 3],
] as const)('%s can be chosen before anything is filled in, and on the review', async (action, downs) => {
  const schema = object({ repo: { type: 'string' } }, ['repo']);
  const first = start(schema);
  await first.terminal.at('What do you want to do?', `${DOWN.repeat(downs)}${ENTER}`);
  await mean(first.terminal, action);
  expect(await first.walked).toEqual({ action });
  const last = start(schema);
  await last.terminal.at('What do you want to do?', ENTER);
  await last.terminal.at('repo', `x${ENTER}`);
  await last.terminal.at('Send this?', `${DOWN.repeat(downs + 1)}${ENTER}`);
  await mean(last.terminal, action);
  expect(await last.walked).toEqual({ action });
});

test('a value that does not fit is refused with the reason, and can be mended', async () => {
  const { terminal, walked } = start(object({ n: { type: 'integer', minimum: 1 } }, ['n']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('n (', `1.5${ENTER}`);
  await terminal.at('whole number', `${BACKSPACE.repeat(3)}7${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"n":7}' });
});

test('a field can be changed on the review', async () => {
  const { terminal, walked } = start(object({ a: { type: 'string' }, b: { type: 'string' } }, ['a', 'b']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('a (', `one${ENTER}`);
  await terminal.at('b (', `two${ENTER}`);
  await terminal.at('Send this?', `${DOWN}${ENTER}`);
  await terminal.at('Which field?', `${DOWN}${ENTER}`);
  // The value is on the line already and can be edited.
  await terminal.at('b (', `2${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"a":"one","b":"two2"}' });
});

test.each([
  ['Ctrl+C', (terminal: FakeTerminal) => terminal.press(CTRL_C)],
  ['Ctrl+D', (terminal: FakeTerminal) => terminal.press(CTRL_D)],
  ['the end of the input', (terminal: FakeTerminal) => terminal.input.end()],
] as const)('%s sends nothing, wherever it comes', async (_name, leave) => {
  const schema = object({ repo: { type: 'string' } }, ['repo']);
  const menu = start(schema);
  await menu.terminal.see('What do you want to do?');
  leave(menu.terminal);
  await expect(menu.walked).rejects.toMatchObject({ name: 'WalkStopped', why: 'interrupted' });
  const field = start(schema);
  await field.terminal.at('What do you want to do?', ENTER);
  await field.terminal.see('repo (');
  leave(field.terminal);
  await expect(field.walked).rejects.toMatchObject({ why: 'interrupted' });
  const early = start(object({}));
  await early.terminal.see('What github gets');
  leave(early.terminal);
  await expect(early.walked).rejects.toMatchObject({ why: 'interrupted' });
  const review = start(object({}));
  await review.terminal.see('Send this?');
  leave(review.terminal);
  await expect(review.walked).rejects.toMatchObject({ why: 'interrupted' });
  review.terminal.close();
  expect(review.terminal.input.raw).toBe(false);
});

test('a question that goes away takes the prompt with it at once', async () => {
  const { terminal, walked } = start(object({ repo: { type: 'string' } }, ['repo']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.see('repo (');
  terminal.gone.abort();
  await expect(walked).rejects.toMatchObject({ name: 'WalkStopped', why: 'gone' });
  terminal.close();
  expect(terminal.input.raw).toBe(false);
});

test('C31: keys typed before the review stood on the screen send nothing', async () => {
  const { terminal, walked } = start(object({ repo: { type: 'string' } }, ['repo']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('repo (', 'x');
  terminal.press(ENTER);
  terminal.press(`${ENTER}y`);
  await terminal.see('Send this?');
  terminal.press(ENTER);
  await terminal.settle();
  terminal.press(`${DOWN}${DOWN}${ENTER}`);
  await mean(terminal, 'decline');
  expect(await walked).toEqual({ action: 'decline' });
});

test('C28: a secret is typed unseen and not shown on the review', async () => {
  const { terminal, walked } = start(
    object({ apiKey: { type: 'string', description: 'Your API key' } }, ['apiKey']),
  );
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('apiKey', `sk-test-123${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"apiKey":"sk-test-123"}' });
  expect(terminal.drawn).not.toContain('sk-test');
  expect(terminal.text).toContain('(hidden, 11 characters)');
});

test("C26: the server's words and defaults neither steer the terminal nor type for the person", async () => {
  const evil = '\u001b]0;owned\u0007\u202e';
  const { terminal, walked } = start(
    object({ a: { type: 'string', title: `A${evil}`, description: evil, default: `x\r\r${evil}` } }, ['a']),
  );
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('Enter keeps', ENTER);
  await terminal.at('Send this?', `${UP}${ENTER}`);
  expect(await walked).toEqual({ action: 'accept', content: JSON.stringify({ a: `x\r\r${evil}` }) });
  expect(terminal.drawn).not.toContain('\u001b]0;');
  expect(terminal.drawn).not.toContain('\u202e');
});

test('a default can be taken away: an emptied optional field is left out', async () => {
  const { terminal, walked } = start(
    object({
      note: { type: 'string', default: 'abc' },
      n: { type: 'integer', default: 7 },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] },
      color: { enum: ['red', 'blue'], default: 'blue' },
    }),
  );
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('note (text, optional) abc', `${BACKSPACE.repeat(3)}${ENTER}`);
  await terminal.at('n (whole number, optional) 7', `${BACKSPACE}${ENTER}`);
  await terminal.at('tags (', `${DOWN} ${ENTER}`);
  await terminal.at('color (', `${DOWN}${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{}' });
});

test('bounds of a list of choices are kept', async () => {
  const tags = { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2 };
  const { terminal, walked } = start(object({ tags }, ['tags']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('tags (', ` ${ENTER}`);
  await terminal.at('needs at least 2 choices', `${DOWN} ${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"tags":["a","b"]}' });
});

test('fields that depend on each other are checked on the review, and cannot be sent before', async () => {
  const schema = {
    ...object({ a: { type: 'string' }, b: { type: 'string' } }),
    dependentRequired: { a: ['b'] },
  };
  const { terminal, walked } = start(schema);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('a (', `x${ENTER}`);
  await terminal.at('b (', ENTER);
  await terminal.see('It cannot be sent yet:');
  await terminal.at('What now?', ENTER);
  await terminal.at('Which field?', `${DOWN}${ENTER}`);
  await terminal.at('b (', `y${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"a":"x","b":"y"}' });
});

test('a secret that is there already is kept with Enter and never drawn', async () => {
  const { terminal, walked } = start(object({ password: { type: 'string', default: 'hunter2' } }));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('Enter keeps the value that is there', ENTER);
  await terminal.at('Send this?', `${UP}${ENTER}`);
  expect(await walked).toEqual({ action: 'accept', content: '{"password":"hunter2"}' });
  expect(terminal.drawn).not.toContain('hunter2');
});

test('styles are drawn only where colour is wanted, whatever the environment says', async () => {
  vi.stubEnv('FORCE_COLOR', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const color of [true, false]) {
    const { terminal, walked } = start(object({ a: { type: 'string', description: 'What a is' } }), color);
    await terminal.at('What do you want to do?', ENTER);
    await terminal.at('What a is', `x${ENTER}`);
    await terminal.at('Send this?', ENTER);
    await walked;
    expect(/\u001b\[[\d;]*m/.test(terminal.drawn)).toBe(color);
  }
});

test('a key that means nothing does not move to "Send"', async () => {
  const { terminal, walked } = start(object({}));
  await terminal.at('Send this?', `${UP}${UP}x\t1${ENTER}`);
  await mean(terminal, 'decline');
  expect(await walked).toEqual({ action: 'decline' });
});

test.each([
  ['Esc', '\u001b'],
  ['↑', UP],
])('%s goes to the field before, and what was typed is kept', async (_name, key) => {
  const { terminal, walked } = start(object({ a: { type: 'string' }, b: { type: 'string' } }, ['a', 'b']));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('a (', `one${ENTER}`);
  await terminal.at('b (', 'two');
  terminal.press(key);
  await terminal.settle();
  await terminal.at('a (', `!${ENTER}`);
  await terminal.at('b (text, required) two', ENTER);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"a":"one!","b":"two"}' });
});

test('typing filters from ten choices on, digits and / too; up to nine have numbers', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `Region ${index + 1}`);
  const { terminal, walked } = start(
    object({ region: { enum: many }, size: { enum: ['small', 'large'] } }, ['region', 'size']),
  );
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('region (', '/n 1');
  await terminal.see('filter: n 1');
  terminal.press('2');
  await terminal.settle();
  await terminal.see('❯ Region 12');
  terminal.press('zz');
  await terminal.settle();
  await terminal.see('(nothing fits)');
  terminal.press(`${BACKSPACE}${BACKSPACE}${ENTER}`);
  await terminal.see('size (');
  await terminal.at('2 large', `2${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"region":"Region 12","size":"large"}' });
});

test('nine choices have numbers also where they may be left out', async () => {
  const nine = Array.from({ length: 9 }, (_, index) => `choice ${index + 1}`);
  const { terminal, walked } = start(object({ one: { enum: nine } }));
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('9 choice 9', `9${ENTER}`);
  await terminal.at('Send this?', ENTER);
  expect(await walked).toEqual({ action: 'accept', content: '{"one":"choice 9"}' });
});
