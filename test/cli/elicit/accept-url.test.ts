// Consent to a URL from the command line: shown whole, consented to, sent, and opened only then and only if asked (C25, C33).
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Row } from '../../../src/broker/types.ts';
import { shortTime } from '../../../src/text/duration.ts';
import { ENTER, FakeTerminal } from '../../prompt/fake-terminal.ts';
import { until } from '../../support/until.ts';
import { type Bench, bench } from './run.ts';

afterEach(() => vi.unstubAllEnvs());

const URL_ODD = `https://mcp.example.com/connect?s=a&calc=$(id)&long=${'x'.repeat(150)}`;

/** An upstream that takes the answer at once. */
const delivering = (at: Bench, row: Row) =>
  at.broker.settled(row.id).then(
    () => at.broker.delivered(row.id),
    () => undefined,
  );

/** A browser that notes its arguments, one a line, and ends with `code`. */
function browser(at: Bench, code = 0): { argv(): string[] } {
  const file = join(at.stateDir, 'browser');
  const log = join(at.stateDir, 'browser.log');
  writeFileSync(file, `#!/bin/sh\nfor one in "$@"; do echo "$one" >> '${log}'; done\nexit ${code}\n`);
  chmodSync(file, 0o700);
  vi.stubEnv('BROWSER', file);
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('WAYLAND_DISPLAY', '');
  return { argv: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) };
}

function atTerminal(at: Bench, ...args: string[]) {
  const terminal = new FakeTerminal();
  const stderr = Object.assign(terminal.output, { isTTY: true });
  return {
    terminal,
    running: at.start(['elicit', ...args], { stdin: terminal.input, stderr, clock: terminal.commandClock }),
  };
}

test('--yes prints the whole URL with its verdict first, then sends consent and nothing else; nothing is opened', async () => {
  const at = await bench();
  const { argv } = browser(at);
  const row = await at.askUrl(URL_ODD.replace('https', 'http'));
  delivering(at, row);
  const { code, stdout, stderr } = await at.run(['elicit', 'accept', row.id, '--yes']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${row.id} accepted: sent to github\n` });
  expect(stderr).toContain(`\n${URL_ODD.replace('https', 'http')}\n`);
  expect(stderr).toContain('mcp.example.com');
  expect(stderr).toMatch(/Warning: .*not encrypted/);
  expect(stderr).toContain(`mcpx elicit done ${row.id}`);
  expect((await at.broker.get(row.id)).answer).toEqual({
    action: 'accept',
    by: 'cli',
    at: expect.any(String),
  });
  expect(argv()).toEqual([]);
});

test('without a terminal and without --yes nothing is sent, exit 9, and the URL is in the message', async () => {
  const at = await bench();
  const row = await at.askUrl(URL_ODD);
  const { code, stdout, stderr } = await at.run(['elicit', 'accept', row.id, '--json'], { stdin: 'yes\n' });
  expect({ code, stdout }).toEqual({ code: 9, stdout: '' });
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string; hint: string } };
  expect(error).toMatchObject({ code: 'needs_person', hint: expect.stringContaining('--yes') });
  expect(error.message).toContain(URL_ODD);
  expect((await at.broker.get(row.id)).state).toBe('pending');
});

test('on a terminal the word yes consents, and nothing else does', async () => {
  const at = await bench();
  const row = await at.askUrl('https://example.com/');
  delivering(at, row);
  const no = atTerminal(at, 'accept', row.id);
  await no.terminal.see('https://example.com/');
  await no.terminal.at('Type yes', ENTER);
  expect(await no.running.done).toMatchObject({ code: 0, stdout: '' });
  expect(no.terminal.text).toContain(`${row.id} stays open`);
  const yes = atTerminal(at, 'accept', row.id, '--json');
  await yes.terminal.at('Type yes', `yes${ENTER}`);
  const { code, stdout } = await yes.running.done;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    id: row.id,
    state: 'accepted',
    answer: { action: 'accept', by: 'cli' },
  });
});

test('keys typed before the question stood there consent to nothing (C31)', async () => {
  const at = await bench();
  const row = await at.askUrl('https://example.com/');
  const { terminal, running } = atTerminal(at, 'accept', row.id);
  terminal.press(`yes${ENTER}`);
  await terminal.at('Type yes', ENTER);
  expect((await running.done).code).toBe(0);
  expect((await at.broker.get(row.id)).state).toBe('pending');
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'vscode://x'])(
  '%s cannot be accepted, on any surface, and can be declined',
  async (url) => {
    const at = await bench();
    const row = await at.askUrl(url);
    const { argv } = browser(at);
    const refused = await at.run(['elicit', 'accept', row.id, '--yes', '--open']);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('cannot be opened');
    await expect(at.broker.answer(row.id, { action: 'accept', by: 'tui' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect((await at.broker.get(row.id)).state).toBe('pending');
    delivering(at, row);
    expect(await at.run(['elicit', 'decline', row.id])).toMatchObject({ code: 0 });
    expect(argv()).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  '--open hands the URL to the browser as one argument, after consent',
  async () => {
    const at = await bench();
    const { argv } = browser(at);
    const row = await at.askUrl(URL_ODD);
    delivering(at, row);
    expect(await at.run(['elicit', 'accept', row.id, '--yes', '--open'])).toMatchObject({ code: 0 });
    await until('the browser', () => argv().length > 0);
    expect(argv()).toEqual([URL_ODD]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a browser that fails is said, with the URL to copy; the consent stands (C33)',
  async () => {
    const at = await bench();
    browser(at, 1);
    const row = await at.askUrl(URL_ODD);
    delivering(at, row);
    const { code, stdout, stderr } = await at.run(['elicit', 'accept', row.id, '--yes', '--open']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: `${row.id} accepted: sent to github\n` });
    expect(stderr).toContain('could not be opened');
    expect(stderr).toContain(`Open it yourself: ${URL_ODD}`);
  },
);

test('values, and --open for a form, are refused before anything is sent', async () => {
  const at = await bench();
  const url = await at.askUrl('https://example.com/');
  expect(await at.run(['elicit', 'accept', url.id, '-F', 'a=b', '--yes'])).toMatchObject({ code: 2 });
  expect(await at.run(['elicit', 'accept', url.id, '--input', '-', '--yes'], { stdin: '{}' })).toMatchObject({
    code: 2,
  });
  const form = await at.ask({});
  expect(await at.run(['elicit', 'accept', form.id, '--open'])).toMatchObject({ code: 2 });
  const dry = await at.run(['elicit', 'accept', url.id, '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: '{"action":"accept"}\n' });
  for (const { id } of [url, form]) expect((await at.broker.get(id)).state).toBe('pending');
});

test('done completes an accepted question once; others it explains', async () => {
  const at = await bench();
  const [form, row] = [await at.ask({}), await at.askUrl('https://example.com/')];
  expect((await at.run(['elicit', 'done', form.id])).stderr).toContain('asks for a form');
  const early = await at.run(['elicit', 'done', row.id]);
  expect(early).toMatchObject({ code: 2, stdout: '' });
  expect(early.stderr).toContain('has not been accepted yet');
  await at.broker.answer(row.id, { action: 'accept', by: 'tui' });
  const first = JSON.parse((await at.run(['elicit', 'done', row.id, '--json'])).stdout) as Row;
  expect(first).toMatchObject({ id: row.id, state: 'accepted', completedAt: expect.stringMatching(/Z$/) });
  const again = await at.run(['elicit', 'done', row.id]);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain(`finished at ${shortTime(first.completedAt ?? '', Date.now())}`);
  const declined = await at.askUrl('https://example.com/');
  await at.broker.answer(declined.id, { action: 'decline', by: 'tui' });
  expect(await at.run(['elicit', 'done', declined.id])).toMatchObject({ code: 7 });
  expect(await at.run(['elicit', 'done', 'elc-0000000000000000'])).toMatchObject({ code: 6 });
});
