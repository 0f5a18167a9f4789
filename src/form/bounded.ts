// Work that a server's schema could make endless, run under a time limit that stops it from outside.
import vm from 'node:vm';

/** `late`: the time is up, or the stack or the memory for a text is. Otherwise the work itself threw. */
export type Bounded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly late: boolean };

/**
 * Runs `work` for at most `ms` milliseconds. Not ok when the time is up or when it throws, stack overflow
 * included. The limit holds for whatever runs on this thread, regular expressions too, since V8 itself is told to
 * stop.
 */
export function bounded<T>(ms: number, work: () => T): Bounded<T> {
  const context = vm.createContext({ work });
  try {
    return { ok: true, value: vm.runInContext('work()', context, { timeout: ms }) as T };
  } catch (error) {
    return { ok: false, late: isLate(error) };
  }
}

/** Told by name and code: what is thrown at the edge of a context is of that context's own classes. */
function isLate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return name === 'RangeError' || code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
