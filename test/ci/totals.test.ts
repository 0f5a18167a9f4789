// The last line of .ci/run: the totals of the runner's own report, and an exit code that agrees with them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, runNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';

const counts = (numPassedTests: number, numFailedTests: number, numPendingTests = 0) => ({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests: 0,
});
const failedTest = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
const unloadable = { status: 'failed', assertionResults: [] };

test.each([
  ['all passed', { ...counts(3, 0), testResults: [] }, '3 passed, 0 failed', 0],
  ['some skipped', { ...counts(3, 0, 2), testResults: [] }, '3 passed, 0 failed, 2 skipped', 0],
  ['one failed', { ...counts(3, 1), testResults: [failedTest] }, '3 passed, 1 failed', 1],
  ['a file could not be loaded', { ...counts(3, 0), testResults: [unloadable] }, '3 passed, 1 failed', 1],
  ['nothing ran', { ...counts(0, 0), testResults: [] }, '0 passed, 0 failed', 1],
  ['no report', undefined, '0 passed, 1 failed', 1],
])('%s', async (_name, report, line, code) => {
  const scope = testScope();
  const file = join(scope.dir(), 'report.json');
  writeFileSync(file, report === undefined ? '' : JSON.stringify(report));
  const done = await runNode(scope, [join(ROOT, '.ci', 'totals.mjs'), file]);
  expect(done).toMatchObject({ stdout: `${line}\n`, code });
});
