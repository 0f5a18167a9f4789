// Runs one @inquirer prompt so that every way of leaving it ends in an answer or in WalkStopped.
import { Screen } from './screen.ts';
import type { PromptStreams } from './streams.ts';
import { WalkStopped } from './streams.ts';

/** What every @inquirer prompt takes as its second argument. */
export interface PromptContext {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/**
 * The answer to one prompt.
 *
 * @param typed text that stands on the line as if it had been typed; without line ends or control characters
 * @throws WalkStopped `interrupted` on Ctrl-C, Ctrl-D on an empty line and the end of the input, `gone` when
 * `streams.signal` aborts.
 */
export async function ask<T>(
  streams: PromptStreams,
  prompt: (context: PromptContext) => Promise<T>,
  typed = '',
): Promise<T> {
  const { input } = streams;
  if (streams.signal.aborted) throw new WalkStopped('gone');
  if (input.readableEnded || input.destroyed) throw new WalkStopped('interrupted');
  // @inquirer leaves its promise open for ever when the input ends, so the end is turned into an abort here.
  const ended = new AbortController();
  const onEnd = (): void => ended.abort();
  const onKey = (_text: unknown, key: Key): void => {
    if (!key.ctrl) return;
    // readline has seen the key before this listener: it closes, and so pauses, on Ctrl-D in an empty line.
    if (key.name === 'd' && input.isPaused()) ended.abort();
    // After Ctrl-Z and fg readline leaves the input paused, and the prompt would be deaf.
    if (key.name === 'z') process.once('SIGCONT', () => input.resume());
  };
  input.on('end', onEnd).on('close', onEnd);
  const signal = AbortSignal.any([streams.signal, ended.signal]);
  let first: NodeJS.Immediate | undefined;
  try {
    const answer = prompt({ input, output: new Screen(streams), signal });
    input.on('keypress', onKey);
    // The default of @inquirer's own would come back when the line is emptied. It listens one turn from now.
    if (typed !== '') first = setImmediate(() => input.emit('keypress', typed, { sequence: typed }));
    return await answer;
  } catch (error) {
    if (streams.signal.aborted) throw new WalkStopped('gone');
    if (ended.signal.aborted || isExit(error)) throw new WalkStopped('interrupted');
    throw error;
  } finally {
    clearImmediate(first);
    input.off('end', onEnd).off('close', onEnd).off('keypress', onKey);
  }
}

/** Told by name: @inquirer/prompts does not export the class. */
function isExit(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}
