// `mcpx elicit accept` on a url question: the whole URL is shown, a person consents, and only then is it sent or opened.
import { refuseUnopenable } from '../../broker/may-answer.ts';
import type { BrokerClient, Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { inert } from '../../text/inert.ts';
import type { Io } from '../io.ts';
import { questionLines } from './question-lines.ts';
import { settle } from './settle.ts';
import { whileOpen } from './while-open.ts';

export interface ConsentOptions {
  readonly yes?: boolean;
  readonly open?: boolean;
  readonly dryRun?: boolean;
}

/**
 * @throws McpxError `forbidden` for a URL that cannot be opened, `needs_person` where nobody consents, `failure` when the
 * browser could not be started (the consent has been sent then)
 */
export async function acceptUrl(
  io: Io,
  broker: BrokerClient,
  row: Row,
  options: ConsentOptions,
): Promise<void> {
  const url = row.url ?? '';
  refuseUnopenable(row);
  const settled = options.yes || options.dryRun;
  if (!settled && !io.canAsk) throw nobody(io, row, url);
  await io.stderr.write(`${questionLines(io, row, undefined, io.errorStyle).join('\n')}\n\n`);
  if (options.dryRun) {
    await io.printJson('{"action":"accept"}');
    return io.note(
      `This is what ${oneLine(row.server)} would get. Nothing was sent, and nothing was opened.`,
    );
  }
  if (!options.yes) {
    const { typedConsent } = await import('../../prompt/consent.ts');
    if (!(await whileOpen(io, broker, row, typedConsent)))
      return io.note(`Nothing was sent; ${row.id} stays open.`);
  }
  const note = `When you have finished there: mcpx elicit done ${row.id}`;
  await sendConsent(io, broker, row, { open: options.open === true, note });
}

/** Sends the consent, and then has the browser started if that was asked for; `note` is said once it has counted. */
export async function sendConsent(
  io: Io,
  broker: BrokerClient,
  row: Row,
  { open, note }: { readonly open: boolean; readonly note?: string },
): Promise<void> {
  let opened: Promise<void> | undefined;
  await settle(io, broker, row, { action: 'accept' }, () => {
    if (open) opened = openUrl(row);
    // Looked at once the answer has been reported.
    opened?.catch(() => undefined);
    return note === undefined ? Promise.resolve() : io.note(note);
  });
  await opened;
}

/** @throws McpxError `failure` with the URL to copy in its hint */
export async function openUrl(row: Row): Promise<void> {
  const { openInBrowser } = await import('../../terminal/browser.ts');
  const url = row.url ?? '';
  try {
    await openInBrowser(url);
  } catch (error) {
    if (!(error instanceof McpxError)) throw error;
    throw new McpxError(error.code, error.message, `Open it yourself: ${inert(url)}`, { cause: error });
  }
}

function nobody(io: Io, row: Row, url: string): McpxError {
  const why = io.globals.noInput
    ? '--no-input (or MCPX_NO_INPUT) forbids asking for it'
    : 'there is no terminal to ask on';
  return new McpxError(
    'needs_person',
    `${oneLine(row.server)} asks to open ${inert(url)}, which needs consent, and ${why}; nothing was sent.`,
    `Once you have looked at the URL: mcpx elicit accept ${row.id} --yes`,
  );
}
