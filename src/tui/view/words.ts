// Words that several screens share.
import type { Row } from '../../broker/types.ts';
import type { Glyphs } from '../../terminal/glyphs.ts';
import { oneLine } from '../../terminal/one-line.ts';
import { countdown } from '../../text/duration.ts';
import type { State } from '../state/types.ts';
import { type Span, span } from './span.ts';

/** From here on the time left is said in words (ux, "Countdown"). */
const SOON_MS = 30_000;

/** The wall time that the deadlines of the rows are of; milliseconds since the epoch. */
export function wallNow({ now, offset }: Pick<State, 'now' | 'offset'>): number {
  return now + offset;
}

/** `4:12 left`, and in the end `only 9 seconds left`. */
export function timeLeft(row: Row, now: number): Span {
  const left = Date.parse(row.expiresAt) - now;
  if (left <= 0) return span('time is up', 'error');
  if (left > SOON_MS) return span(`${countdown(left)} left`, 'plain');
  const seconds = Math.ceil(left / 1_000);
  return span(`only ${seconds} second${seconds === 1 ? '' : 's'} left`, 'warn');
}

/** A state as a symbol and a word, never by colour alone. */
export function stateSpan(row: Row, glyphs: Glyphs): Span {
  if (row.undelivered) return span(`${glyphs.warning} ${row.state}`, 'warn');
  switch (row.state) {
    case 'pending':
      return span(`${glyphs.pending} open`, 'focus');
    case 'accepted':
      return span(`${glyphs.done} accepted`, 'ok');
    case 'declined':
    case 'cancelled':
      return span(`${glyphs.failed} ${row.state}`, 'plain');
    case 'expired':
    case 'withdrawn':
    case 'lost':
      return span(`${glyphs.warning} ${row.state}`, 'warn');
  }
}

/** The first line with anything on it. */
export function firstLine(message: string): string {
  const found = message.split(/\r\n|[\n\r\u2028\u2029]/).find((text) => text.trim() !== '');
  return oneLine(found ?? '');
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
