// C45 in the line prompts: what was typed before a prompt stood there decides nothing, and no row of Enters accepts.
import { expect, test } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { askConsent } from '../../src/prompt/consent.ts';
import { QUIET_MS } from '../../src/prompt/keyboard.ts';
import { walk } from '../../src/prompt/walk.ts';
import { DOWN, ENTER, FakeTerminal } from '../prompt/fake-terminal.ts';

const DELETE = {
  type: 'object',
  properties: { ok: { type: 'boolean', title: 'Delete 3 files?' } },
  required: ['ok'],
};

function walked(terminal: FakeTerminal, schema: unknown) {
  const form = formOf(JSON.stringify(schema));
  const ends: unknown[] = [];
  walk('github', form, terminal.streams, async (draft) => check(form, draft)).then(
    (one) => ends.push(one),
    () => undefined,
  );
  return ends;
}

test.each([false, true])(
  'what was typed before the first prompt is thrown away; plain: %s',
  async (plain) => {
    const terminal = new FakeTerminal();
    terminal.plain = plain;
    // What the terminal and the stream hold from before.
    terminal.press(`${DOWN}${ENTER}2${ENTER}yes${ENTER}`);
    const ends = walked(terminal, DELETE);
    await terminal.see('What do you want to do?');
    terminal.press(plain ? `2${ENTER}` : `${DOWN}${ENTER}`);
    await new Promise((resolve) => setImmediate(resolve));
    terminal.clock.advance(QUIET_MS - 1);
    terminal.press(plain ? `2${ENTER}` : `${DOWN}${ENTER}`);
    await new Promise((resolve) => setImmediate(resolve));
    terminal.clock.advance(1);
    await terminal.settle();
    expect(terminal.text).not.toContain('Tell github no?');
    // From now on keys count.
    terminal.press(plain ? `2${ENTER}` : `${DOWN}${ENTER}`);
    await terminal.settle();
    await terminal.see('Tell github no?');
    expect(ends).toEqual([]);
    terminal.close();
  },
);

test.each([false, true])('Enter alone never answers "Delete 3 files?"; plain: %s', async (plain) => {
  const terminal = new FakeTerminal();
  terminal.plain = plain;
  const ends = walked(terminal, DELETE);
  for (let count = 0; count < 12; count += 1) {
    await terminal.settle();
    terminal.press(ENTER);
  }
  await terminal.settle();
  expect(ends).toEqual([]);
  expect(terminal.text).not.toContain('Send this?');
  if (!plain) expect(terminal.text).toContain('Choose one first');
  terminal.close();
});

test('a review of what nobody touched stands on the way back', async () => {
  const terminal = new FakeTerminal();
  const schema = { type: 'object', properties: { ok: { type: 'boolean', default: true } }, required: ['ok'] };
  const ends = walked(terminal, schema);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('ok (', ENTER);
  await terminal.see('Send this?');
  await terminal.see('❯ Go back and change a field');
  await terminal.settle();
  terminal.press(ENTER);
  await terminal.see('Which field?');
  expect(ends).toEqual([]);
  // Changed by the person, it stands on Send.
  await terminal.at('ok', ENTER);
  await terminal.at('ok (', `n${ENTER}`);
  await terminal.see('❯ Send');
  await terminal.settle();
  terminal.press(ENTER);
  await terminal.settle();
  expect(ends).toEqual([{ action: 'accept', content: '{"ok":false}' }]);
  terminal.close();
});

test.each([
  ['decline', 3, 'Tell github no?'],
  ['cancel', 4, 'Dismiss the question?'],
] as const)(
  '%s of a URL question asks once more and stands on the way back',
  async (action, downs, asked) => {
    const terminal = new FakeTerminal();
    const consent = askConsent('github', true, terminal.streams);
    await terminal.at('Do you want to go there?', `${DOWN.repeat(downs)}${ENTER}`);
    await terminal.at(asked, ENTER);
    await terminal.at('Do you want to go there?', `${DOWN.repeat(downs)}${ENTER}`);
    await terminal.at(asked, `${DOWN}${ENTER}`);
    expect(await consent).toBe(action);
    terminal.close();
  },
);
