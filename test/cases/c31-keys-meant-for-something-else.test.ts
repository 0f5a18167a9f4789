// C31: keystrokes meant for something else never answer: a new question takes no focus, and what sends does nothing at first.
import { expect, test } from 'vitest';
import { type FakeTui, fakeTui } from '../tui/fake-tui.ts';

const BOOLEAN = { schema: { properties: { ok: { type: 'boolean' } }, required: ['ok'] } };
const TEXT = { schema: { properties: { repo: { type: 'string' } }, required: ['repo'] } };
const BURST = ['y', 'a', 'space', 'enter', 'y', 'enter', 'enter'];

const nothingSent = (tui: FakeTui): void => {
  expect(tui.source.answers).toEqual([]);
  expect([...tui.source.rows.values()].every(({ state }) => state === 'pending')).toBe(true);
};

test('a question that comes while another is edited takes no key', async () => {
  const tui = await fakeTui({ asked: [TEXT] });
  await tui.press('enter', 'm');
  tui.source.ask({ ...BOOLEAN, server: 'other', expiresAt: new Date(tui.clock.now() + 5_000).toISOString() });
  await tui.see('1 other question waiting');
  await tui.press('y', 'a', 'space', 'x');
  expect(tui.vt.text).toContain('│ mya x');
  expect(tui.vt.text).toContain('github asks');
  nothingSent(tui);
});

test('keys that come with the first question of an empty list do not open or answer it', async () => {
  const tui = await fakeTui();
  tui.source.ask(BOOLEAN);
  await tui.see('1 open');
  await tui.press(...BURST);
  expect(tui.vt.text).toContain('[● 1 open]');
  nothingSent(tui);
  // A key that was meant for it opens it, and still sends nothing.
  tui.clock.advance(500);
  await tui.press(...BURST);
  expect(tui.vt.text).toContain('when you press Enter');
  nothingSent(tui);
});

test('a key meant for a row that went away does not open the one that took its place', async () => {
  const tui = await fakeTui({ asked: [TEXT, BOOLEAN] });
  tui.source.end('elc-0000000000000001', 'accepted');
  await tui.see('1 open');
  await tui.press('enter');
  expect(tui.vt.text).toContain('[● 1 open]');
});

test('keys that send do nothing in the review until 300 ms after its drawing, and while the key is held', async () => {
  const tui = await fakeTui({ asked: [BOOLEAN] });
  await tui.press('enter', 'y');
  expect(tui.vt.text).toContain('when you press Enter');
  for (let held = 0; held < 20; held += 1) {
    await tui.press('enter');
    tui.clock.advance(40);
  }
  expect(tui.vt.text).toContain('That came too soon');
  nothingSent(tui);
  tui.clock.advance(350);
  await tui.press('enter');
  await tui.see('Sent to github');
  expect(tui.source.answers).toHaveLength(1);
  // Answered once: nothing is sent for it any more.
  await tui.press('enter', 'enter', 'enter', 'y');
  expect(tui.source.answers).toHaveLength(1);
});

test('only the key of the person opens the review: no letter, no paste, no time', async () => {
  const tui = await fakeTui({ asked: [TEXT] });
  await tui.press('enter');
  await tui.paste('me/thing\n');
  tui.clock.advance(10_000);
  await tui.drawn();
  expect(tui.vt.text).not.toContain('when you press Enter');
  nothingSent(tui);
});

test.each([['o'], ['y']])('so it is with the consent to a URL: %s', async (key) => {
  const opened: string[] = [];
  const tui = await fakeTui({
    asked: [{ mode: 'url', url: 'https://example.com/' }],
    openUrl: async (url) => void opened.push(url),
  });
  await tui.press('enter', key, 'enter', 'space');
  expect(tui.vt.text).toContain('consent and open');
  expect(opened).toEqual([]);
  nothingSent(tui);
  tui.clock.advance(350);
  await tui.press(key);
  await tui.see('I have finished');
  expect(tui.source.answers).toMatchObject([{ action: 'accept' }]);
});

test('declining is asked back, and the answer to that waits in the same way', async () => {
  const tui = await fakeTui({ asked: [TEXT] });
  await tui.press('enter', 'ctrl+d', 'y', 'enter');
  expect(tui.vt.text).toContain('Tell github no?');
  nothingSent(tui);
});
