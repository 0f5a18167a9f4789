// One choice out of a list, a line of text, and the ways that every question has: drawn, or as plain lines.
import { ask } from './ask.ts';
import { type ListConfig, listPrompt } from './list-prompt.ts';
import { plainList, plainText } from './plain.ts';
import { BACK, type PromptStreams } from './streams.ts';
import { type TextAnswer, type TextConfig, textPrompt } from './text-prompt.ts';

/** What can be done with any question beside accepting it. */
export const OTHER_WAYS = [
  { value: 'decline', name: 'Decline: tell the server no' },
  { value: 'cancel', name: 'Cancel: dismiss the question without a yes or no' },
  { value: 'leave', name: 'Leave it: send nothing, the question stays open' },
] as const;

/** @throws WalkStopped */
export function askList(
  streams: PromptStreams,
  config: ListConfig,
): Promise<readonly number[] | typeof BACK> {
  return streams.plain ? plainList(streams, config) : ask(streams, (context) => listPrompt(config, context));
}

/** @throws WalkStopped */
export function askLine(streams: PromptStreams, config: TextConfig): Promise<TextAnswer> {
  return streams.plain ? plainText(streams, config) : ask(streams, (context) => textPrompt(config, context));
}

export interface Option<T> {
  readonly value: T;
  readonly name: string;
}

/**
 * Asks for one of `ways`; `start` is under the cursor, the first where it is left out.
 *
 * @throws WalkStopped
 */
export async function choose<T>(
  streams: PromptStreams,
  message: string,
  ways: readonly Option<T>[],
  options: { readonly start?: T; readonly back?: string; readonly finds?: 'number' } = {},
): Promise<T | typeof BACK> {
  const { start, back, finds } = options;
  const at = start === undefined ? 0 : ways.findIndex(({ value }) => value === start);
  const config = { message, rows: ways, start: Math.max(0, at), ...(finds === undefined ? {} : { finds }) };
  const chosen = await askList(streams, back === undefined ? config : { ...config, back });
  const way = chosen === BACK ? undefined : ways[chosen[0] ?? 0];
  return way === undefined ? BACK : way.value;
}

/**
 * Asks once more before a question is refused; the way back is under the cursor (C45).
 *
 * @param server the name of the server that asks, inert
 * @throws WalkStopped
 */
export async function isMeant(
  streams: PromptStreams,
  server: string,
  action: 'decline' | 'cancel',
): Promise<boolean> {
  const message =
    action === 'decline'
      ? `Tell ${server} no?`
      : `Dismiss the question? ${server} gets neither a yes nor a no.`;
  const next = await choose(
    streams,
    message,
    [
      { value: 'back', name: 'No, go back' } as const,
      { value: 'yes', name: action === 'decline' ? 'Yes, decline' : 'Yes, cancel' } as const,
    ],
    { back: 'back' },
  );
  return next === 'yes';
}
