// Facts about the terminal, whether there is colour, and the symbols.
import { describe, expect, test } from 'vitest';
import { type ColorChoice, makeStyle, wantsColor } from '../../src/terminal/color.ts';
import { canAsk, canDraw, type Env, terminalFacts } from '../../src/terminal/facts.ts';
import { glyphs } from '../../src/terminal/glyphs.ts';

describe('colour', () => {
  test.each<[boolean, boolean, ColorChoice | undefined, Env]>([
    [true, true, undefined, {}],
    [false, false, undefined, {}],
    [true, true, 'auto', {}],
    [false, false, 'auto', {}],
    [true, false, 'always', {}],
    [true, false, 'always', { NO_COLOR: '1', TERM: 'dumb' }],
    [false, true, 'never', { FORCE_COLOR: '1' }],
    [false, true, undefined, { NO_COLOR: '1' }],
    [false, true, undefined, { NO_COLOR: '0' }],
    [true, true, undefined, { NO_COLOR: '' }],
    [false, true, undefined, { NO_COLOR: '1', FORCE_COLOR: '1' }],
    [true, false, undefined, { FORCE_COLOR: '1' }],
    [true, false, undefined, { FORCE_COLOR: 'true' }],
    [false, true, undefined, { FORCE_COLOR: '0' }],
    [false, true, undefined, { FORCE_COLOR: 'false' }],
    [true, true, undefined, { FORCE_COLOR: '' }],
    [false, true, undefined, { TERM: 'dumb' }],
    [true, true, undefined, { TERM: 'xterm', CI: '1' }],
  ])('%s where TTY is %s, --color is %s and the environment is %j', (expected, isTTY, flag, env) => {
    expect(wantsColor({ flag, env, isTTY })).toBe(expected);
  });

  test('styles are closed, and the text itself without colour', () => {
    expect(makeStyle(true).red('x')).toBe('\u001b[31mx\u001b[39m');
    expect(makeStyle(true).bold('')).toBe('');
    expect(makeStyle(false).red('x')).toBe('x');
  });
});

const TTY = { isTTY: true, columns: 80, rows: 24 };

describe('facts', () => {
  test('size is that of stdout, or of stderr when stdout is a pipe', () => {
    const wide = { ...TTY, columns: 132 };
    expect(terminalFacts({ stdin: TTY, stdout: TTY, stderr: wide }, {}, 'linux')).toMatchObject({
      columns: 80,
      rows: 24,
    });
    expect(terminalFacts({ stdin: TTY, stdout: {}, stderr: wide }, {}, 'linux')).toMatchObject({
      columns: 132,
    });
    expect(terminalFacts({ stdin: TTY, stdout: {}, stderr: {} }, {}, 'linux').columns).toBeUndefined();
    // Some terminals say 0 before they know.
    expect(
      terminalFacts({ stdin: TTY, stdout: { ...TTY, columns: 0 }, stderr: {} }, {}, 'linux').columns,
    ).toBeUndefined();
  });

  test.each<[boolean, boolean, boolean, boolean, boolean, string]>([
    [true, true, true, true, true, 'xterm'],
    [false, true, true, false, false, 'xterm'],
    [true, false, true, true, false, 'xterm'],
    [true, true, false, false, true, 'xterm'],
    [true, true, true, true, false, 'dumb'],
    [false, false, false, false, false, 'xterm'],
  ])(
    'stdin %s, stdout %s, stderr %s: can ask %s, can draw %s (TERM=%s)',
    (stdin, stdout, stderr, ask, draw, term) => {
      const streams = { stdin: { isTTY: stdin }, stdout: { isTTY: stdout }, stderr: { isTTY: stderr } };
      const facts = terminalFacts(streams, { TERM: term }, 'linux');
      expect([canAsk(facts), canDraw(facts)]).toEqual([ask, draw]);
    },
  );

  test.each<[boolean, NodeJS.Platform, Env]>([
    [true, 'linux', { LANG: 'en_US.UTF-8' }],
    [true, 'linux', { LC_ALL: 'C.utf8', LANG: 'C' }],
    [false, 'linux', { LC_ALL: 'C', LANG: 'en_US.UTF-8' }],
    [false, 'linux', {}],
    [false, 'linux', { LANG: 'en_US.UTF-8', TERM: 'linux' }],
    [false, 'linux', { LANG: 'en_US.UTF-8', TERM: 'dumb' }],
    [true, 'darwin', {}],
    [false, 'darwin', { LANG: 'C' }],
    [false, 'win32', {}],
    [true, 'win32', { WT_SESSION: 'x' }],
    [true, 'win32', { TERM_PROGRAM: 'vscode' }],
  ])('unicode is %s on %s with %j', (expected, platform, env) => {
    expect(terminalFacts({ stdin: {}, stdout: {}, stderr: {} }, env, platform).unicode).toBe(expected);
  });

  test.each([
    [true, '1'],
    [true, 'true'],
    [false, ''],
    [false, '0'],
    [false, 'false'],
    [false, undefined],
  ])('ci is %s with CI=%s', (expected, value) => {
    expect(terminalFacts({ stdin: {}, stdout: {}, stderr: {} }, { CI: value }, 'linux').ci).toBe(expected);
  });
});

test('every symbol has a twin in ASCII', () => {
  const twins = Object.values(glyphs(false));
  expect(twins).toHaveLength(Object.keys(glyphs(true)).length);
  for (const twin of twins) expect(twin).toMatch(/^[\x20-\x7e]+$/);
});
