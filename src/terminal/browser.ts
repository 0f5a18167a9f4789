// Opens a URL in the person's browser: by argument list, never through a shell, and only what a browser is for (C25).
import type { ChildProcess } from 'node:child_process';
import open from 'open';
import { McpxError, messageOf } from '../errors.ts';
import { verdictOf } from '../url/verdict.ts';

/** A launcher fails at once or not at all; one that still runs after this long has handed the URL over (C33). */
const WATCHED_MS = 1_500;

/** Starts the launcher of the platform and gives its process; tests put their own in its place. */
export type Launch = (url: string) => Promise<ChildProcess>;

/**
 * Opens `url`, which a person has consented to. Rejects with McpxError `forbidden` for anything but http and https, and
 * `failure` with the reason when no browser could be started.
 */
export async function openInBrowser(url: string, launch: Launch = (target) => open(target)): Promise<void> {
  const verdict = verdictOf(url);
  if (!verdict.valid || !verdict.openable)
    throw new McpxError('forbidden', 'Only http and https URLs are opened.');
  let problem: string | undefined;
  try {
    problem = await launchProblem(await launch(verdict.href));
  } catch (error) {
    problem = messageOf(error);
  }
  if (problem !== undefined) throw new McpxError('failure', `The browser could not be opened: ${problem}.`);
}

function launchProblem(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A timer that keeps the process: the launcher itself does not.
    const enough = setTimeout(() => resolve(undefined), WATCHED_MS);
    const ended = (code: number | null): void => {
      clearTimeout(enough);
      resolve(code === 0 || code === null ? undefined : `its launcher ended with code ${code}`);
    };
    if (child.exitCode !== null) ended(child.exitCode);
    else child.once('exit', ended);
    child.once('error', (error) => {
      clearTimeout(enough);
      resolve(error.message);
    });
  });
}
