// C30: wide characters, joined emoji and accents: cursor and borders stand where they belong, and one key takes one away.
import { expect, test } from 'vitest';
import { fakeTui } from '../tui/fake-tui.ts';

const text = (more: object = {}) => ({
  schema: { properties: { it: { type: 'string', ...more } }, required: ['it'] },
});

test.each([
  ['한글中文ABC', 11],
  ['👨‍👩‍👧‍👦', 2],
  ['e\u0301', 1],
  ['🙂🙂', 4],
])('the cursor stands behind %s', async (typed, columns) => {
  const tui = await fakeTui({ asked: [text()] });
  await tui.press('enter');
  await tui.type(typed);
  // Four columns stand before the text; the terminal's own cursor is where an input method opens its window.
  expect(tui.vt.lines[tui.vt.y]).toBe(`  │ ${typed}`);
  expect({ x: tui.vt.x, shown: tui.vt.modes.has('25') }).toEqual({ x: 4 + columns, shown: true });
});

test('arrows and backspace go by what a person sees', async () => {
  const tui = await fakeTui({ asked: [text()] });
  await tui.press('enter');
  await tui.type('한e\u0301👨‍👩‍👧‍👦');
  await tui.press('left', 'left');
  expect(tui.vt.x).toBe(4 + 2);
  await tui.press('backspace', 'end', 'backspace');
  expect(tui.vt.lines[tui.vt.y]).toBe('  │ e\u0301');
});

test('maxLength counts code points', async () => {
  const tui = await fakeTui({ asked: [text({ maxLength: 2 })] });
  await tui.press('enter');
  await tui.type('🙂🙂');
  expect(tui.vt.text).toContain('✓ ok');
  await tui.type('🙂');
  expect(tui.vt.text).toContain('needs at most 2 characters');
});

test('Japanese titles of options keep to the screen', async () => {
  const title = 'とても長い日本語の選択肢の名前'.repeat(4);
  const schema = { properties: { it: { type: 'string', title, oneOf: [{ const: 'a', title }] } } };
  const tui = await fakeTui({ columns: 60, rows: 24, asked: [{ schema, server: '日本語サーバー' }] });
  await tui.press('enter');
  expect(tui.vt.scrolled).toBe(0);
  // Whole, over as many lines as it takes.
  const joined = tui.vt.lines.join('').replace(/[\s❯○●1]/g, '');
  expect(joined).toContain(title);
});

test('a long text goes on in the next line, and the cursor with it', async () => {
  const tui = await fakeTui({ columns: 60, rows: 24, asked: [text()] });
  await tui.press('enter');
  await tui.type('漢'.repeat(40));
  const last = tui.vt.y;
  expect(tui.vt.lines.slice(last - 1, last + 1).map((line) => line.replace(/[^漢]/g, '').length)).toEqual([
    27, 13,
  ]);
  expect(tui.vt.x).toBe(4 + 26);
});
