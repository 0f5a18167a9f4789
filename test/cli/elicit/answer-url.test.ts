// `mcpx elicit answer` on a url question: who asks, the whole URL, consent, and the wait after it.
import { afterEach, expect, test, vi } from 'vitest';
import type { Row } from '../../../src/broker/types.ts';
import { CTRL_C, DOWN, ENTER, FakeTerminal } from '../../prompt/fake-terminal.ts';
import { type Bench, bench } from './run.ts';

afterEach(() => vi.unstubAllEnvs());

const OPEN = 1;
const MYSELF = 2;
const DECLINE = 3;
const CANCEL = 4;
const pick = (index: number): string => `${DOWN.repeat(index)}${ENTER}`;

function answering(at: Bench, row: Row) {
  at.broker.settled(row.id).then(
    () => at.broker.delivered(row.id),
    () => undefined,
  );
  const terminal = new FakeTerminal();
  const stderr = Object.assign(terminal.output, { isTTY: true });
  return {
    terminal,
    done: at.start(['elicit', 'answer'], { stdin: terminal.input, stderr, clock: terminal.commandClock })
      .done,
  };
}

test('consent, then "I have finished"', async () => {
  const at = await bench();
  const row = await at.askUrl('http://mcp.example.com/connect?x=1&y=2');
  const { terminal, done } = answering(at, row);
  for (const fact of [
    'github',
    'create_issue',
    'an-editor',
    'Link your account',
    'mcp.example.com',
    'http://mcp.example.com/connect?x=1&y=2',
    'not encrypted',
  ])
    await terminal.see(fact);
  await terminal.at('Do you want to go there?', pick(MYSELF));
  await terminal.at('When you have finished there:', ENTER);
  expect(await done).toMatchObject({ code: 0, stdout: `${row.id} accepted: sent to github\n` });
  expect(await at.broker.get(row.id)).toMatchObject({ state: 'accepted', completedAt: expect.any(String) });
});

test.each([
  [DECLINE, 'declined'],
  [CANCEL, 'cancelled'],
])('the other ways send what they say', async (index, state) => {
  const at = await bench();
  const row = await at.askUrl('https://example.com/');
  const { terminal, done } = answering(at, row);
  await terminal.at('Do you want to go there?', pick(index));
  // Asked once more; the way back is under the cursor.
  await terminal.at('No, go back', `${DOWN}${ENTER}`);
  expect(await done).toMatchObject({ code: 0 });
  expect((await at.broker.get(row.id)).state).toBe(state);
});

test('Enter alone, and Ctrl+C, send nothing', async () => {
  const at = await bench();
  const row = await at.askUrl('https://example.com/');
  const left = answering(at, row);
  await left.terminal.at('Do you want to go there?', ENTER);
  expect(await left.done).toMatchObject({ code: 0, stdout: '' });
  expect(left.terminal.text).toContain(`${row.id} stays open`);
  const broken = answering(at, row);
  await broken.terminal.at('Do you want to go there?', CTRL_C);
  expect(await broken.done).toMatchObject({ code: 130 });
  expect((await at.broker.get(row.id)).state).toBe('pending');
});

test('a URL that cannot be opened can only be refused', async () => {
  const at = await bench();
  const row = await at.askUrl('file:///etc/passwd');
  const { terminal, done } = answering(at, row);
  await terminal.see('file is neither http nor https');
  await terminal.at('What now?', pick(1));
  await terminal.at('Tell github no?', `${DOWN}${ENTER}`);
  expect(terminal.text).not.toContain('Yes:');
  expect(await done).toMatchObject({ code: 0 });
  expect((await at.broker.get(row.id)).state).toBe('declined');
});

test('a browser that does not start is said and the wait goes on; the server ends it (C33)', async () => {
  vi.stubEnv('BROWSER', '/bin/false');
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('WAYLAND_DISPLAY', '');
  const at = await bench();
  const row = await at.askUrl('https://example.com/x');
  const { terminal, done } = answering(at, row);
  await terminal.at('Do you want to go there?', pick(OPEN));
  await terminal.see('could not be opened');
  await terminal.see('Open it yourself: https://example.com/x');
  await terminal.see('When you have finished there:');
  await at.broker.completed(row.id);
  await terminal.see('github says that it is finished');
  expect(await done).toMatchObject({ code: 0 });
});
