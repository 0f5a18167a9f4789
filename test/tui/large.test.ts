// Whatever a server sends is drawn whole by scrolling, and stays quick.
import { expect, test } from 'vitest';
import { type FakeTui, fakeTui } from './fake-tui.ts';

/** Everything that scrolling shows, joined; what is shown twice counts once. */
async function scrolled(tui: FakeTui): Promise<string> {
  const seen: string[] = [];
  for (;;) {
    const { lines } = tui.vt;
    const rule = lines.findIndex((line) => line.startsWith('──'));
    const body = lines.slice(1, rule);
    const overlap = body.findIndex(
      (_, at) => seen.slice(-(body.length - at)).join('\n') === body.slice(0, body.length - at).join('\n'),
    );
    seen.push(...(seen.length === 0 || overlap < 0 ? body : body.slice(body.length - overlap)));
    if (!(lines[rule] ?? '').includes('below')) return seen.join('\n');
    await tui.press('pagedown');
  }
}

/** Milliseconds that a key takes until its picture stands. */
async function pace(tui: FakeTui, key: string, times = 5): Promise<number> {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) await tui.press(key);
  return (performance.now() - start) / times;
}

/** Generous for a busy machine; a person notices from about 100 ms on. */
const QUICK = 400;

test('a message of 40 lines', async () => {
  const message = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the message.`).join('\n');
  const schema = { properties: { it: { type: 'string' } }, required: ['it'] };
  const tui = await fakeTui({ columns: 60, rows: 12, asked: [{ message, schema }] });
  await tui.press('enter');
  // What is asked is read before it is answered.
  expect(tui.vt.text).toContain('Enter go on');
  const text = await scrolled(tui);
  for (let line = 1; line <= 40; line += 1) expect(text).toContain(`Line ${line} of the message.`);
  await tui.press('down');
  expect(tui.vt.text).toContain('❯ it');
});

test('a URL of 3,000 characters', async () => {
  const url = `https://example.com/?${Array.from({ length: 595 }, (_, index) => `p${String(index).padStart(3, '0')}=`).join('')}`;
  expect(url.length).toBeGreaterThan(2_990);
  const tui = await fakeTui({ columns: 60, rows: 12, asked: [{ mode: 'url', url }] });
  await tui.press('enter');
  const text = await scrolled(tui);
  expect(text.replace(/\s/g, '')).toContain(url);
  expect(await pace(tui, 'up')).toBeLessThan(QUICK);
});

test('200 fields', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `field${index}`,
      { type: 'string', title: `Field ${index}`, description: 'What it is for.' },
    ]),
  );
  const tui = await fakeTui({ asked: [{ schema: { properties } }] });
  await tui.press('enter');
  expect(await pace(tui, 'tab', 20)).toBeLessThan(QUICK);
  expect(tui.vt.text).toContain('❯ Field 20 (field20)');
  expect(await pace(tui, 'x')).toBeLessThan(QUICK);
  expect(tui.vt.text).toContain('│ xxxxx');
  const tabs = '\t'.repeat(179);
  await tui.type(tabs);
  expect(tui.vt.text).toContain('❯ Field 199 (field199)');
  await tui.press('shift+tab');
  expect(tui.vt.text).toContain('field 199 of 200');
  await tui.press('ctrl+r');
  expect(await scrolled(tui)).toMatch(/field199 +\(not sent\)/);
});

test('2,000 options', async () => {
  const options = Array.from({ length: 2_000 }, (_, index) => `option ${index}`);
  const schema = {
    properties: {
      one: { type: 'string', enum: options },
      some: { type: 'array', items: { enum: options }, default: options },
    },
    required: ['one'],
  };
  const tui = await fakeTui({ asked: [{ schema }] });
  await tui.press('enter');
  expect(await pace(tui, 'down', 10)).toBeLessThan(QUICK);
  expect(tui.vt.text).toContain('❯ ○ option 10\n');
  await tui.press('end');
  expect(tui.vt.text).toContain('❯ ○ option 1999\n');
  await tui.press('pageup', 'up', 'enter');
  expect(tui.vt.text).toMatch(/option 19[89]\d/);
  expect(tui.vt.text).toContain('2000 of 2000 taken');
  expect(await pace(tui, 'space')).toBeLessThan(QUICK);
  expect(tui.vt.text).toContain('1999 of 2000 taken');
});

test('500 questions', async () => {
  const tui = await fakeTui({
    asked: Array.from({ length: 500 }, (_, index) => ({ server: `server-${index}` })),
  });
  expect(tui.vt.text).toContain('500 open');
  await tui.press('end');
  expect(tui.vt.text).toContain('❯ ● server-499');
  expect(await pace(tui, 'up')).toBeLessThan(QUICK);
});
