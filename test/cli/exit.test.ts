// What is said about a failure, and the exit code.
import { describe, expect, test } from 'vitest';
import { Exit, report } from '../../src/cli/exit.ts';
import { type ErrorCode, EXIT_CODES, McpxError } from '../../src/errors.ts';
import { makeStyle } from '../../src/terminal/color.ts';

const PLAIN = { json: false, style: makeStyle(false), interrupted: undefined };
const JSON_LINE = { ...PLAIN, json: true };

function named(name: string): Error {
  return Object.assign(new Error('x'), { name });
}

const CODES = Object.entries(EXIT_CODES).filter(([code]) => code !== 'interrupted') as [ErrorCode, number][];

test.each(CODES)('%s ends with %i', (code, exitCode) => {
  expect(report(new McpxError(code, 'It broke.'), PLAIN).exitCode).toBe(exitCode);
});

describe('a failure', () => {
  test('is a sentence and a hint', () => {
    const error = new McpxError('not_found', 'No row elc-1.', 'Run "mcpx elicit list".');
    expect(report(error, PLAIN).text).toBe('mcpx: No row elc-1.\nhint: Run "mcpx elicit list".\n');
  });

  test('is one line of JSON with --json', () => {
    const error = new McpxError('not_found', 'No row\nelc-1.', 'Look.');
    expect(report(error, JSON_LINE).text).toBe(
      '{"error":{"code":"not_found","message":"No row\\nelc-1.","hint":"Look."}}\n',
    );
  });

  test('names the fields that do not fit', () => {
    const problems = [{ path: '/n', message: 'must be a number' }];
    const error = new McpxError('invalid_answer', 'The answer does not fit.', undefined, { problems });
    expect(report(error, PLAIN)).toEqual({
      exitCode: 8,
      text: 'mcpx: The answer does not fit.\n  n: must be a number\n',
    });
    expect(JSON.parse(report(error, JSON_LINE).text).error.errors).toEqual(problems);
  });

  test('is inert whatever it quotes', () => {
    const hostile = '\u001b]0;x\u0007\u202e\u200b';
    const problems = [{ path: hostile, message: hostile }];
    const { text } = report(new McpxError('failure', hostile, hostile, { problems }), PLAIN);
    expect(text).not.toMatch(/[\u001b\u0007\u202e\u200b]/);
  });

  test('is coloured only when asked for', () => {
    const style = makeStyle(true);
    expect(report(new McpxError('failure', 'x', 'y'), { ...PLAIN, style }).text).toContain('\u001b[31mmcpx:');
    expect(report(new McpxError('failure', 'x', 'y'), { ...JSON_LINE, style }).text).not.toContain('\u001b');
  });
});

describe('a bug', () => {
  test('says so and shows the stack', () => {
    const { exitCode, text } = report(new TypeError('a is undefined'), PLAIN);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^mcpx: This is a bug in mcpx: a is undefined\nTypeError: a is undefined\n {4}at /);
    expect(text).toContain('hint: Report it');
  });

  test('stays on one line with --json, stack included', () => {
    const { text } = report(new TypeError('a'), JSON_LINE);
    expect(text.split('\n')).toHaveLength(2);
    expect(JSON.parse(text).error).toMatchObject({
      code: 'bug',
      stack: expect.stringContaining('TypeError: a'),
    });
  });

  test('may be anything that was thrown', () => {
    expect(report('oops', PLAIN)).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('bug in mcpx: oops'),
    });
  });
});

test('ExitPromptError is a person who stopped', () => {
  expect(report(named('ExitPromptError'), PLAIN)).toEqual({ exitCode: 130, text: '' });
});

test.each(['AbortPromptError', 'AbortError'])(
  '%s is a stop after a signal, and a bug without one',
  (name) => {
    expect(report(named(name), PLAIN)).toMatchObject({ exitCode: 1 });
    expect(report(named(name), { ...PLAIN, interrupted: 143 })).toEqual({ exitCode: 143, text: '' });
    expect(report(named(name), { ...PLAIN, interrupted: 0 })).toEqual({ exitCode: 0, text: '' });
  },
);

test('interrupted prints nothing', () => {
  expect(report(new McpxError('interrupted', 'x'), PLAIN)).toEqual({ exitCode: 130, text: '' });
});

test('a failure while stopping is still told', () => {
  const error = new McpxError('store_full', 'The disk is full.');
  expect(report(error, { ...PLAIN, interrupted: 130 })).toMatchObject({ exitCode: 1 });
});

test('Exit prints nothing', () => {
  expect(report(new Exit(75), PLAIN)).toEqual({ exitCode: 75, text: '' });
});
