// The built program as a process of its own: pipes, signals, exit codes.
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { MCPX } from '../../support/gateway.ts';
import { cleanEnv, type Finished, runNode, startNode } from '../../support/processes.ts';
import { testScope } from '../../support/scope.ts';
import { quoted } from '../../support/tmux.ts';
import { until } from '../../support/until.ts';
import { bench } from './run.ts';

async function program() {
  const at = await bench();
  const env = { ...at.env };
  const scope = testScope();
  return {
    ...at,
    mcpx: (...args: string[]) => runNode(scope, [MCPX, ...args], { env }),
    start: (...args: string[]) => startNode(scope, [MCPX, ...args], { env }),
    /** Runs a shell line in which `mcpx` stands for the program. */
    shell: (line: string) => startShell(line, env),
  };
}

function startShell(line: string, env: Record<string, string>): Promise<Finished> {
  const mcpx = `${quoted(process.execPath)} ${quoted(MCPX)}`;
  return new Promise((resolve) => {
    execFile(
      'sh',
      ['-c', line.replaceAll('mcpx', mcpx)],
      { env: cleanEnv(env), timeout: 20_000 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : (error.code ?? String(error.signal)), stdout, stderr }),
    );
  });
}

test('an answer by one process reaches the broker of another, once', async () => {
  const { mcpx, ask, broker } = await program();
  const row = await ask({ n: { type: 'integer' } }, { required: ['n'] });
  const answering = mcpx('elicit', 'accept', row.id, '-F', 'n=3');
  expect((await broker.settled(row.id)).answer).toMatchObject({ content: '{"n":3}', by: 'cli' });
  await broker.delivered(row.id);
  expect(await answering).toEqual({ code: 0, stdout: `${row.id} accepted: sent to github\n`, stderr: '' });
  expect((await mcpx('elicit', 'decline', row.id)).code).toBe(7);
});

test('C32: list and watch in a pipe', async () => {
  const { shell, ask, broker } = await program();
  expect(await shell('mcpx elicit list --json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  for (let count = 0; count < 3; count += 1) await ask({});
  const piped = shell('mcpx elicit watch --json | head -3');
  await until('the watch', () => broker.watched());
  // What makes the watch notice that head has gone.
  const more = setInterval(() => void ask({}), 100);
  const head = await piped.finally(() => clearInterval(more));
  expect(head).toMatchObject({ code: 0, stderr: '' });
  expect(
    head.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event),
  ).toEqual(['opened', 'opened', 'opened']);
});

test('C39: a watch that is interrupted or killed changes no row', async () => {
  const { start, ask, broker } = await program();
  const row = await ask({});
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGKILL', 'SIGKILL'],
  ] as const) {
    const watch = start('elicit', 'watch', '--json');
    await watch.line((line) => line.includes(row.id));
    expect(await watch.stop(signal)).toBe(code);
    expect(watch.stderr()).toBe('');
  }
  expect((await broker.get(row.id)).state).toBe('pending');
});

test('C29: answer without a terminal', async () => {
  const { shell, ask, broker } = await program();
  const row = await ask({});
  for (const line of ['echo y | mcpx elicit answer', 'mcpx elicit answer </dev/null']) {
    const none = await shell(line);
    expect(none).toMatchObject({ code: 9, stdout: '' });
    expect(none.stderr.trimEnd().split('\n')).toHaveLength(2);
  }
  expect((await broker.get(row.id)).state).toBe('pending');
});
