import { expect, test } from 'vitest';
import { width } from '../../../src/text/columns.ts';
import { bench } from './run.ts';

test('C32: nothing to list is [] with --json, a sentence on stderr otherwise, exit 0 in both', async () => {
  const { run } = await bench();
  expect(await run(['elicit', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  const plain = await run(['elicit', 'list']);
  expect(plain).toMatchObject({ code: 0, stdout: '' });
  expect(plain.stderr).toContain('No question waits');
  expect(await run(['elicit', 'list', '-q'])).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('lists the soonest to expire first, then the oldest, with the objects of show', async () => {
  const { run, ask } = await bench();
  const late = await ask({}, { message: 'late', ttl: 900_000 });
  const soon = await ask({}, { message: 'soon', ttl: 300_000 });
  const listed = await run(['elicit', 'list', '--json'], { env: { FORCE_COLOR: '1' } });
  const rows = JSON.parse(listed.stdout);
  expect(rows.map((row: { id: string }) => row.id)).toEqual([soon.id, late.id]);
  const shown = await run(['elicit', 'show', soon.id, '--json']);
  expect(rows[0]).toEqual(JSON.parse(shown.stdout));
  expect((await run(['elicit', 'list', '-q'])).stdout).toBe(`${soon.id}\n${late.id}\n`);
});

test('the table has a header and a line a question, and shows hostile text inert', async () => {
  const { run, ask } = await bench();
  const row = await ask({}, { message: '\n \u001b[31mred\u0007\u202e words\nsecond line' });
  const { code, stdout, stderr } = await run(['elicit', 'list']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^ID +SERVER +KIND +MESSAGE +AGE +LEFT$/);
  expect(lines[1]).toContain(row.id);
  expect(lines[1]).toContain('red');
  expect(stdout).not.toContain('second line');
  expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
});

test('--server, --state and --all choose', async () => {
  const { run, ask, broker } = await bench();
  const open = await ask({});
  const linear = await ask({}, { server: 'linear' });
  await broker.answer(linear.id, { action: 'decline', by: 'rest' });
  const ids = async (...flags: string[]) =>
    (await run(['elicit', 'list', '-q', ...flags])).stdout.split('\n').filter(Boolean);
  expect(await ids()).toEqual([open.id]);
  expect(await ids('--server', 'linear')).toEqual([]);
  expect(await ids('--state', 'declined')).toEqual([linear.id]);
  expect((await ids('--all')).toSorted()).toEqual([open.id, linear.id].toSorted());
  expect((await run(['elicit', 'list', '--all'])).stdout).toMatch(/STATE\n.*\n?.*declined/);
  expect((await run(['elicit', 'list', '--state', 'odd'])).code).toBe(2);
  expect((await run(['elicit', 'list', '--state', 'lost', '--all'])).code).toBe(2);
});

test('on a narrow terminal the message gives way and no line is wider; through a pipe it is whole', async () => {
  const { run, ask } = await bench();
  const row = await ask({}, { message: '\u8a66'.repeat(80) });
  const narrow = (await run(['elicit', 'list', '--color', 'never'], { columns: 60 })).stdout;
  for (const line of narrow.trimEnd().split('\n')) expect(width(line)).toBeLessThanOrEqual(60);
  expect(narrow).toContain(row.id);
  expect(narrow).toContain('\u8a66\u2026');
  expect((await run(['elicit', 'list'])).stdout).toContain(row.message);
});
