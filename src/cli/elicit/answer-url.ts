// `mcpx elicit answer` on a url question: the URL and its verdict, consent, the browser, and "I have finished".
import type { BrokerClient, Row } from '../../broker/types.ts';
import { isMcpxError } from '../../errors.ts';
import { askConsent, askFinished } from '../../prompt/consent.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { verdictOf } from '../../url/verdict.ts';
import type { Io } from '../io.ts';
import { openUrl, sendConsent } from './accept-url.ts';
import { settle } from './settle.ts';
import { onTerminal, whileOpen } from './while-open.ts';

/** False when the person left it open and nothing was sent. */
export async function answerUrl(io: Io, broker: BrokerClient, row: Row): Promise<boolean> {
  const verdict = verdictOf(row.url ?? '');
  const openable = verdict.valid && verdict.openable;
  const consent = await whileOpen(io, broker, row, (streams) =>
    askConsent(oneLine(row.server), openable, streams),
  );
  if (consent === 'leave') return false;
  if (consent === 'decline' || consent === 'cancel') {
    await settle(io, broker, row, { action: consent });
    return true;
  }
  await reporting(io, () => sendConsent(io, broker, row, { open: consent === 'open' }));
  await finish(io, broker, row);
  return true;
}

/** Stays until the person has finished, the server says so, or the person leaves. */
async function finish(io: Io, broker: BrokerClient, row: Row): Promise<void> {
  const done = new AbortController();
  const ended = AbortSignal.any([done.signal, io.signal]);
  let completed = false;
  const watch = broker.awaitCompletion(row.id, LONGEST, ended).then(
    (now) => {
      completed = now.completedAt !== undefined;
      done.abort();
    },
    () => undefined,
  );
  try {
    for (;;) {
      const next = await onTerminal(io, ended, askFinished);
      if (next === 'open') await reporting(io, () => openUrl(row));
      if (next === 'done') await broker.completed(row.id);
      if (next !== 'open') return;
    }
  } catch (error) {
    // Whatever ends the wait, the consent has been sent.
    if (!isMcpxError(error) || error.code !== 'interrupted') throw error;
    if (completed) await io.note(`\n${oneLine(row.server)} says that it is finished.`);
  } finally {
    done.abort();
    await watch;
  }
}

/** A browser that does not start is said, and the URL stays to be copied; the consent stands (C33). */
async function reporting(io: Io, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isMcpxError(error) || error.code !== 'failure') throw error;
    await io.stderr.write(`${error.message}\n${error.hint ?? ''}\n`);
  }
}

const LONGEST = 3_600_000;
