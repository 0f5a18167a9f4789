// Nothing lies around: every file, export and dependency of the project is used by something (knip.json says from where).
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, runNode } from './support/processes.ts';
import { testScope } from './support/scope.ts';

const KNIP = join(ROOT, 'node_modules', 'knip', 'bin', 'knip.js');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** knip reads TypeScript with a parser that needs 20.19; mcpx itself runs on 20.18.1. */
const canRun = major > 20 || (major === 20 && minor >= 19);

test.skipIf(!canRun)('no file, export or dependency is unused', async () => {
  const { code, stdout, stderr } = await runNode(testScope(), [KNIP, '--no-progress'], {
    cwd: ROOT,
    ms: 60_000,
  });
  expect(`${stdout}${stderr}`.trim()).toBe('');
  expect(code).toBe(0);
});
