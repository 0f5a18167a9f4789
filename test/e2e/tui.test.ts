// `mcpx tui` on a real terminal: from a question that a real upstream asks to the answer that it gets.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answersOf, scene } from '../support/scene.ts';
import { hasTmux, openPane } from '../support/tmux.ts';
import { mcpxLine, openSelected, pressUntil, tuiPane } from '../support/tui-pane.ts';
import { until } from '../support/until.ts';
import { urlParams } from '../support/url.ts';

const here = hasTmux();
if (!here) console.warn('tmux is not installed: the tests of "mcpx tui" on a terminal are skipped');

describe.skipIf(!here)('mcpx tui on a terminal', () => {
  const KINDS: readonly (readonly [
    kind: string,
    schema: unknown,
    keys: readonly string[],
    value: unknown,
  ])[] = [
    ['text', { type: 'string', title: 'Repository' }, ['m', 'e', '/', 'x', 'Enter'], 'me/x'],
    ['a wide text', { type: 'string' }, ['한글', 'BSpace', '글', 'Enter'], '한글'],
    ['integer', { type: 'integer', minimum: 1 }, ['4', '2', 'Enter'], 42],
    ['number', { type: 'number' }, ['-', '3', 'Enter'], -3],
    ['boolean', { type: 'boolean' }, ['n'], false],
    ['select', { type: 'string', enum: ['red', 'green'] }, ['Down', 'Enter'], 'green'],
    ['titled select', { type: 'string', oneOf: [{ const: 'p1', title: 'Cat' }] }, ['1'], 'p1'],
    [
      'multi-select',
      { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
      ['Space', 'Down', 'Down', 'Space', 'Enter'],
      ['a', 'c'],
    ],
    ['raw JSON', { type: ['integer', 'boolean'] }, ['7', 'Enter'], 7],
  ];

  test('every kind of field', { timeout: 90_000 }, async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const pane = await tuiPane(scope, gateway.env, { open: 0 });
    for (const [kind, schema, keys, value] of KINDS) {
      const call = host.startCall('ask', {
        message: `A question of the kind ${kind}`,
        schema: { type: 'object', properties: { it: schema }, required: ['it'] },
      });
      await row();
      await pane.see('1 open');
      await openSelected(pane, '* required');
      for (const key of keys) {
        const before = pane.screen();
        pane.keys(key);
        await until(`what "${key}" does for ${kind}`, () => pane.screen() !== before);
      }
      await pane.see('when you press Enter');
      await pressUntil(pane, 'Enter', 'Sent to fixture');
      const [answer = ''] = await answersOf(call.reply);
      expect(JSON.parse(answer)).toEqual({ action: 'accept', content: { it: value } });
      pane.keys('Enter');
      await pane.see('No question waits');
    }
    pane.keys('q');
    await pane.see('[exit 0]');
  });

  test('decline and cancel are two answers', async () => {
    const { scope, host, gateway, pending } = await scene({ host: { capabilities: '{}' } });
    const call = host.startCall('ask', { count: 2 });
    await pending(2);
    const pane = await tuiPane(scope, gateway.env, { open: 2 });
    pane.keys('Enter');
    await pane.see('Ctrl+D decline');
    pane.keys('C-d');
    await pane.see('Tell fixture no?');
    await pressUntil(pane, 'y', 'Declined in the terminal UI');
    pane.keys('Enter');
    await pane.see('1 open');
    await openSelected(pane, 'Ctrl+X cancel');
    pane.keys('C-x');
    await pane.see('Dismiss the question of fixture');
    await pressUntil(pane, 'y', 'Cancelled in the terminal UI');
    expect((await answersOf(call.reply)).map((text) => JSON.parse(text).action).sort()).toEqual([
      'cancel',
      'decline',
    ]);
  });

  test('consent to a URL opens it by one argument, tells the server, and waits', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const dir = scope.dir();
    const opened = join(dir, 'opened');
    const browser = join(dir, 'browser');
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf '%s|' "$#" "$@" > '${opened}.tmp'; mv '${opened}.tmp' '${opened}'\n`,
    );
    chmodSync(browser, 0o755);
    const url = 'https://example.com/sign-in?s=a&calc=$(id)';
    const call = host.startCall('ask', { params: urlParams({ url }) });
    await row();
    const pane = await tuiPane(scope, gateway.env, { env: { BROWSER: browser } });
    pane.keys('Enter');
    const screen = await pane.see('consent and open');
    expect(screen).toContain('→ example.com\n');
    expect(screen).toContain(url);
    await pressUntil(pane, 'o', 'I have finished');
    expect(readFileSync(opened, 'utf8')).toBe(`1|${url}|`);
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept"}']);
    await pressUntil(pane, 'f', 'Finished at the URL');
  });

  test('a paste with line ends answers nothing', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    void host.startCall('ask');
    await row();
    const pane = await tuiPane(scope, gateway.env);
    pane.keys('Enter');
    await pane.see('Answer to');
    pane.paste('me/thing\n\n\nmore\n');
    await pane.see('me/thing   more');
    expect(await row()).toMatchObject({ state: 'pending' });
  });

  test('a long list is filtered by typing, and Enter picks what is left', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const cities = Array.from({ length: 300 }, (_, index) => `Town ${index + 1}`);
    const call = host.startCall('ask', {
      message: 'Where to?',
      schema: { type: 'object', properties: { city: { type: 'string', enum: cities } }, required: ['city'] },
    });
    await row();
    const pane = await tuiPane(scope, gateway.env);
    await openSelected(pane, 'Letters filter');
    pane.type('wn 27');
    const screen = await pane.see('Filter: wn 27  (11 shown)');
    expect(screen).toContain('❯ ○ Town 27');
    expect(screen).not.toContain('Town 1');
    pane.keys('Down', 'Down', 'Enter');
    await pane.see('"Town 271" (text)');
    await pressUntil(pane, 'Enter', 'Sent to fixture');
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"city":"Town 271"}}']);
  });

  test('Enters alone do not answer "Delete 3 files?", and a decline is asked about once more', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const call = host.startCall('ask', {
      message: 'Delete 3 files?',
      schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    });
    await row();
    const pane = await tuiPane(scope, gateway.env);
    await openSelected(pane, '* required');
    for (let count = 0; count < 3; count += 1) {
      pane.keys('Enter');
      await pane.see('Neither yes nor no is chosen yet');
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(pane.screen()).toContain('● not answered');
    expect(await row()).toMatchObject({ state: 'pending' });
    pane.keys('C-d');
    expect(await pane.see('Tell fixture no?')).toContain('❯ [No, go back]');
    await new Promise((resolve) => setTimeout(resolve, 400));
    pane.keys('Enter');
    await until('the form again', () => !pane.screen().includes('Tell fixture no?'));
    expect(await row()).toMatchObject({ state: 'pending' });
    pane.keys('C-d');
    await pane.see('Tell fixture no?');
    await pressUntil(pane, 'y', 'Declined in the terminal UI');
    expect(await answersOf(call.reply)).toEqual(['{"action":"decline"}']);
  });

  test('a draft outlives kill -9, and its file goes with the answer', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const call = host.startCall('ask');
    const { id } = await row();
    const file = join(gateway.env['MCPX_STATE_DIR'] ?? '', 'drafts', `${id}.json`);
    const first = await tuiPane(scope, gateway.env);
    await openSelected(first, '* required');
    first.type('me/th');
    await until('the draft', () => existsSync(file) && readFileSync(file, 'utf8').includes('me/th'));
    process.kill(first.pid, 'SIGKILL');
    await first.see('[exit 137]');
    const next = await tuiPane(scope, gateway.env);
    await next.see('(draft)');
    await openSelected(next, 'me/th');
    next.type('ing');
    next.keys('Enter');
    await next.see('"me/thing" (text)');
    await pressUntil(next, 'Enter', 'Sent to fixture');
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"me/thing"}}']);
    await until('the file to go', () => !existsSync(file));
  });

  test('it follows rows that other processes settle', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    void host.startCall('ask');
    const { id } = await row();
    const pane = await tuiPane(scope, gateway.env);
    pane.keys('Enter');
    await pane.see('Answer to');
    await gateway.mcpx(['elicit', 'accept', id, '-F', 'repo=x']);
    await pane.see('Accepted from the command line');
  });

  test.each([
    [60, 12],
    [120, 30],
  ])('at %i×%i nothing scrolls off', async (columns, rows) => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    void host.startCall('ask', { message: 'First line\n'.repeat(40) });
    await row();
    const pane = await tuiPane(scope, gateway.env, { columns, rows });
    pane.keys('Enter');
    await pane.see('fixture asks');
    pane.keys('NPage');
    await pane.see('above');
    expect(pane.screen().split('\n')[0]).toContain('fixture asks');
    expect(pane.about('#{history_size}')).toBe('0');
  });

  test.each([
    [59, 24, [] as string[]],
    [80, 11, []],
    [100, 30, ['--accessible']],
  ])('at %i×%i with %j the questions are asked line by line', async (columns, rows, args) => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    const call = host.startCall('ask');
    await row();
    const pane = openPane(scope, mcpxLine('tui', ...args), { env: gateway.env, columns, rows });
    await pane.prompt('What do you want to do?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    pane.type('me/thing');
    pane.keys('Enter');
    await pane.prompt('Send this?');
    pane.keys('Enter');
    await pane.see('Waiting for questions');
    expect(await answersOf(call.reply)).toEqual(['{"action":"accept","content":{"repo":"me/thing"}}']);
  });

  test('line by line, too, Ctrl+C sends nothing', async () => {
    const { scope, host, gateway, row } = await scene({ host: { capabilities: '{}' } });
    void host.startCall('ask');
    const { id } = await row();
    const pane = openPane(scope, mcpxLine('tui'), { env: { ...gateway.env, ACCESSIBLE: '1' } });
    await pane.prompt('What do you want to do?');
    pane.keys('C-c');
    await pane.see('[exit 130]');
    expect(await gateway.row(id)).toMatchObject({ state: 'pending' });
  });
});
