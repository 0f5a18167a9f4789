// Lists of ten options and more are filtered by typing; shorter ones are picked from by their digits.
import { describe, expect, test } from 'vitest';
import { fakeTui } from './fake-tui.ts';

const CITIES = [
  'Aachen',
  'Berlin',
  'Bonn',
  'Bremen',
  'Dresden',
  'Essen',
  'Hamburg',
  'Kiel',
  'Mainz',
  'Ulm',
  'R2',
];
const list = (schema: unknown) => ({ schema: { properties: { city: schema }, required: ['city'] } });
const LONG = list({ type: 'string', enum: CITIES });
const LONG_MULTI = list({ type: 'array', items: { type: 'string', enum: CITIES } });
const SHORT = list({ type: 'string', enum: CITIES.slice(0, 9) });

test('typing filters, and Enter chooses what is highlighted', async () => {
  const tui = await fakeTui({ asked: [LONG] });
  await tui.press('enter');
  expect(tui.vt.text).toContain('Letters filter');
  await tui.type('bre');
  expect(tui.vt.text).toContain('Filter: bre  (1 shown)');
  expect(tui.vt.text).toContain('❯ ○ Bremen');
  expect(tui.vt.text).not.toContain('Aachen');
  await tui.press('backspace', 'backspace');
  expect(tui.vt.text).toContain('Filter: b  (4 shown)');
  await tui.press('down', 'enter');
  expect(tui.vt.text).toContain('city  "Bonn" (text)');
  expect(tui.source.answers).toEqual([]);
});

test.each(['j', 'k', 'g', 'G', 'q', '2'])('%s is filter text in a long list', async (key) => {
  const tui = await fakeTui({ asked: [LONG] });
  await tui.press('enter', key);
  expect(tui.vt.text).toContain(`Filter: ${key}`);
  expect(tui.vt.text).not.toContain('This is what');
});

test('a slash begins a filter, Esc ends it before it goes back, and the row stays', async () => {
  const tui = await fakeTui({ asked: [LONG] });
  await tui.press('enter', '/');
  expect(tui.vt.text).toContain('Filter: (type to filter)');
  await tui.type('mainz');
  await tui.press('esc');
  expect(tui.vt.text).not.toContain('Filter:');
  expect(tui.vt.text).toContain('❯ ○ Mainz');
  await tui.press('esc');
  expect(tui.vt.text).toContain('1 open');
});

test('a filter that leaves nothing chooses nothing', async () => {
  const tui = await fakeTui({ asked: [LONG] });
  await tui.press('enter');
  await tui.type('zzz');
  await tui.press('enter');
  expect(tui.vt.text).toContain('No option has that in it.');
  expect(tui.state().questions.get('elc-0000000000000001')?.draft.size).toBe(0);
});

test('Ctrl+C ends the filter first', async () => {
  const tui = await fakeTui({ asked: [LONG] });
  await tui.press('enter', 'b', 'ctrl+c');
  expect(tui.vt.text).toContain('The filter is ended. Ctrl+C again leaves');
});

test('several are taken with Space out of several filters', async () => {
  const tui = await fakeTui({ asked: [LONG_MULTI] });
  await tui.press('enter', 'u', 'l', 'm', 'space', 'ctrl+u', '2', 'space');
  expect(tui.vt.text).toContain('2 of 11 taken');
  await tui.press('enter');
  expect(tui.vt.text).toContain('["Ulm","R2"]');
});

describe('a short list', () => {
  test('shows digits and picks by them', async () => {
    const tui = await fakeTui({ asked: [SHORT] });
    await tui.press('enter');
    expect(tui.vt.text).toContain('○ 9 Mainz');
    await tui.press('9');
    expect(tui.vt.text).toContain('city  "Mainz" (text)');
  });

  test('is filtered after a slash; digits are then text and not shown', async () => {
    const tui = await fakeTui({ asked: [SHORT] });
    await tui.press('enter', '/', 'b', '1');
    expect(tui.vt.text).toContain('Filter: b1  (no option has that in it)');
    await tui.press('backspace');
    expect(tui.vt.text).toContain('❯ ○ Berlin');
  });
});
