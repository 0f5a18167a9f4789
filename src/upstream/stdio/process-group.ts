// Ends a server process together with everything it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

/** How long a process may take after its input was closed, and again after SIGTERM, in milliseconds. */
export const GRACE_MS = 2000;
const POLL_MS = 20;

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** True while any process of the group that `child` leads is left; on Windows, while `child` itself is. */
function alive(child: ChildProcess): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === 'win32') return isRunning(child);
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch (error) {
    // EPERM means that there is one, but of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    // Windows has no groups and no gentle signal: taskkill walks the tree.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => child.kill(signal),
    );
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

/** Resolves true as soon as the group is empty, false after `ms`. Its timer keeps mcpx alive until that is known. */
async function emptied(child: ChildProcess, ms: number): Promise<boolean> {
  for (let waited = 0; alive(child); waited += POLL_MS) {
    if (waited >= ms) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

/**
 * Closes stdin, then sends SIGTERM, then SIGKILL to the whole group, `grace` milliseconds apart (basic/lifecycle,
 * "Shutdown"). Resolves when nothing is left.
 */
export async function endGroup(child: ChildProcess, grace: number = GRACE_MS): Promise<void> {
  child.stdin?.end();
  if (await emptied(child, grace)) return;
  signalGroup(child, 'SIGTERM');
  if (await emptied(child, grace)) return;
  signalGroup(child, 'SIGKILL');
  // Nothing survives that; only the leader's own end is waited for, since nobody may collect the others.
  for (let waited = 0; isRunning(child) && waited < grace; waited += POLL_MS) await setTimeout(POLL_MS);
}
