// C49 in the inbox: keys are measured by what passes, and countdowns go on from what was left.
import { describe, expect, test } from 'vitest';
import { fakeTui } from '../tui/fake-tui.ts';

const MINUTES = 60_000;
const URL = { mode: 'url', url: 'https://example.com/' } as const;

describe.each([
  ['ahead', 10 * MINUTES],
  ['back', -10 * MINUTES],
] as const)('the wall clock goes %s by 10 minutes', (_, by) => {
  test('a key that consents is not taken before it is due, nor later than that', async () => {
    const tui = await fakeTui({ asked: [URL] });
    await tui.press('enter');
    await tui.drawn();
    tui.clock.jump(by);
    await tui.press('o');
    expect(tui.source.answers).toEqual([]);
    await tui.settle();
    await tui.press('o');
    await tui.see('You consented');
    expect(tui.source.answers).toMatchObject([{ action: 'accept' }]);
  });

  test('the time left goes on, and so it does once the deadline has moved', async () => {
    const tui = await fakeTui({ asked: [{}] });
    expect(tui.vt.text).toContain('10:00 left');
    tui.clock.jump(by);
    await tui.clock.pass(2_000);
    await tui.see('9:58 left');
    const [row] = [...tui.source.rows.values()];
    if (row === undefined) throw new Error('no row');
    const expiresAt = new Date(Date.parse(row.expiresAt) + by).toISOString();
    // What a gateway does without a word: a deadline that moves with the clock is no change.
    tui.source.rows.set(row.id, { ...row, expiresAt });
    await tui.clock.pass(8_000);
    await tui.see('9:50 left');
    expect(tui.vt.text).not.toContain('out of date');
  });
});
