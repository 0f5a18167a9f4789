// C33: a browser that cannot be opened: the consent screen stays with the URL to copy, and nothing was told.
import { expect, test } from 'vitest';
import { McpxError } from '../../src/errors.ts';
import { fakeTui } from '../tui/fake-tui.ts';

const URL = 'https://accounts.example.com/login?state=1';

test('the consent screen stays, with the reason and the URL; it is never waiting', async () => {
  let failing = true;
  const opened: string[] = [];
  const tui = await fakeTui({
    asked: [{ mode: 'url', url: URL }],
    openUrl: async (url) => {
      opened.push(url);
      if (failing)
        throw new McpxError('failure', 'The browser could not be opened: its launcher ended with code 1.');
    },
  });
  await tui.press('enter');
  expect(opened).toEqual([]);
  await tui.settle();
  await tui.press('o');
  const screen = await tui.see('its launcher ended with code 1. Copy the');
  expect(screen).toContain(URL);
  expect(screen).toContain('consent and open');
  expect(screen).not.toContain('I have finished');
  expect(tui.source.answers).toEqual([]);
  await tui.press('c');
  expect(tui.vt.commands.at(-1)).toBe(`52;c;${Buffer.from(URL).toString('base64')}`);
  failing = false;
  await tui.settle();
  await tui.press('o');
  await tui.see('I have finished');
  expect(tui.source.answers).toEqual([{ id: 'elc-0000000000000001', action: 'accept' }]);
  // What fails later does not take the consent back.
  failing = true;
  await tui.press('o');
  await tui.see('its launcher ended with code 1');
  expect(tui.vt.text).toContain('I have finished');
  tui.source.complete('elc-0000000000000001');
  await tui.see('Finished at the URL');
});

test('whoever opens it elsewhere consents without a browser', async () => {
  const tui = await fakeTui({
    asked: [{ mode: 'url', url: URL }],
    openUrl: () => Promise.reject(new Error('must not be opened')),
  });
  await tui.press('enter');
  await tui.settle();
  await tui.press('y');
  await tui.see('You consented');
  await tui.settle();
  await tui.press('f');
  await tui.see('Finished at the URL');
});

test.each([['javascript:alert(1)'], ['file:///etc/passwd'], ['not a url'], ['vscode://x']])(
  '%s cannot be accepted, only shown, declined or cancelled',
  async (url) => {
    const opened: string[] = [];
    const tui = await fakeTui({
      asked: [{ mode: 'url', url }],
      openUrl: async (one) => void opened.push(one),
    });
    await tui.press('enter');
    await tui.settle();
    await tui.press('o', 'y', 'enter');
    expect(tui.vt.text).toContain('It cannot be opened');
    expect({ opened, answers: tui.source.answers }).toEqual({ opened: [], answers: [] });
    await tui.press('ctrl+x');
    await tui.settle();
    await tui.press('y');
    await tui.see('cancelled');
  },
);

test('stopping to wait leaves the consent as it is', async () => {
  const tui = await fakeTui({ asked: [{ mode: 'url', url: URL }] });
  await tui.press('enter');
  await tui.settle();
  await tui.press('y');
  await tui.see('You consented');
  await tui.press('s');
  await tui.see('No question waits');
  expect(tui.source.rows.get('elc-0000000000000001')?.completedAt).toBeUndefined();
});
