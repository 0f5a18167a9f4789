// A question that only its host may answer: seen by everybody, and left alone by every way to answer it.
import { expect, test } from 'vitest';
import { bench } from './run.ts';

const REPO = { repo: { type: 'string' } };
const host = { name: 'editor', revision: '2025-11-25', inline: true } as const;

test('is listed and shown as such, refused with exit 3 before anything is read, and not waited for', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask(REPO, { audience: 'host', host });
  for (const args of [
    ['accept', row.id, '--input', 'no-such-file'],
    ['decline', row.id],
    ['cancel', row.id],
  ]) {
    const refused = await run(['elicit', ...args]);
    expect([args[0], refused.code]).toEqual([args[0], 3]);
    expect(refused.stderr).toContain(`${row.id} can only be answered in the host`);
  }
  const shown = await run(['elicit', 'show', row.id]);
  expect(shown.stdout).toContain(
    'editor (MCP 2025-11-25); it shows the question, and nobody else may answer',
  );
  expect(shown.stdout).toContain('Only the host can answer it.');
  expect(shown.stdout).not.toContain('mcpx elicit accept');
  expect((await run(['elicit', 'list', '-q'])).stdout).toBe(`${row.id}\n`);
  expect((await run(['elicit', 'wait', '--timeout', '1s'])).code).toBe(124);
  const other = await ask(REPO);
  expect((await run(['elicit', 'wait', '-q'])).stdout).toBe(`${other.id}\n`);
  expect(await broker.answer(row.id, { action: 'decline', by: 'host' })).toMatchObject({ won: true });
});
