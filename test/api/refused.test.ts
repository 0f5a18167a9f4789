import { expect, test } from 'vitest';
import { Refused, refusedOf, refusedText } from '../../src/api/refused.ts';
import { type ErrorCode, EXIT_CODES, McpxError } from '../../src/errors.ts';
import { silent } from '../../src/log.ts';

const STATUS: Partial<Record<ErrorCode, number>> = {
  usage: 400,
  invalid_answer: 400,
  forbidden: 403,
  not_found: 404,
  already_answered: 409,
  expired: 409,
  withdrawn: 409,
  lost: 409,
  limit: 429,
  unreachable: 502,
  upstream: 502,
  store_busy: 503,
  timeout: 504,
  store_full: 507,
  store_readonly: 500,
};

test.each(Object.entries(STATUS))('%s is HTTP %i, with code, message and hint', (code, status) => {
  const refused = refusedOf(new McpxError(code as ErrorCode, 'What it is.', 'What to do.'), silent);
  expect(refused.status).toBe(status);
  expect(JSON.parse(refusedText(refused))).toEqual({
    error: { code, message: 'What it is.', hint: 'What to do.' },
  });
});

test('every code has a status that is a failure', () => {
  for (const code of Object.keys(EXIT_CODES) as ErrorCode[])
    expect(refusedOf(new McpxError(code, 'x'), silent).status).toBeGreaterThanOrEqual(400);
});

test('a fault of mcpx is logged, and not described to whoever asked', () => {
  const logged: unknown[] = [];
  const log = { ...silent, error: (fields: unknown) => logged.push(fields) };
  for (const thrown of [
    new Error('at /home/me/secret'),
    'odd',
    Object.assign(new Error('x'), { statusCode: 500 }),
  ]) {
    const refused = refusedOf(thrown, log);
    expect(refused.status).toBe(500);
    expect(refusedText(refused)).not.toContain('secret');
    expect(JSON.parse(refusedText(refused)).error.code).toBe('bug');
  }
  expect(logged).toHaveLength(3);
  const own = new Refused(418, new McpxError('usage', 'x'));
  expect(refusedOf(own, log)).toBe(own);
});
