// Stopping and going on as a job of a shell, and the last chance to give the terminal back.
import { writeSync } from 'node:fs';
import { LEAVE, RESTORE_TITLE } from './modes.ts';

/** What a screen can be told. */
export interface Stoppable {
  mount(): void;
  unmount(): void;
  refresh(): void;
}

export interface Jobs {
  /** Gives the terminal back and stops, as Ctrl+Z does in any other program. */
  suspend(): void;
  /** Stops listening. */
  close(): void;
}

/** Long enough for the signal to have stopped the process, where it can be stopped at all. */
const STOP_MS = 30;

/** Follows Ctrl+Z, `kill -TSTP` and `fg`, and restores the terminal when the process ends in whatever way (C36). */
export function followJobs(screen: Stoppable, stdin: NodeJS.ReadStream, outFd: number): Jobs {
  let stopped = false;
  const goOn = (): void => {
    if (!stopped) {
      screen.refresh();
      return;
    }
    stopped = false;
    process.on('SIGTSTP', suspend);
    screen.mount();
  };
  const suspend = (): void => {
    stopped = true;
    screen.unmount();
    process.off('SIGTSTP', suspend);
    // The whole group, as the terminal would do it: whoever started mcpx has to stop as well.
    process.kill(0, 'SIGTSTP');
    // An orphaned group cannot be stopped, and is not continued either.
    setTimeout(() => stopped && goOn(), STOP_MS);
  };
  const restore = (): void => {
    try {
      stdin.setRawMode(false);
      writeSync(outFd, LEAVE + RESTORE_TITLE);
    } catch {
      // The terminal itself is gone.
    }
  };
  process.on('SIGTSTP', suspend);
  process.on('SIGCONT', goOn);
  process.on('exit', restore);
  return {
    suspend,
    close() {
      process.off('SIGTSTP', suspend);
      process.off('SIGCONT', goOn);
      process.off('exit', restore);
    },
  };
}
