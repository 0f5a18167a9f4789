// Asks a person about a question for as long as it is open: the prompt goes away the moment somebody else settles it.
import type { BrokerClient, Row } from '../../broker/types.ts';
import { McpxError } from '../../errors.ts';
import type { PromptStreams } from '../../prompt/streams.ts';
import { wantsColor } from '../../terminal/color.ts';
import { tooLate } from '../../terminal/row-words.ts';
import type { Io } from '../io.ts';

/**
 * Runs `ask` on the terminal, and counts as somebody who watches meanwhile.
 *
 * @throws McpxError `interrupted` on Ctrl+C and end of input, exit 7's codes when the question goes away meanwhile
 */
export async function whileOpen<T>(
  io: Io,
  broker: BrokerClient,
  row: Row,
  ask: (streams: PromptStreams) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const stop = new AbortController();
  let closed: Row | undefined;
  const ended = AbortSignal.any([stop.signal, io.signal]);
  broker.watching('prompt', ended);
  const watch = broker.settled(row.id, ended).then(
    (settled) => {
      closed = settled;
      gone.abort();
    },
    () => undefined,
  );
  try {
    return await onTerminal(io, AbortSignal.any([gone.signal, io.signal]), ask);
  } catch (error) {
    if (closed !== undefined) throw tooLate(closed);
    throw error;
  } finally {
    stop.abort();
    await watch;
  }
}

/**
 * Runs `ask` on the terminal until `signal` aborts.
 *
 * @throws McpxError `interrupted` when it ends without an answer
 */
export async function onTerminal<T>(
  io: Io,
  signal: AbortSignal,
  ask: (streams: PromptStreams) => Promise<T>,
): Promise<T> {
  const { WalkStopped } = await import('../../prompt/streams.ts');
  const { Keyboard } = await import('../../prompt/keyboard.ts');
  const keyboard = new Keyboard(io.stdin, io.clock);
  try {
    return await ask({
      keyboard,
      output: io.rawStderr,
      signal,
      clock: io.clock,
      color: wantsColor({ flag: io.globals.color, env: io.env, isTTY: io.terminal.stderr }),
      plain: io.plain,
    });
  } catch (error) {
    if (error instanceof WalkStopped) throw new McpxError('interrupted', 'Interrupted; nothing was sent.');
    throw error;
  } finally {
    keyboard.close();
  }
}
