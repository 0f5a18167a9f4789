// The runner of the conformance suite has to notice whatever is failed or missing.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Report } from './report.mjs';

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

const faultsOf = (through: Record<string, string[]>, ...excused: string[]) => {
  const report = new Report();
  const alone = new Map([
    ['one', outcome('a', 'a', 'b', 'c=INFO')],
    ['two', outcome('d')],
  ]);
  const scenarios = new Map(Object.entries(through).map(([name, ids]) => [name, outcome(...ids)]));
  report.leg('leg', { scenarios, expected: { scenarios: 2, checks: 4 }, alone, excused });
  return report.faults;
};

test('what passes alone has to pass through mcpx, as often', () => {
  expect(faultsOf({ one: ['a', 'a', 'b', 'more'], two: ['d'] })).toEqual([]);
  expect(faultsOf({ one: ['a', 'b=SKIPPED', 'x', 'y'], two: ['d'] })).toEqual([
    'leg: one: a: passes on the fixture alone',
    'leg: one: b: passes on the fixture alone',
  ]);
});

test('what cannot pass is excused, and only that, and only while it does not', () => {
  expect(faultsOf({ one: ['a', 'a', 'b'], two: ['d=FAILURE'] }, 'two: d')).toEqual([]);
  expect(faultsOf({ one: ['a', 'a', 'b=WARNING'], two: ['d=FAILURE'] }, 'two: d')).toEqual([
    'leg: expected 3 passed checks in 2 scenarios',
    'leg: one: b: passes on the fixture alone',
    'leg: one: b: WARNING: why',
  ]);
  expect(faultsOf({ one: ['a', 'a', 'b'], two: ['d'] }, 'two: d')).toEqual([
    'leg: two: d: passes; take it off the list',
  ]);
});
