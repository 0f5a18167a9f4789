// Before any test: the build that tests run as real processes is brought up to date, once.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function setup(): void {
  const prepare = fileURLToPath(new URL('../../bin/prepare.mjs', import.meta.url));
  execFileSync(process.execPath, [prepare], { stdio: ['ignore', 'inherit', 'inherit'] });
}
