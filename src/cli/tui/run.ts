// Chooses how to ask on this terminal: the inbox, or line prompts, or nothing but a hint.
import { McpxError } from '../../errors.ts';
import { makeStyle, wantsColor } from '../../terminal/color.ts';
import { canDraw, isSet } from '../../terminal/facts.ts';
import { SMALLEST } from '../../tui/view/frame.ts';
import { withBroker } from '../elicit/broker.ts';
import { draftsOf, openDrafts } from '../elicit/kept-entry.ts';
import type { Io } from '../io.ts';

export interface TuiFlags {
  readonly accessible?: true;
  readonly noBell?: true;
}

/**
 * @throws McpxError `needs_person` (exit 9) where nobody can be asked, before anything of the UI is loaded (C29);
 * `interrupted` when the person leaves with Ctrl+C
 */
export async function tui(io: Io, flags: TuiFlags): Promise<void> {
  const isAccessible = flags.accessible === true;
  if (io.globals.noInput || !(isAccessible ? io.canAsk : canDraw(io.terminal))) throw nobody(io);
  const plain = isAccessible || io.plain;
  await withBroker(io, async (broker, where) => {
    if (plain || isSmall(io)) {
      const { askAll } = await import('../elicit/ask-all.ts');
      const asking = plain ? { ...io, plain, style: PLAIN, errorStyle: PLAIN } : io;
      return askAll(asking, broker, await openDrafts(io, broker));
    }
    const { startTui } = await import('../../tui/run.ts');
    const { brokerSource } = await import('../../tui/row-source.ts');
    const { openInBrowser } = await import('../../terminal/browser.ts');
    const { openChecks } = await import('../../checks/open.ts');
    const checks = openChecks();
    const { done } = await startTui({
      source: brokerSource(broker, where),
      drafts: draftsOf(io),
      checks,
      stdin: io.stdin as NodeJS.ReadStream,
      stdout: io.rawStdout as NodeJS.WriteStream,
      env: io.env,
      glyphs: io.glyphs,
      color: wantsColor({ flag: io.globals.color, env: io.env, isTTY: true }),
      bell: flags.noBell !== true && !isSet(io.env['MCPX_NO_BELL']),
      openUrl: (url) => openInBrowser(url),
      signal: io.signal,
    });
    const { interrupted } = await done.finally(() => checks.close());
    if (interrupted) throw new McpxError('interrupted', 'Interrupted; nothing was sent.');
  });
}

/** Lines that are read aloud carry no styles. */
const PLAIN = makeStyle(false);

function isSmall({ terminal }: Io): boolean {
  return (terminal.columns ?? 0) < SMALLEST.columns || (terminal.rows ?? 0) < SMALLEST.rows;
}

function nobody(io: Io): McpxError {
  const why = io.globals.noInput
    ? '--no-input (or MCPX_NO_INPUT) forbids it'
    : io.terminal.dumb
      ? 'TERM=dumb cannot show it'
      : 'there is no terminal here';
  return new McpxError(
    'needs_person',
    `"mcpx tui" asks a person on a terminal, and ${why}; nothing was answered.`,
    'Use: mcpx elicit list, then mcpx elicit accept <id> -F name=value (or decline, or cancel)',
  );
}
