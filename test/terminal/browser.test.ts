// What opens a URL: only http and https, by argument list, and a launcher that fails is noticed (C25, C33).
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { type Launch, openInBrowser } from '../../src/terminal/browser.ts';

const ending =
  (code: number): Launch =>
  async () =>
    spawn(process.execPath, ['-e', `process.exit(${code})`]);

test('gives the launcher the URL as a browser reads it', async () => {
  const opened: string[] = [];
  await openInBrowser('https://EXAMPLE.com/?s=a&calc=$(id)', (url) => {
    opened.push(url);
    return ending(0)(url);
  });
  expect(opened).toEqual(['https://example.com/?s=a&calc=$(id)']);
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vscode://x', 'not a url', ''])(
  'never launches %j',
  async (url) => {
    const launch: Launch = () => Promise.reject(new Error('launched'));
    await expect(openInBrowser(url, launch)).rejects.toMatchObject({ code: 'forbidden' });
  },
);

test.each<[string, Launch, string]>([
  ['ends with 1', ending(1), 'ended with code 1'],
  ['ends with 3', ending(3), 'ended with code 3'],
  ['is not there', () => Promise.reject(new Error('spawn ENOENT')), 'spawn ENOENT'],
  ['cannot be started', async () => spawn('/nowhere/browser'), 'ENOENT'],
])('a launcher that %s is reported', async (_what, launch, why) => {
  const failed = openInBrowser('https://example.com/', launch);
  await expect(failed).rejects.toMatchObject({ code: 'failure' });
  await expect(failed).rejects.toThrow(why);
});

test('a launcher that goes on running has the URL', async () => {
  let child: ChildProcess | undefined;
  await openInBrowser('https://example.com/', async () => {
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    return child;
  });
  expect(child?.exitCode).toBe(null);
  child?.kill();
});
