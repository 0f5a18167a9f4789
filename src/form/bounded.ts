// Work that a server's schema could make endless, run under a time limit that stops it from outside.
import vm from 'node:vm';

export type Bounded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/**
 * Runs `work` for at most `ms` milliseconds. Not ok when the time is up or when it throws, stack overflow
 * included. The limit holds for whatever runs on this thread, regular expressions too, since V8 itself is told to
 * stop.
 */
export function bounded<T>(ms: number, work: () => T): Bounded<T> {
  const context = vm.createContext({ work });
  try {
    return { ok: true, value: vm.runInContext('work()', context, { timeout: ms }) as T };
  } catch {
    return { ok: false };
  }
}
