// Consent to open a URL, and what comes after it, with line prompts. The caller has shown the whole URL and its verdict.
import { input } from '@inquirer/prompts';
import { ask } from './ask.ts';
import { choose, DEAF_MS, OTHER_WAYS } from './choose.ts';
import { deafFor } from './deaf.ts';
import type { PromptStreams } from './streams.ts';

/** `open` consents and has the browser started; `accept` consents, and the person opens the URL on their own. */
export type Consent = 'open' | 'accept' | 'decline' | 'cancel' | 'leave';

/**
 * Asks what to do about a URL. What consents is never under the cursor at first, so that Enter alone sends nothing.
 *
 * @param server the name of the server that asks, inert
 * @param openable false leaves only the ways that do not consent
 * @throws WalkStopped
 */
export async function askConsent(
  server: string,
  openable: boolean,
  streams: PromptStreams,
): Promise<Consent> {
  await deafFor(streams, DEAF_MS);
  const [decline, cancel, leave] = OTHER_WAYS;
  if (!openable) return choose<Consent>(streams, 'It cannot be opened. What now?', [leave, decline, cancel]);
  return choose<Consent>(streams, 'Do you want to go there?', [
    leave,
    { value: 'open', name: `Yes: tell ${server} and open it in the browser` },
    { value: 'accept', name: `Yes: tell ${server}; I open it myself` },
    decline,
    cancel,
  ]);
}

/**
 * Takes consent typed as the word "yes"; anything else is none.
 *
 * @throws WalkStopped
 */
export async function typedConsent(streams: PromptStreams): Promise<boolean> {
  await deafFor(streams, DEAF_MS);
  const message = 'Type yes to consent to opening it (anything else sends nothing):';
  const typed = await ask(streams, (context) => input({ message }, context));
  return typed.trim().toLowerCase() === 'yes';
}

/**
 * Asks how it went at the URL.
 *
 * @throws WalkStopped, `gone` when the server says that it is done
 */
export function askFinished(streams: PromptStreams): Promise<'done' | 'open' | 'leave'> {
  return choose(streams, 'When you have finished there:', [
    { value: 'done', name: 'I have finished: the server can go on' } as const,
    { value: 'open', name: 'Open it in the browser again' } as const,
    { value: 'leave', name: 'Stop waiting here' } as const,
  ]);
}
