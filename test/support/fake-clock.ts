// A clock that stands still until a test moves it.
import type { Clock, Timer } from '../../src/clock.ts';

interface Armed {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export interface FakeClock extends Clock {
  /** Moves time on, firing what falls due in order, also timers set by those that fire. */
  advance(ms: number): void;
  /** `advance` in steps of at most `step`, letting promises run after each. */
  pass(ms: number, step?: number): Promise<void>;
  /** Moves the wall clock alone, as a suspend or a time service does: no time passes, and no timer fires. */
  jump(ms: number): void;
  /** How many timers are set. */
  readonly timers: number;
}

export function fakeClock(start = Date.parse('2026-11-30T18:00:00.000Z')): FakeClock {
  let now = start;
  let jumped = 0;
  let order = 0;
  const armed = new Set<Armed>();

  const next = (until: number): Armed | undefined => {
    let first: Armed | undefined;
    for (const timer of armed) {
      if (timer.at > until) continue;
      const earlier = first === undefined || timer.at < first.at;
      if (earlier || (first !== undefined && timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  };

  const clock: FakeClock = {
    now: () => now + jumped,
    monotonic: () => now - start,
    jump(ms) {
      jumped += ms;
    },
    after(ms, fire): Timer {
      order += 1;
      const timer: Armed = { at: now + Math.max(0, ms), order, fire };
      armed.add(timer);
      return { cancel: () => void armed.delete(timer) };
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = next(end); timer !== undefined; timer = next(end)) {
        armed.delete(timer);
        now = Math.max(now, timer.at);
        timer.fire();
      }
      now = end;
    },
    async pass(ms, step = 1_000) {
      for (let left = ms; left > 0; left -= step) {
        clock.advance(Math.min(step, left));
        // A macrotask, so that whole chains of promises run.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    get timers() {
      return armed.size;
    },
  };
  return clock;
}
