// C44 to C46 on a real terminal: raw bytes into mcpx elicit answer, serve --prompt, the demo, the inbox and plain lines.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bench } from '../cli/elicit/run.ts';
import { install } from '../support/gateway.ts';
import { connectHttpHost } from '../support/host-http.ts';
import { ROOT } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';
import { hasTmux, openPane, type Pane } from '../support/tmux.ts';
import { mcpxLine } from '../support/tui-pane.ts';

const here = hasTmux();
if (!here) console.warn('tmux is not installed: the tests of raw bytes on a terminal are skipped');

/** What C44 lists, as far as it is of 7 bits. */
const WORDS = [
  '\u001bP>|kitty(0.35.2)\u001b\\',
  '\u001bP>|tmux 3.4\u001b\\',
  '\u001b]11;rgb:1e1e/1e1e/1e1e\u001b\\',
  '\u001b]11;rgb:1e1e/1e1e/1e1e\u0007',
  '\u001b]52;c;aGVsbG8=\u0007',
  '\u001bP1+r524742=38\u001b\\',
  '\u001b_Gi=31;OK\u001b\\',
  '\u001b[?2026;2$y',
  '\u001b[>1;10;0c',
  '\u001b[12;40R',
  '\u001b[8;26;90t',
  '\u001b[97;1:3u',
  '\u001b[97;;98u',
  '\u001b[27;5;106~',
  '\u001b[1;1:3A',
  '\u001b[M yo',
];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every word whole, and some cut with 100 ms between. */
async function speak(pane: Pane): Promise<void> {
  for (const word of WORDS) pane.bytes(word);
  for (const word of WORDS.slice(0, 4)) {
    const half = Math.floor(word.length / 2);
    pane.bytes(word.slice(0, half));
    await wait(100);
    pane.bytes(word.slice(half));
  }
  // A sequence that never ends is let go.
  pane.bytes('\u001b]11;rgb:');
  await wait(1_200);
}

describe.skipIf(!here)('raw bytes', () => {
  async function answering(properties: Record<string, unknown>) {
    const at = await bench();
    const row = await at.ask(properties, { required: Object.keys(properties) });
    const pane = (command: string, env: Record<string, string> = {}): Pane =>
      openPane(testScope(), command, { env: { MCPX_STATE_DIR: at.stateDir, ...env } });
    return { at, row, pane };
  }

  test("a terminal's words type nothing in elicit answer, a paste is joined, and typed-ahead keys are lost", async () => {
    const { at, row, pane: open } = await answering({ repo: { type: 'string' } });
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    const pane = open(`sleep 1; ${mcpxLine('elicit', 'answer', row.id)}`);
    pane.bytes('\u001b[B\r\u001b[B\ryes\r');
    await pane.prompt('What do you want to do?');
    await speak(pane);
    expect(pane.screen()).not.toContain('Tell github no?');
    pane.keys('Enter');
    await pane.prompt('repo (');
    await speak(pane);
    pane.paste('me\nthing');
    await pane.see('became spaces');
    await pane.see('me thing');
    pane.keys('Enter');
    await pane.prompt('Send this?');
    await speak(pane);
    expect((await at.broker.get(row.id)).state).toBe('pending');
    pane.keys('Enter');
    await pane.see('[exit 0]');
    expect((await at.broker.get(row.id)).answer?.content).toBe('{"repo":"me thing"}');
  });

  test('in plain lines nothing moves, hides or erases, and the words type nothing', async () => {
    const { at, row, pane: open } = await answering({ ok: { type: 'boolean', title: 'Delete 3 files?' } });
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    const pane = open(mcpxLine('tui', '--accessible', '--color', 'never'));
    await pane.prompt('What do you want to do?');
    await speak(pane);
    pane.type('1');
    pane.keys('Enter');
    await pane.prompt('Delete 3 files?');
    pane.keys('Enter');
    await pane.see('Type a number from 1 to 2.');
    await pane.prompt('Delete 3 files?');
    pane.type('2');
    pane.keys('Enter');
    await pane.prompt('Send this?');
    pane.type('1');
    pane.keys('Enter');
    await pane.see('Waiting for questions');
    expect((await at.broker.get(row.id)).answer?.content).toBe('{"ok":false}');
    const written = pane.written();
    expect(written).toContain('Send this?');
    expect(written).not.toMatch(/[\u001b\b]|\r(?!\n)/);
  });

  test('the consent to a URL is not given by any word, in the inbox and line by line', async () => {
    const at = await bench();
    const row = await at.askUrl('https://example.com/');
    const env = { MCPX_STATE_DIR: at.stateDir, BROWSER: '/bin/false' };
    const inbox = openPane(testScope(), mcpxLine('tui'), { env });
    await inbox.prompt('1 open');
    await wait(600);
    inbox.keys('Enter');
    await inbox.prompt('consent and open');
    const lines = openPane(testScope(), mcpxLine('elicit', 'answer', row.id), { env });
    await lines.prompt('Do you want to go there?');
    await Promise.all([speak(inbox), speak(lines)]);
    expect(inbox.screen()).toContain('consent and open');
    expect(lines.screen()).toContain('❯ Leave it');
    expect((await at.broker.get(row.id)).state).toBe('pending');
    lines.keys('Enter');
    await lines.see('[exit 0]');
    inbox.keys('y');
    await inbox.see('I have finished');
  });

  test('serve --prompt: keys typed while it waits answer nothing', async () => {
    const scope = testScope();
    const upstream = [join(ROOT, 'fixtures', 'upstream.mjs')];
    const at = install(scope, { servers: { fixture: { command: process.execPath, args: upstream } } });
    const pane = openPane(scope, mcpxLine('serve', '--port', '0', '--prompt'), { env: at.env, columns: 120 });
    const screen = await pane.see('Waiting for questions');
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(screen)?.[0] ?? '';
    const host = await connectHttpHost(url, { capabilities: '{}' });
    scope.defer(() => host.cut());
    pane.bytes('\u001b[B\r\u001b[B\r\r');
    void host.startCall('ask');
    await pane.prompt('What do you want to do?');
    await speak(pane);
    expect(pane.screen()).not.toContain('Tell fixture no?');
    expect(await at.rows()).toMatchObject([{ state: 'pending' }]);
  });

  test('the demo: keys typed while it starts decline nothing', async () => {
    const pane = openPane(testScope(), mcpxLine('demo'));
    pane.bytes('\u001b[B\r\u001b[B\r');
    await pane.prompt('What do you want to do?');
    await speak(pane);
    const screen = pane.screen();
    expect(screen).not.toContain('Tell bakery no?');
    pane.keys('Enter');
    await pane.see('(one of a list');
  });

  test('after an answer n opens the next question, where there is one', async () => {
    const { at, row, pane: open } = await answering({ first: { type: 'string' } });
    void at.broker.settled(row.id).then(() => at.broker.delivered(row.id));
    const second = await at.ask({ second: { type: 'string' } });
    void at.broker.settled(second.id).then(() => at.broker.delivered(second.id));
    const pane = open(mcpxLine('elicit', 'answer', row.id));
    const refuse = async (): Promise<void> => {
      await pane.prompt('What do you want to do?');
      pane.keys('Down', 'Enter');
      await pane.prompt('Tell github no?');
      pane.keys('Down', 'Enter');
    };
    await refuse();
    await pane.prompt('Press n to open it');
    pane.keys('n');
    await pane.see(second.id);
    await wait(500);
    pane.keys('Down', 'Enter');
    await wait(700);
    pane.keys('Down', 'Enter');
    await pane.see('[exit 0]');
    expect((await at.broker.get(second.id)).state).toBe('declined');
  });
});
