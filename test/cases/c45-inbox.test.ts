// C45 in the inbox: nothing undecided becomes a yes, an untouched review goes back, and every refusal asks once more.
import { describe, expect, test } from 'vitest';
import { fakeTui } from '../tui/fake-tui.ts';

const DELETE = {
  message: 'Delete 3 files?',
  schema: { properties: { ok: { type: 'boolean' } }, required: ['ok'] },
};
const DEFAULT = { schema: { properties: { ok: { type: 'boolean', default: true } }, required: ['ok'] } };
const TWO = {
  schema: {
    properties: { ok: { type: 'boolean' }, repo: { type: 'string' } },
    required: ['ok', 'repo'],
  },
};
const URL = { mode: 'url', url: 'https://example.com/' } as const;

test.each([
  ['an undecided yes or no', DELETE],
  ['a yes by default', DEFAULT],
  ['no field at all', {}],
  ['a text by default', { schema: { properties: { it: { type: 'string', default: 'x' } } } }],
  ['a choice by default', { schema: { properties: { it: { enum: ['a', 'b'], default: 'a' } } } }],
])('any number of Enters accepts no form with %s', async (_name, asked) => {
  const tui = await fakeTui({ asked: [asked] });
  for (let count = 0; count < 9; count += 1) {
    await tui.settle();
    await tui.press('enter');
  }
  expect(tui.source.answers).toEqual([]);
});

test.each(['space', 'enter'])('%s decides nothing that is undecided', async (key) => {
  const tui = await fakeTui({ asked: [DELETE] });
  await tui.press('enter', key, key);
  expect(tui.vt.text).toContain('Neither yes nor no is chosen yet: press y or n.');
  expect(tui.vt.text).toContain('○ yes   ○ no   ● not answered');
  expect(tui.vt.text).not.toContain('This is what');
});

test('Enter does not pass over an undecided field that is required; Tab does', async () => {
  const tui = await fakeTui({ asked: [TWO] });
  await tui.press('enter', 'enter');
  expect(tui.vt.text).toContain('field 1 of 2');
  await tui.press('tab');
  expect(tui.vt.text).toContain('field 2 of 2');
});

test('the untouched review shows both choices, stands on "go back", and sends after a move', async () => {
  const tui = await fakeTui({ asked: [DEFAULT] });
  await tui.press('enter', 'enter');
  expect(tui.vt.text).toContain('❯ [Go back]     Send it');
  expect(tui.vt.text).toContain('Enter go back');
  await tui.settle();
  await tui.press('tab');
  expect(tui.vt.text).toContain('❯ [Send it]');
  expect(tui.vt.text).toContain('Enter send');
  await tui.press('enter');
  await tui.see('Sent to github');
  expect(tui.source.answers).toMatchObject([{ action: 'accept', content: '{"ok":true}' }]);
});

test('what was entered before the question was left does not count once it is opened again', async () => {
  const tui = await fakeTui({ asked: [DELETE] });
  await tui.press('enter', 'y');
  expect(tui.vt.text).toContain('❯ [Send it]');
  await tui.press('esc', 'esc', 'enter', 'enter');
  expect(tui.vt.text).toContain('❯ [Go back]');
});

/** Where a refusal can be asked for, and the keys that lead there. */
const PLACES = [
  ['a form', DELETE, []],
  ['a text', { schema: { properties: { repo: { type: 'string' } } } }, ['x']],
  ['a review', DELETE, ['y']],
  ['a URL', URL, []],
  ['a URL that cannot be opened', { mode: 'url', url: 'file:///x' } as const, []],
] as const;

describe.each([
  ['ctrl+d', 'decline', 'Tell github no?'],
  ['ctrl+x', 'cancel', 'Dismiss the question of github with neither yes nor no?'],
] as const)('%s', (key, action, words) => {
  test.each(PLACES)('on %s asks once more, and only a yes is one', async (_name, asked, keys) => {
    const tui = await fakeTui({ asked: [asked] });
    await tui.press('enter', ...keys);
    await tui.settle();
    await tui.press(key);
    expect(tui.vt.text).toContain(words);
    expect(tui.vt.text).toContain('❯ [No, go back]');
    // Without effect at first: neither yes nor no.
    await tui.press('y', 'n', 'enter');
    expect(tui.vt.text).toContain(words);
    // The same key again, or held, is no yes; Enter goes back.
    await tui.settle();
    await tui.press(key, key, 'enter');
    expect(tui.vt.text).not.toContain(words);
    expect(tui.source.answers).toEqual([]);
    await tui.press(key);
    await tui.settle();
    await tui.press('y');
    await tui.see(action === 'decline' ? 'declined' : 'cancelled');
    expect(tui.source.answers).toMatchObject([{ action }]);
  });

  test.each(PLACES)(
    'on %s Esc and n are a no, and the question is where it was',
    async (_name, asked, keys) => {
      const tui = await fakeTui({ asked: [asked] });
      await tui.press('enter', ...keys);
      await tui.settle();
      const before = tui.state().questions.values().next().value?.stage;
      for (const no of ['esc', 'n']) {
        await tui.press(key);
        expect(tui.vt.text).toContain(words);
        await tui.settle();
        // Also where the yes was moved to before.
        await tui.press('tab', no);
        expect(tui.vt.text).not.toContain(words);
        expect(tui.state()).toMatchObject({ open: 'elc-0000000000000001' });
        expect(tui.state().questions.values().next().value?.stage).toBe(before);
      }
      expect(tui.source.answers).toEqual([]);
    },
  );

  test('after the consent to a URL there is nothing to refuse any more', async () => {
    const tui = await fakeTui({ asked: [URL] });
    await tui.press('enter');
    await tui.settle();
    await tui.press('y');
    await tui.see('has been told');
    await tui.settle();
    await tui.press(key, 'y', 'enter');
    expect(tui.vt.text).not.toContain(words);
    expect(tui.source.answers).toMatchObject([{ action: 'accept' }]);
  });
});
