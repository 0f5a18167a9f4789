// Whether a process still runs.
import { readFileSync } from 'node:fs';

/** Running, and not merely a zombie that waits to be collected; without /proc a zombie counts as running. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
