// What the walker needs of the outside: where keys come from, where it draws, when to stop.
import type { Clock } from '../clock.ts';
import type { Keyboard } from './keyboard.ts';

/** Drawn on `output` only (stderr in the commands, so that stdout stays clean). */
export interface PromptStreams {
  readonly keyboard: Keyboard;
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
  /** Aborts when the question is no longer open: the prompt goes away at once and nothing is sent. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Whether colours and other styles are drawn. */
  readonly color: boolean;
  /** Plain lines that are never redrawn, and choices by number: for screen readers and for terminals that cannot more. */
  readonly plain: boolean;
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

/** What a prompt gives instead of an answer when the person wants the one before. */
export const BACK = Symbol('back');
