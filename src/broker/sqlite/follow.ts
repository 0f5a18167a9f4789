// Wakes when another process has committed: the directory's file events first, a slow poll beneath them.
import { type FSWatcher, watch } from 'node:fs';
import type { Clock, Timer } from '../../clock.ts';

export interface FollowOptions {
  readonly dir: string;
  /** Names of the files whose events count. */
  readonly files: readonly string[];
  readonly clock: Clock;
  /** Milliseconds between two looks where no event comes. */
  readonly poll: number;
  /** True when something was committed since the last call. */
  readonly changed: () => boolean;
  readonly onChange: () => void;
}

// A WAL is written before its commit becomes visible through shared memory, whose writes raise no event: so a look
// that finds nothing is repeated, soon and then less soon.
const LOOKS = [1, 2, 5, 10, 25];

/** Starts following; returns the way to stop. Never keeps the process alive. */
export function follow(options: FollowOptions): () => void {
  const { clock, changed, onChange } = options;
  let timer: Timer | undefined;
  let stopped = false;

  // `round` counts the looks since the last event; past the last of them the slow poll goes on.
  const look = (round: number): void => {
    if (stopped) return;
    if (changed()) onChange();
    timer?.cancel();
    timer = clock.after(LOOKS[round] ?? options.poll, () => look(round + 1));
  };

  const watcher = watchDirectory(options.dir, (file) => {
    if (file === undefined || options.files.includes(file)) look(0);
  });
  look(LOOKS.length);
  return () => {
    stopped = true;
    timer?.cancel();
    watcher?.close();
  };
}

// Where events cannot be had (watches used up, a network file system) the poll alone does it.
function watchDirectory(dir: string, onEvent: (file: string | undefined) => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, (_event, file) => onEvent(file ?? undefined));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
