// Ctrl+C on a gateway with questions open: they would be lost, so it says how many, and wants to be told twice.
import type { Broker } from '../../broker/types.ts';
import type { MayEnd } from '../interrupt.ts';
import type { Io } from '../io.ts';

/** Milliseconds in which a second Ctrl+C is taken as the answer to what the first one said. */
const MEANT = 60_000;

/** Whether a person sits at this gateway: a host's own Ctrl+C must end a gateway on its pipes at once. */
export function hasPerson(io: Io, options: { readonly stdio?: true }): boolean {
  return io.terminal.stderr && (options.stdio !== true || io.terminal.stdin);
}

/** Lets Ctrl+C end the gateway where no question would be lost, and else the second time. */
export function lastWord(io: Io, broker: Pick<Broker, 'countHeld'>): MayEnd {
  let isTold = false;
  return async () => {
    if (isTold) return true;
    const open = await broker.countHeld();
    if (open === 0) return true;
    isTold = true;
    const timer = io.clock.after(MEANT, () => {
      isTold = false;
    });
    io.signal.addEventListener('abort', () => timer.cancel(), { once: true });
    const [are, they] = open === 1 ? ['1 question is', 'it'] : [`${open} questions are`, 'they'];
    await io.stderr.write(
      `${io.errorStyle.yellow(`${are} still open, and ${they} will be lost when mcpx ends. Press Ctrl+C again to end it.`)}\n` +
        `To answer first, use another terminal: mcpx elicit list, mcpx tui\n`,
    );
    return false;
  };
}
