// With colour the pictures are the same texts in other looks; without it nothing is styled at all.
import { expect, test, vi } from 'vitest';

vi.hoisted(() => {
  // Ink's chalk looks once, when it is loaded.
  process.env['FORCE_COLOR'] = '1';
});

import { fakeTui } from './fake-tui.ts';

const FORM = { schema: { properties: { repo: { type: 'string', minLength: 3 } }, required: ['repo'] } };

test.each(['inbox', 'form', 'review'])('%s', async (screen) => {
  const texts: string[] = [];
  for (const color of [true, false]) {
    const tui = await fakeTui({ color, asked: [FORM] });
    if (screen !== 'inbox') await tui.press('enter');
    if (screen === 'review') {
      await tui.type('me/thing');
      await tui.press('enter');
    }
    expect(tui.vt.styled).toBe(color);
    texts.push(tui.vt.text);
  }
  expect(texts[0]).toBe(texts[1]);
});
