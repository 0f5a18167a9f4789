import { expect, test } from 'vitest';
import { CTRL_C, DOWN, ENTER, FakeTerminal } from '../../prompt/fake-terminal.ts';
import { type Bench, bench } from './run.ts';

function atTerminal(bench: Bench, ...args: string[]) {
  const terminal = new FakeTerminal();
  const stderr = Object.assign(terminal.output, { isTTY: true });
  return {
    terminal,
    running: bench.start(['elicit', 'answer', ...args], {
      stdin: terminal.input,
      stderr,
      clock: terminal.commandClock,
    }),
  };
}

test('shows who asks, walks the form, sends what was reviewed; stdout stays clean', async () => {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } }, { required: ['repo'] });
  void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
  const { terminal, running } = atTerminal(at, '--json');
  for (const fact of ['github', 'create_issue', 'an-editor', 'Which repository?']) await terminal.see(fact);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.at('repo (', `me/thing${ENTER}`);
  await terminal.at('Send this?', ENTER);
  const { code, stdout } = await running.done;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: row.id,
    state: 'accepted',
    answer: { content: { repo: 'me/thing' }, by: 'cli' },
  });
});

test('C23: leaving it and Ctrl+C send nothing', async () => {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } });
  const left = atTerminal(at, row.id);
  await left.terminal.at('What do you want to do?', `${DOWN}${DOWN}${DOWN}${ENTER}`);
  expect(await left.running.done).toMatchObject({ code: 0, stdout: '' });
  expect(left.terminal.text).toContain(`${row.id} stays open`);
  const broken = atTerminal(at, row.id);
  await broken.terminal.at('What do you want to do?', CTRL_C);
  expect(await broken.running.done).toMatchObject({ code: 130, stdout: '' });
  expect((await at.broker.get(row.id)).state).toBe('pending');
});

test('a question that somebody else answers meanwhile is said at once, exit 7', async () => {
  const at = await bench();
  const row = await at.ask({ repo: { type: 'string' } });
  const { terminal, running } = atTerminal(at, row.id);
  await terminal.at('What do you want to do?', ENTER);
  await terminal.see('repo (');
  await at.broker.answer(row.id, { action: 'accept', content: '{}', by: 'host' });
  expect(await running.done).toMatchObject({ code: 7, stdout: '' });
  expect(terminal.text).toContain('accepted by the host an-editor');
});

test('C29: without a terminal one line says what to use, exit 9, nothing answered', async () => {
  const { run, ask, broker } = await bench();
  const row = await ask({});
  const none = await run(['elicit', 'answer', row.id], { stdin: 'y\n' });
  expect(none).toMatchObject({ code: 9, stdout: '' });
  expect(none.stderr).toContain(`mcpx elicit accept ${row.id}`);
  expect((await broker.get(row.id)).state).toBe('pending');
});

test('--no-input never asks, and nothing to answer is exit 6', async () => {
  const at = await bench();
  expect((await atTerminal(at).running.done).code).toBe(6);
  const row = await at.ask({});
  const { terminal, running } = atTerminal(at, row.id, '--no-input');
  expect((await running.done).code).toBe(9);
  expect(terminal.text).toContain('--no-input');
});
