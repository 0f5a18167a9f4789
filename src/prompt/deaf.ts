// Throws away keys that were typed before what they would answer was on the screen.
import type { PromptStreams } from './streams.ts';
import { WalkStopped } from './streams.ts';

const CTRL_C = 0x03;
const CTRL_D = 0x04;

/**
 * Reads and drops keys for `ms` milliseconds; call it after drawing and before asking (C31). Ctrl-C, Ctrl-D and the
 * end of the input still count, as they can only send nothing.
 *
 * @throws WalkStopped as `ask` does
 */
export function deafFor(streams: PromptStreams, ms: number): Promise<void> {
  const { input, signal, clock } = streams;
  if (signal.aborted) return Promise.reject(new WalkStopped('gone'));
  if (input.readableEnded || input.destroyed) return Promise.reject(new WalkStopped('interrupted'));
  return new Promise((resolve, reject) => {
    const raw = input.isTTY === true && input.setRawMode !== undefined;
    const finish = (then: () => void): void => {
      timer.cancel();
      input.off('data', onData).off('end', onEnd).off('close', onEnd);
      signal.removeEventListener('abort', onGone);
      input.pause();
      if (raw) input.setRawMode?.(false);
      then();
    };
    const onEnd = (): void => finish(() => reject(new WalkStopped('interrupted')));
    const onGone = (): void => finish(() => reject(new WalkStopped('gone')));
    const onData = (chunk: Buffer | string): void => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      if (bytes.includes(CTRL_C) || bytes.includes(CTRL_D)) onEnd();
    };
    // Raw, or the keys would be echoed and kept by the terminal until Enter.
    if (raw) input.setRawMode?.(true);
    const timer = clock.after(ms, () => finish(resolve));
    input.on('data', onData).on('end', onEnd).on('close', onEnd);
    signal.addEventListener('abort', onGone);
    input.resume();
  });
}
