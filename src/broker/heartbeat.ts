// Says again and again that this process is there, until told to stop.
import type { Clock, Timer } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';

/** Calls `beat` now and then every `ms`, never twice at once; returns the way to stop. A failed beat is logged. */
export function heartbeat(options: {
  beat: () => Promise<void>;
  ms: number;
  clock: Clock;
  log: Log;
}): () => void {
  let stopped = false;
  let timer: Timer | undefined;
  const again = async (): Promise<void> => {
    try {
      await options.beat();
    } catch (error) {
      if (!stopped) options.log.warn({ error: messageOf(error) }, 'cannot write a heartbeat to the store');
    }
    if (!stopped) timer = options.clock.after(options.ms, () => void again());
  };
  void again();
  return () => {
    stopped = true;
    timer?.cancel();
  };
}
