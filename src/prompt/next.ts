// The offer to go on with another question.
import { stopIfOver } from './ask.ts';
import { type PromptStreams, WalkStopped } from './streams.ts';

/**
 * Waits for one key: true for `n`, false for Enter, Esc and `q`.
 *
 * @param next what waits, in one inert line
 * @throws WalkStopped
 */
export function askNext(streams: PromptStreams, next: string): Promise<boolean> {
  const { keyboard, output, signal } = streams;
  stopIfOver(streams);
  return new Promise((resolve, reject) => {
    const finish = (then: () => void): void => {
      stopListening();
      signal.removeEventListener('abort', onOver);
      keyboard.stopped.removeEventListener('abort', onOver);
      then();
    };
    const onOver = (): void => finish(() => reject(new WalkStopped(signal.aborted ? 'gone' : 'interrupted')));
    const stopListening = keyboard.listen((input) => {
      if (input.type !== 'key') return;
      const stroke = input.stroke.toLowerCase();
      if (stroke === 'n') finish(() => resolve(true));
      else if (['enter', 'esc', 'q', 'ctrl+d'].includes(stroke)) finish(() => resolve(false));
    });
    signal.addEventListener('abort', onOver);
    keyboard.stopped.addEventListener('abort', onOver);
    output.write(`\n${next}\nPress n to open it, Enter to end.\n`);
    keyboard.ready();
  });
}
