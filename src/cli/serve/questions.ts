// What `mcpx serve` shows of questions on its own terminal: a line for each, with `--prompt` the question itself, and at
// Ctrl+C how many would be lost.
import { Drafts } from '../../broker/drafts.ts';
import type { Broker, Row } from '../../broker/types.ts';
import { stateDir } from '../../config/paths.ts';
import { isMcpxError, McpxError, messageOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { truncate, width } from '../../text/columns.ts';
import { askAll } from '../elicit/ask-all.ts';
import { isForPeople } from '../elicit/broker.ts';
import { shellWord } from '../elicit/how-to.ts';
import { firstLine } from '../elicit/list.ts';
import type { MayEnd } from '../interrupt.ts';
import type { Io } from '../io.ts';

/** Less of a message than this says nothing; the line is then longer than the terminal is wide. */
const LEAST = 20;

/** @throws McpxError `usage` or `needs_person` where `--prompt` cannot work, before anything is started */
export function checkPrompt(io: Io, options: { readonly prompt?: true; readonly stdio?: true }): void {
  if (options.prompt !== true) return;
  if (options.stdio === true)
    throw new McpxError(
      'usage',
      '--prompt cannot be used with --stdio, whose pipes belong to the host.',
      'Answer in another terminal: mcpx tui',
    );
  if (!io.canAsk)
    throw new McpxError(
      'needs_person',
      '"mcpx serve --prompt" asks on the terminal, and there is none.',
      'Leave --prompt out, and answer with: mcpx elicit list, mcpx elicit accept',
    );
}

/** Tells of each question that opens from now on, until `signal` aborts; nothing where stderr is no terminal. */
export async function tellQuestions(io: Io, broker: Broker, log: Log, signal: AbortSignal): Promise<void> {
  if (!io.terminal.stderr) return;
  try {
    for await (const { event, row } of broker.changes({ signal }))
      if (event === 'opened' && isForPeople(row)) await io.note(questionLine(io, row));
  } catch (error) {
    if (!signal.aborted) log.warn({ error: messageOf(error) }, 'new questions are no longer shown');
  }
}

/**
 * Asks each question right there; what would go to stdout goes to stderr, where the prompts are. Ctrl+C in a prompt is
 * no signal: it, too, ends the gateway only if `mayEnd` says so, and the questions are asked again otherwise.
 */
export async function promptForAll(io: Io, broker: Broker, mayEnd: MayEnd | undefined): Promise<void> {
  const printLine = async (text: string): Promise<void> => io.stderr.write(`${text}\n`);
  const asking = { ...io, globals: { ...io.globals, json: false, quiet: false }, printLine };
  const drafts = new Drafts(stateDir(io.globals.stateDir, io));
  for (;;) {
    try {
      return await askAll(asking, broker, drafts);
    } catch (error) {
      const isCtrlC = isMcpxError(error) && error.code === 'interrupted' && !hasEnded(io);
      if (!isCtrlC || mayEnd === undefined || (await mayEnd())) throw error;
    }
  }
}

/** Whether nobody can press a key any more, or mcpx was told to end. */
function hasEnded({ signal, stdin }: Io): boolean {
  return signal.aborted || stdin.readableEnded || stdin.destroyed;
}

/** Only what a person has to know while questions are asked on the same terminal. */
export function warningsOf(log: Log): Log {
  return { ...log, debug() {}, info() {} };
}

function questionLine(io: Io, row: Row): string {
  const place = io.globals.stateDir === undefined ? '' : ` --state-dir ${shellWord(io.globals.stateDir)}`;
  const command = `mcpx elicit answer ${row.id}${place}`;
  const start = `${io.glyphs.pending} ${oneLine(row.server)} asks: `;
  const room = (io.terminal.columns ?? 80) - width(start) - width(command) - 3;
  const message = truncate(firstLine(row.message), Math.max(LEAST, room), io.glyphs.ellipsis);
  return `${io.errorStyle.cyan(start)}${message}  ${io.errorStyle.bold(command)}`;
}

/** Milliseconds in which a second Ctrl+C is taken as the answer to what the first one said. */
const MEANT = 60_000;

/** Whether a person sits at this gateway: a host's own Ctrl+C must end a gateway on its pipes at once. */
export function hasPerson(io: Io, options: { readonly stdio?: true }): boolean {
  return io.terminal.stderr && (options.stdio !== true || io.terminal.stdin);
}

/** Lets Ctrl+C end the gateway where no question would be lost, and else the second time. */
export function lastWord(io: Io, broker: Pick<Broker, 'countHeld'>): MayEnd {
  let isTold = false;
  return async () => {
    if (isTold) return true;
    const open = await broker.countHeld();
    if (open === 0) return true;
    isTold = true;
    const timer = io.clock.after(MEANT, () => {
      isTold = false;
    });
    io.signal.addEventListener('abort', () => timer.cancel(), { once: true });
    const [are, they] = open === 1 ? ['1 question is', 'it'] : [`${open} questions are`, 'they'];
    await io.stderr.write(
      `${io.errorStyle.yellow(`${are} still open, and ${they} will be lost when mcpx ends. Press Ctrl+C again to end it.`)}\n` +
        `To answer first, use another terminal: mcpx elicit list, mcpx tui\n`,
    );
    return false;
  };
}
