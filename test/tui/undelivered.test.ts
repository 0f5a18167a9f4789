// C52 in the inbox: an answer that its server never got is shown as that, with the reason.
import { expect, test } from 'vitest';
import { fakeTui } from './fake-tui.ts';

const REASON = 'the gateway that held the call is gone';
const LOST = {
  state: 'accepted',
  answer: { action: 'accept', content: '{"ok":true}', by: 'cli', at: '2026-11-30T18:00:00.000Z' },
  undelivered: true,
  reason: REASON,
} as const;

test('it is in the list of what is over and on its own screen, and nothing says that it may still be taken', async () => {
  const tui = await fakeTui({ asked: [LOST] });
  await tui.press('tab');
  expect(tui.vt.text).toMatch(/⚠ accepted .*not delivered/);
  await tui.settle();
  await tui.press('enter');
  const words = tui.vt.text.replaceAll(/\s+/g, ' ');
  expect(words).toContain(`but not delivered: ${REASON}`);
  expect(words).not.toContain('has not taken it yet');
  expect(words.split(REASON)).toHaveLength(2);
});

test('an answer that a host could not give says why, and where it stands', async () => {
  const { undelivered: _, ...taken } = LOST;
  const tui = await fakeTui({ asked: [{ ...taken, reason: 'the host did not answer in time' }] });
  await tui.press('tab');
  await tui.settle();
  await tui.press('enter');
  expect(tui.vt.text).toContain('Recorded; github has not taken it yet.');
  expect(tui.vt.text).toContain('Note: the host did not answer in time');
});
