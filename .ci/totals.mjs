#!/usr/bin/env node
// Prints the totals of a vitest JSON report as "N passed, N failed[, N skipped]"; exit 1 when a test failed or none ran.
import { readFileSync } from 'node:fs';

/** A report that is missing or cut off counts as a failure: the runner did not get to its end. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, testResults: [] };
  }
}

const report = read(process.argv[2]);
// A file that could not be loaded has no tests of its own to fail.
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
).length;
const passed = report.numPassedTests;
const failed = report.numFailedTests + unloaded;
const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
