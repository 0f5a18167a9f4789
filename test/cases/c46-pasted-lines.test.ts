// C46: several lines pasted into a line prompt are joined, shown and said, and nothing is submitted by a paste.
import { describe, expect, test } from 'vitest';
import { formOf } from '../../src/form/form-of.ts';
import { check } from '../../src/form/jobs.ts';
import { walk } from '../../src/prompt/walk.ts';
import { ENTER, FakeTerminal } from '../prompt/fake-terminal.ts';

const SCHEMA = { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] };

async function atNote(plain: boolean) {
  const terminal = new FakeTerminal();
  terminal.plain = plain;
  const form = formOf(JSON.stringify(SCHEMA));
  const ended = walk('github', form, terminal.streams, async (draft) => check(form, draft));
  ended.catch(() => undefined);
  await terminal.at('What do you want to do?', plain ? `1${ENTER}` : ENTER);
  await terminal.see('note (');
  await terminal.settle();
  return { terminal, ended };
}

describe.each([false, true])('plain lines: %s', (plain) => {
  test.each([
    ['marked by the terminal', ['\u001b[200~one\rtwo\r\nthree\r\u001b[201~']],
    ['in one read', ['one\rtwo\rthree\r']],
    ['in several reads', ['one\r', 'two\r', 'three']],
    ['marked, in several reads', ['\u001b[200~one\rtw', 'o\rthr', 'ee\u001b[20', '1~']],
    ['a tab in it', ['one\ttwo\rthree']],
  ])('%s', async (_name, reads) => {
    const { terminal, ended } = await atNote(plain);
    for (const read of reads) terminal.press(read);
    await new Promise((resolve) => setImmediate(resolve));
    terminal.clock.advance(1_000);
    expect(terminal.text).toContain('line breaks in what was pasted became spaces');
    expect(terminal.text).toContain('one two three');
    expect(terminal.text).not.toContain('Send this?');
    terminal.press(ENTER);
    await terminal.see('Send this?');
    expect(terminal.text).toContain('"one two three" (text)');
    terminal.gone.abort();
    await expect(ended).rejects.toMatchObject({ why: 'gone' });
    terminal.close();
  });

  test('a paste chooses nothing in a list', async () => {
    const terminal = new FakeTerminal();
    terminal.plain = plain;
    const form = formOf(JSON.stringify(SCHEMA));
    walk('github', form, terminal.streams, async (draft) => check(form, draft)).catch(() => undefined);
    await terminal.at('What do you want to do?', '2\r2\r2\r');
    terminal.press('\u001b[200~2\r\u001b[201~');
    await terminal.settle();
    expect(terminal.text).not.toContain('note (');
    expect(terminal.text).not.toContain('Tell github no?');
    terminal.gone.abort();
    terminal.close();
  });
});
