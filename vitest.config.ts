import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Where a run leaves its totals for a script to read (.ci/run); unset for people.
const report = process.env['MCPX_TEST_REPORT'];

const include = ['test/**/*.test.ts', 'test/**/*.test.tsx'];

/** Files that change what other files in the same process see: a module's state, timers, what a module read at its start. */
const ALONE = [
  'test/cli/elicit/remote.test.ts',
  'test/tui/color.test.ts',
  'test/upstream/http-idle.test.ts',
  'test/conformance/report.test.ts',
];

/** Where files take longest: begun first, so that the processes end at about the same time. */
const SLOW = /\/test\/(faults|e2e|matrix)\//;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (SLOW.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    // Real processes and sockets on two cores: generous, so that a busy machine is not a failure.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // More than the two cores that CI has: most of a test is waiting for processes and sockets.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // What runs inside a test as it runs in a process: loaded by Node, not by Vite.
    server: { deps: { external: [/\/(dist|fixtures)\//] } },
    projects: [
      // Files share their process: loading mcpx anew for each of them took as long as the tests.
      { extends: true, test: { name: 'shared', include, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
