// C35: a form with one choice: Enter on an option picks it and leads to the review, a second Enter sends.
import { expect, test } from 'vitest';
import { fakeTui } from '../tui/fake-tui.ts';

const ONE = {
  schema: { properties: { colour: { type: 'string', enum: ['red', 'green'] } }, required: ['colour'] },
};

test('Enter picks and leads to the review, Enter sends; the keys are on the screen', async () => {
  const tui = await fakeTui({ asked: [ONE] });
  await tui.press('enter');
  expect(tui.vt.text).toContain('Enter choose');
  // Highlighted is not chosen: nothing is until a key says so.
  expect(tui.vt.text).toContain('* required');
  expect(tui.vt.text).toContain('❯ ○ 1 red');
  await tui.press('down', 'enter');
  expect(tui.vt.text).toContain('colour  "green" (text)');
  expect(tui.vt.text).toContain('Enter send');
  await tui.settle();
  await tui.press('enter');
  await tui.see('Sent to github');
  expect(tui.source.answers).toMatchObject([{ action: 'accept', content: '{"colour":"green"}' }]);
});

test.each([
  ['y', '{"ok":true}'],
  ['n', '{"ok":false}'],
])('a lone yes or no is answered with %s and reviewed', async (key, content) => {
  const tui = await fakeTui({
    asked: [{ schema: { properties: { ok: { type: 'boolean' } }, required: ['ok'] } }],
  });
  await tui.press('enter', key);
  await tui.settle();
  await tui.press('enter');
  await tui.see('Sent to github');
  expect(tui.source.answers).toMatchObject([{ content }]);
});
