// C26: escape codes, bidi overrides and hidden characters of a server are shown as marks on every surface, and stay as
// they are in JSON and on the wire.
import { expect, test } from 'vitest';
import { valueWords } from '../../src/terminal/field-words.ts';
import { bench } from '../cli/elicit/run.ts';
import { answersOf, scene } from '../support/scene.ts';
import { fakeTui } from '../tui/fake-tui.ts';

const HOSTILE =
  'a\u001b[2Jb\u001b]0;title\u0007c\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\d\u001b]52;c;eA==\u0007e\rf\u009b31mg\u202eh\u200bi';
const SCHEMA = {
  properties: {
    one: { type: 'string', title: HOSTILE, description: HOSTILE },
    two: {
      type: 'string',
      oneOf: [
        { const: HOSTILE, title: HOSTILE },
        { const: 'b', title: 'b' },
      ],
    },
    [`three${HOSTILE}`]: { type: 'string', pattern: '^x$', default: 'x' },
  },
};
/** What must not reach a terminal: every control but the line end, C1, bidi and zero width. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/;

const expectInert = (text: string): void => {
  expect(RAW.exec(text)?.[0]).toBeUndefined();
  expect(text).toContain('\\u{1b}');
};

test.each([
  [80, 24],
  [60, 12],
  [200, 60],
])('in mcpx tui at %i×%i', async (columns, rows) => {
  const url = `https://example.com/${encodeURIComponent('x')}`;
  const tui = await fakeTui({
    columns,
    rows,
    asked: [
      { server: `s${HOSTILE}`, tool: HOSTILE, message: HOSTILE, schema: SCHEMA },
      { server: 'url', mode: 'url', url, message: HOSTILE },
    ],
  });
  // The terminal of the test refuses every control character, sequence and command that the UI has no use for.
  const seen: string[] = [tui.vt.text];
  const look = async (...keys: string[]): Promise<void> => {
    await tui.press(...keys);
    seen.push(tui.vt.text);
  };
  await look('enter');
  await look('pagedown');
  await look('tab');
  await tui.type(`typed${HOSTILE.replaceAll(/[\u001b\r\u0007]/g, '')}`);
  await look('tab');
  await look('enter');
  await look('tab');
  await look('ctrl+r');
  await look('ctrl+d');
  await look('esc', 'esc', 'esc', 'down', 'enter');
  await look('ctrl+x');
  for (const text of seen) expect(RAW.exec(text)?.[0]).toBeUndefined();
  expect(seen.join('\n')).toContain('\\u{1b}[2J');
  // Nothing but titles, and those of mcpx itself.
  expect(tui.vt.commands.filter((command) => !/^2;(\(\d\) )?mcpx$/.test(command))).toEqual([]);
  expect(tui.vt.bells).toBe(0);
});

test('in list, show and watch; JSON keeps the data', async () => {
  const at = await bench();
  const row = await at.ask(SCHEMA.properties, { server: 'evil', message: HOSTILE, tool: HOSTILE });
  for (const argv of [['list'], ['list', '--all'], ['show', row.id]]) {
    const { stdout, code } = await at.run(['elicit', ...argv], { columns: 80, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    expectInert(stdout);
  }
  const watch = at.start(['elicit', 'watch']);
  expectInert((await watch.lines(1)).join('\n'));
  watch.signal('SIGINT');
  await watch.done;
  for (const argv of [['list'], ['show', row.id]]) {
    const { stdout } = await at.run(['elicit', ...argv, '--json']);
    const parsed: unknown = JSON.parse(stdout);
    expect(Array.isArray(parsed) ? parsed[0] : parsed).toMatchObject({ message: HOSTILE, tool: HOSTILE });
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  }
});

test('in errors and in the log of the gateway; the wire keeps the data', async () => {
  const { host, gateway, row } = await scene({ host: { capabilities: '{}' } });
  const call = host.startCall('ask', {
    message: HOSTILE,
    schema: {
      type: 'object',
      properties: { it: { type: 'string', oneOf: [{ const: HOSTILE, title: HOSTILE }] } },
      required: ['it'],
    },
  });
  const { id, message } = await row();
  expect(message).toBe(HOSTILE);
  const refused = await gateway.mcpx(['elicit', 'accept', id, '-F', 'it=other']);
  expect(refused.code).toBe(8);
  expectInert(refused.stderr);
  expect(
    (await gateway.mcpx(['elicit', 'accept', id, '--input', '-'], { input: JSON.stringify({ it: HOSTILE }) }))
      .code,
  ).toBe(0);
  const [answer = ''] = await answersOf(call.reply);
  expect(JSON.parse(answer)).toEqual({ action: 'accept', content: { it: HOSTILE } });
  const log = gateway.process.stderr();
  expect(RAW.exec(log.replaceAll('\t', ''))?.[0]).toBeUndefined();
});

test('a value in a review is marked, not obeyed', () => {
  expectInert(
    valueWords(undefined, JSON.stringify(HOSTILE)) + valueWords(undefined, JSON.stringify('\\u{1b}')),
  );
});
