import { defineConfig } from 'vitest/config';

// Where a run leaves its totals for a script to read (.ci/run); unset for people.
const report = process.env['MCPX_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    // Real processes and sockets on two cores: generous, so that a busy machine is not a failure.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Times for people are local: what tests compare must not depend on where they run.
    env: { TZ: 'UTC' },
    pool: 'forks',
    // What runs inside a test as it runs in a process: loaded by Node, not by Vite.
    server: { deps: { external: [/\/(dist|fixtures)\//] } },
    maxWorkers: 2,
  },
});
