// The runner of the conformance suite has to notice whatever is failed or missing.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { missing, Report } from './report.mjs';

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

const outcome = (...ids: string[]) =>
  ids.map((id) => {
    const [name = '', status = 'SUCCESS'] = id.split('=');
    return { id: name, status, errorMessage: 'why' };
  });
const EXPECTED = { scenarios: 2, checks: 3 };
const SCORED = { names: ['one'], scenarios: 1, checks: 2 };

test('a leg with everything that is expected has no fault', () => {
  const report = new Report();
  const scenarios = new Map([
    ['one', outcome('a', 'b', 'c=INFO')],
    ['two', outcome('a', 'b=SKIPPED')],
  ]);
  report.leg('leg', { scenarios, expected: EXPECTED, scored: SCORED });
  expect(report.faults).toEqual([]);
});

test.each([
  ['nothing was run', {}, ['expected 3 passed checks in 2 scenarios', 'scored: expected 2']],
  ['a scenario is missing', { one: outcome('a', 'b', 'c') }, ['expected 3 passed checks in 2 scenarios']],
  ['a check failed', { one: outcome('a', 'b'), two: outcome('c', 'd=FAILURE') }, ['two: d: FAILURE: why']],
  ['a check warned', { one: outcome('a', 'b'), two: outcome('c', 'd=WARNING') }, ['two: d: WARNING: why']],
  ['a check was skipped', { one: outcome('a', 'b'), two: outcome('c=SKIPPED') }, ['expected 3 passed']],
  ['what counts is missing', { one: outcome('a'), two: outcome('b', 'c') }, ['scored: expected 2']],
])('%s', (_name, scenarios, faults) => {
  const report = new Report();
  report.leg('leg', { scenarios: new Map(Object.entries(scenarios)), expected: EXPECTED, scored: SCORED });
  for (const fault of faults) expect(report.faults).toContainEqual(expect.stringContaining(fault));
  expect(report.faults.every((fault) => fault.startsWith('leg: '))).toBe(true);
});

test('what passes alone and not through mcpx is named, as often as it is missing', () => {
  const alone = new Map([
    ['one', outcome('a', 'a', 'b', 'c=INFO')],
    ['two', outcome('d')],
  ]);
  const through = new Map([['one', outcome('a', 'b=SKIPPED', 'e')]]);
  expect(missing(alone, through)).toEqual(['one: a', 'one: b', 'two: d']);
  expect(missing(alone, alone)).toEqual([]);
});
