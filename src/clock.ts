// Time as an argument: core code never reads the clock itself, so that tests can move it.

/** A timer that can be stopped; stopping one that has fired does nothing. */
export interface Timer {
  cancel(): void;
}

/** Wall time in milliseconds since the epoch, and timers in milliseconds. */
export interface Clock {
  now(): number;
  /** Runs `fire` once after `ms`. A timer never keeps the process alive on its own. */
  after(ms: number, fire: () => void): Timer;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
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
