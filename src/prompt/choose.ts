// One choice out of a list of ways to go on, and the ways that every question has.
import { select } from '@inquirer/prompts';
import { ask } from './ask.ts';
import type { PromptStreams } from './streams.ts';

/** Lines of a list that are shown at once; the rest scrolls. */
const PAGE = 10;

/** How long what can send something ignores keys after it was drawn, so that none typed for something else does (C31). */
export const DEAF_MS = 300;

/** What can be done with any question beside accepting it. */
export const OTHER_WAYS = [
  { value: 'decline', name: 'Decline: tell the server no' },
  { value: 'cancel', name: 'Cancel: dismiss the question without a yes or no' },
  { value: 'leave', name: 'Leave it: send nothing, the question stays open' },
] as const;

/**
 * Asks for one of `choices`; the first is under the cursor.
 *
 * @throws WalkStopped
 */
export function choose<T>(
  streams: PromptStreams,
  message: string,
  choices: readonly { readonly value: T; readonly name: string }[],
): Promise<T> {
  // With the search that is the default, any key that means nothing jumps to the first choice: the one that sends.
  const theme = { keybindings: ['vim'] as const };
  return ask(streams, (context) =>
    select<T>({ message, choices, loop: false, pageSize: PAGE, theme }, context),
  );
}
