// Ending a process group: politely, firmly, and with everything it has started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { endGroup } from '../../src/upstream/stdio/process-group.ts';
import { until } from '../support/until.ts';
import { alive } from './alive.ts';

const GRACE = 250;
const STAY = 'setInterval(() => {}, 1000)';
const IGNORE_TERM = `process.on("SIGTERM", () => {}); ${STAY}`;

/** Starts a script that prints one line when it is ready; resolves with that line. */
async function start(script: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: chunk.toString().trim() };
}

test.each([
  ['heeds the end of its input', 'process.stdin.resume(); console.log("ready")', null],
  ['heeds SIGTERM', `${STAY}; console.log("ready")`, 'SIGTERM'],
  ['heeds nothing', `${IGNORE_TERM}; console.log("ready")`, 'SIGKILL'],
])('a process that %s', async (_, script, signal) => {
  const { child } = await start(script);
  await endGroup(child, GRACE);
  expect(child.signalCode).toBe(signal);
  expect(child.exitCode === null).toBe(signal !== null);
});

test.each([
  ['leaves at once', 'process.stdin.resume()'],
  ['stays', IGNORE_TERM],
])('what it started is ended too, when it %s itself', async (_, rest) => {
  const { child, line } = await start(
    `const c = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(
      `${IGNORE_TERM}; console.log("up")`,
    )}], { stdio: ["ignore", "pipe", "ignore"] });
     c.stdout.once("data", () => console.log(c.pid)); c.unref(); c.stdout.unref?.(); ${rest}`,
  );
  expect(alive(Number(line))).toBe(true);
  await endGroup(child, GRACE);
  await until('the end of it', () => !alive(Number(line)));
});

test('a process that never started is no trouble', async () => {
  const child = spawn('/no/such/command', { detached: true });
  const failed = once(child, 'error').catch(() => {});
  await failed;
  await endGroup(child, GRACE);
  expect(child.pid).toBeUndefined();
});
