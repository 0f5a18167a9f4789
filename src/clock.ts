// Time as an argument: core code never reads the clock itself, so that tests can move it.

/** A timer that can be stopped; stopping one that has fired does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * Two readings that are never mixed (C49). What passes is measured by `monotonic` and by timers, which agree: while the
 * machine is suspended neither moves on Linux and macOS, so that after it what was left of a wait is left. Only what is
 * shown or stored is wall time.
 */
export interface Clock {
  /** Wall time in milliseconds since the epoch; people, time services and suspends make it jump. */
  now(): number;
  /** Milliseconds since some moment of this process; never jumps. */
  monotonic(): number;
  /** Runs `fire` once after `ms`, by the monotonic clock. A timer never keeps the process alive on its own. */
  after(ms: number, fire: () => void): Timer;
}

/** A clock whose `now()` begins at the wall time of the call and never jumps: it measures what passes (C49). */
export function steadyClock(clock: Clock): Clock {
  const start = clock.now() - clock.monotonic();
  return { ...clock, now: () => start + clock.monotonic() };
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, fire) {
    // setTimeout takes 2^31-1 ms at most; longer waits go in steps.
    const longest = 2_147_483_647;
    let handle: NodeJS.Timeout;
    const arm = (left: number): void => {
      handle = setTimeout(() => (left > longest ? arm(left - longest) : fire()), Math.min(left, longest));
      handle.unref();
    };
    arm(Math.max(0, ms));
    return { cancel: () => clearTimeout(handle) };
  },
};
