// What was typed in a line prompt that ended without an answer is offered again, by the same store as the inbox's.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CTRL_C, DOWN, ENTER, FakeTerminal, UP } from '../../prompt/fake-terminal.ts';
import { until } from '../../support/until.ts';
import { type Bench, bench } from './run.ts';
import { where } from './where.ts';

function answering(at: Bench, plain: boolean, ...args: string[]) {
  const terminal = new FakeTerminal();
  const stderr = Object.assign(terminal.output, { isTTY: true });
  const env = plain ? { ACCESSIBLE: '1' } : {};
  const running = at.start(['elicit', 'answer', ...args], {
    stdin: terminal.input,
    stderr,
    env,
    clock: terminal.commandClock,
  });
  return { terminal, running };
}

/** The files with what was typed; with `--url` they stand in a folder of that gateway. */
function files(at: Bench): string[] {
  const dir = join(at.env['MCPX_STATE_DIR'] ?? '', 'drafts');
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(dir, name));
}

const kept = (at: Bench): string =>
  files(at)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

test.each([false, true])(
  'text half typed at Ctrl+C stands there next time, and goes with the answer; plain: %s',
  async (plain) => {
    const at = await bench();
    const row = await at.ask(
      { repo: { type: 'string' }, count: { type: 'integer' } },
      { required: ['repo'] },
    );
    const first = answering(at, plain, row.id);
    await first.terminal.at('What do you want to do?', plain ? `1${ENTER}` : ENTER);
    await first.terminal.at('repo (', `me/thing${ENTER}`);
    await first.terminal.at('count (', '1x');
    await until('both to be kept', () => kept(at).includes('1x') && kept(at).includes('me/thing'));
    first.terminal.press(CTRL_C);
    expect((await first.running.done).code).toBe(130);
    const [file = ''] = files(at);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(file).toMatch(
      where.remote
        ? new RegExp(`/drafts/[0-9a-f]{32}/${row.id}\\.json$`)
        : new RegExp(`/drafts/${row.id}\\.json$`),
    );

    const next = answering(at, plain, row.id);
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    await next.terminal.see('What you had entered before is filled in.');
    await next.terminal.at('What do you want to do?', plain ? `1${ENTER}` : ENTER);
    await next.terminal.at('repo (', '');
    await next.terminal.at('me/thing', ENTER);
    await next.terminal.at('count (', '');
    await next.terminal.at('1x', `\u007f2${ENTER}`);
    await next.terminal.see('What github gets');
    await next.terminal.at('Send this?', plain ? `1${ENTER}` : ENTER);
    expect((await next.running.done).code).toBe(0);
    expect((await at.broker.get(row.id)).answer?.content).toBe('{"repo":"me/thing","count":12}');
    expect(files(at)).toEqual([]);
  },
);

test('the review of a draft that nobody has changed since stands on "go back"', async () => {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } });
  const first = answering(at, false, row.id);
  await first.terminal.at('What do you want to do?', ENTER);
  await first.terminal.at('repo (', `x${ENTER}`);
  await first.terminal.see('❯ Send');
  await first.terminal.settle();
  first.terminal.press(CTRL_C);
  await first.running.done;
  const next = answering(at, false, row.id);
  await next.terminal.at('What do you want to do?', ENTER);
  await next.terminal.at('repo (', ENTER);
  await next.terminal.see('repo  "x" (text)');
  await next.terminal.see('❯ Go back and change a field');
  await next.terminal.settle();
  next.terminal.press(CTRL_C);
  await next.running.done;
  expect((await at.broker.get(row.id)).state).toBe('pending');
});

test('a default that was taken away stays away, and what is as it was at first is not kept', async () => {
  const at = await bench();
  const row = await at.ask({
    repo: { type: 'string', default: 'x' },
    marks: { type: 'array', items: { enum: ['a', 'b'] } },
  });
  const first = answering(at, false, row.id);
  await first.terminal.at('What do you want to do?', ENTER);
  await first.terminal.at('repo (', '\u007f');
  await until('the change to be kept', () => kept(at).includes('"values":[]'));
  first.terminal.press('x');
  await until('the file to go', () => files(at).length === 0);
  first.terminal.press(`\u007f${ENTER}`);
  await first.terminal.at('marks (', `${DOWN} `);
  await until('the mark to be kept', () => kept(at).includes('[["marks","[\\"b\\"]"]]'));
  first.terminal.press(CTRL_C);
  await first.running.done;
  const next = answering(at, false, row.id);
  await next.terminal.at('What do you want to do?', ENTER);
  await next.terminal.at('repo (', ENTER);
  await next.terminal.at('◉ 2 b', ENTER);
  await next.terminal.see('repo   (not sent)');
  await next.terminal.settle();
  next.terminal.press(CTRL_C);
  await next.running.done;
});

test('nothing typed for a secret is written', async () => {
  const at = await bench();
  const row = await at.ask({ password: { type: 'string' }, note: { type: 'string' } }, { sensitive: true });
  const { terminal, running } = answering(at, false, row.id);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('password (', `hunter2${ENTER}`);
  await terminal.at('note (', 'hello');
  await until('the note to be kept', () => kept(at).includes('hello'));
  expect(kept(at)).not.toContain('hunter2');
  terminal.press(CTRL_C);
  await running.done;
});

test('a draft goes when its question is declined', async () => {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } });
  void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
  const { terminal, running } = answering(at, false, row.id);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('repo (', 'x');
  await until('the draft', () => files(at).length === 1);
  terminal.press(UP);
  await terminal.at('What do you want to do?', `${DOWN}${ENTER}`);
  await terminal.at('Tell github no?', `${DOWN}${ENTER}`);
  expect((await running.done).code).toBe(0);
  expect((await at.broker.get(row.id)).state).toBe('declined');
  expect(files(at)).toEqual([]);
});

test('a draft goes when somebody else ends its question, also while nobody is asked', async () => {
  const at = await bench();
  const one = await at.ask({ repo: { type: 'string' } });
  const other = await at.ask({ repo: { type: 'string' } });
  const asked = answering(at, false, one.id);
  await asked.terminal.at('What do you want to do?', ENTER);
  await asked.terminal.at('repo (', 'x');
  await until('the draft', () => files(at).length === 1);
  await at.broker.withdraw(one.id, 'the call was cancelled');
  expect((await asked.running.done).code).toBe(7);
  expect(files(at)).toEqual([]);

  const left = answering(at, false, other.id);
  await left.terminal.at('What do you want to do?', ENTER);
  await left.terminal.at('repo (', 'x');
  await until('the draft', () => files(at).length === 1);
  left.terminal.press(CTRL_C);
  await left.running.done;
  await at.broker.withdraw(other.id, 'the call was cancelled');
  // A gateway elsewhere removes no file of this machine: the next command that asks does.
  const last = await at.ask({});
  const next = answering(at, false, last.id);
  await next.terminal.at('Send this?', CTRL_C);
  await next.running.done;
  expect(files(at)).toEqual([]);
});
