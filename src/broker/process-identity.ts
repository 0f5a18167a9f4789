// Which process this is, in words that another process on the same disk can check. The broker's only look at the machine.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What is needed to tell whether a process still runs; `''` where the platform does not say. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes with every boot. */
  readonly boot: string;
  /** The pid namespace: the same pid means another process in another container. */
  readonly space: string;
  readonly pid: number;
  /** Start time in the kernel's own count, so that a reused pid is not taken for the process. */
  readonly start: string;
}

/** Reads this process's identity. */
export function thisProcess(): ProcessIdentity {
  const { pid } = process;
  return {
    host: hostname(),
    boot: read('/proc/sys/kernel/random/boot_id'),
    space: pidSpace(),
    pid,
    start: startOf(pid) ?? '',
  };
}

/**
 * Whether `other` runs: `'unknown'` where its process table is not ours (another machine, boot or container), so that
 * only its heartbeat can tell.
 */
export function lives(other: ProcessIdentity, self: ProcessIdentity): boolean | 'unknown' {
  if (other.host !== self.host) return 'unknown';
  if (other.boot !== self.boot || other.space !== self.space) return 'unknown';
  if (!exists(other.pid)) return false;
  const start = startOf(other.pid);
  // No start times on this platform: the pid alone decides, in favour of being alive.
  if (other.start === '') return true;
  return start === other.start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Field 22 of /proc/<pid>/stat; undefined for a process that has ended, a zombie included. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The command name in parentheses may hold spaces and parentheses of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
