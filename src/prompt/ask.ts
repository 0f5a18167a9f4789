// Runs one drawn prompt so that every way of leaving it ends in an answer or in WalkStopped.

import { Writable } from 'node:stream';
import { KeyStream } from './key-stream.ts';
import { type PromptStreams, WalkStopped } from './streams.ts';
import { Typist } from './typist.ts';

/** Colours and weights, not the movements of the cursor. */
const STYLES = /\u001b\[[\d;]*m/g;

export class Screen extends Writable {
  readonly #output: PromptStreams['output'];
  readonly #color: boolean;
  #drawn: (() => void) | undefined;

  /** @param drawn called once, with the first drawing */
  constructor({ output, color }: Pick<PromptStreams, 'output' | 'color'>, drawn: () => void) {
    super({ decodeStrings: false });
    this.#output = output;
    this.#color = color;
    this.#drawn = drawn;
  }

  /** Asked for at every drawing, as the window may change its size. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    // @inquirer decides by the environment and by stdout, and knows neither --color nor that it draws on stderr.
    this.#output.write(this.#color ? chunk : String(chunk).replaceAll(STYLES, ''));
    this.#drawn?.();
    this.#drawn = undefined;
    done();
  }
}

/** What every @inquirer prompt takes as its second argument. */
export interface PromptContext {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

const SHOW_CURSOR = '\u001b[?25h';
/** Pastes marked by the terminal (DEC mode 2004), and not. */
const [MARK_PASTES, UNMARK_PASTES] = ['\u001b[?2004h', '\u001b[?2004l'];

/**
 * The answer to one prompt.
 *
 * @throws WalkStopped `interrupted` on Ctrl+C, Ctrl+D on an empty line and the end of the input, `gone` when
 * `streams.signal` aborts.
 */
export async function ask<T>(
  streams: PromptStreams,
  prompt: (context: PromptContext) => Promise<T>,
): Promise<T> {
  const { keyboard, output, clock } = streams;
  stopIfOver(streams);
  const input = new KeyStream();
  const typist = new Typist(clock, (typed) => {
    // readline would close, and @inquirer would wait for ever.
    if (typed.type === 'key' && typed.stroke === 'ctrl+d' && (input.line?.() ?? '') === '')
      keyboard.interrupt();
    else input.take(typed);
  });
  const stopListening = keyboard.listen((one) => {
    const stroke = one.type === 'key' ? one.stroke : undefined;
    // The shell gets the terminal as it was.
    if (stroke === 'suspended') output.write(UNMARK_PASTES + SHOW_CURSOR);
    else {
      if (stroke === 'resumed') output.write(MARK_PASTES);
      typist.take(one);
    }
  });
  const signal = AbortSignal.any([streams.signal, keyboard.stopped]);
  const screen = new Screen(streams, () => keyboard.ready());
  output.write(MARK_PASTES);
  try {
    // Only the listeners and the two methods of it are used; the types want a whole stream.
    return await prompt({ input: input as never, output: screen, signal });
  } catch (error) {
    stopIfOver(streams);
    throw error;
  } finally {
    typist.close();
    stopListening();
    output.write(UNMARK_PASTES);
  }
}

/** @throws WalkStopped */
export function stopIfOver({ signal, keyboard }: PromptStreams): void {
  if (signal.aborted) throw new WalkStopped('gone');
  if (keyboard.stopped.aborted) throw new WalkStopped('interrupted');
}
