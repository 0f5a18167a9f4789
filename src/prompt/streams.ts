// What the walker needs of the outside: where keys come from, where it draws, when to stop.
import type { Clock } from '../clock.ts';

/** Keys: a terminal, or in tests any readable stream. */
export type PromptInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  readonly readableEnded?: boolean;
  readonly destroyed?: boolean;
  setRawMode?(raw: boolean): unknown;
};

/** Drawn on `output` only (stderr in the commands, so that stdout stays clean). */
export interface PromptStreams {
  readonly input: PromptInput;
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
  /** Aborts when the question is no longer open: the prompt goes away at once and nothing is sent. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Whether colours and other styles are drawn. */
  readonly color: boolean;
}

/** Why a walk stopped without an answer: Ctrl-C or the end of the input, or the question went away. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
  readonly why: 'interrupted' | 'gone';

  constructor(why: 'interrupted' | 'gone') {
    super(why);
    this.why = why;
  }
}
