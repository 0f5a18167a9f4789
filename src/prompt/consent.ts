// Consent to open a URL, and what comes after it, with line prompts. The caller has shown the whole URL and its verdict.
import { askLine, choose, isMeant, OTHER_WAYS } from './choose.ts';
import { BACK, type PromptStreams } from './streams.ts';

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
  const [decline, cancel, leave] = OTHER_WAYS;
  const message = openable ? 'Do you want to go there?' : 'It cannot be opened. What now?';
  const ways = openable
    ? [
        leave,
        { value: 'open', name: `Yes: tell ${server} and open it in the browser` } as const,
        { value: 'accept', name: `Yes: tell ${server}; I open it myself` } as const,
        decline,
        cancel,
      ]
    : [leave, decline, cancel];
  for (;;) {
    const next = await choose<Consent>(streams, message, ways);
    if (next === BACK) continue;
    if ((next !== 'decline' && next !== 'cancel') || (await isMeant(streams, server, next))) return next;
  }
}

/**
 * Takes consent typed as the word "yes"; anything else is none.
 *
 * @throws WalkStopped
 */
export async function typedConsent(streams: PromptStreams): Promise<boolean> {
  const message = 'Type yes to consent to opening it (anything else sends nothing):';
  const { text } = await askLine(streams, { message, initial: '', secret: false, validate: () => true });
  return text.trim().toLowerCase() === 'yes';
}

/**
 * Asks how it went at the URL.
 *
 * @throws WalkStopped, `gone` when the server says that it is done
 */
export async function askFinished(streams: PromptStreams): Promise<'done' | 'open' | 'leave'> {
  const ways = [
    { value: 'done', name: 'I have finished: the server can go on' } as const,
    { value: 'open', name: 'Open it in the browser again' } as const,
    { value: 'leave', name: 'Stop waiting here' } as const,
  ];
  const next = await choose<'done' | 'open' | 'leave'>(streams, 'When you have finished there:', ways);
  return next === BACK ? 'leave' : next;
}
