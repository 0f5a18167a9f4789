// How a row is said to a person: who asks, who answered, how it ended. Shared by the commands and the prompts.
import type { AnsweredBy, Row } from '../broker/types.ts';
import { type ErrorCode, McpxError } from '../errors.ts';
import { shortTime } from '../text/duration.ts';
import { oneLine } from './one-line.ts';

/** A label and what stands behind it; everything from outside is inert already. */
export type Fact = readonly [label: string, text: string];

/** Who asks, for what, and where the answer will go; shown before anything can be answered. */
export function whoAsks(row: Row): Fact[] {
  const facts: Fact[] = [['Server', oneLine(row.server)]];
  if (row.tool !== undefined) facts.push([callWord(row.method), oneLine(row.tool)]);
  if (row.host !== undefined) {
    const also =
      row.audience === 'host'
        ? '; it shows the question, and nobody else may answer'
        : row.host.inline
          ? '; it shows the question too, and the first answer wins'
          : '';
    facts.push(['Host', `${oneLine(row.host.name)} (MCP ${row.host.revision})${also}`]);
  }
  if (row.state === 'pending') facts.push(['Answer to', `${oneLine(row.server)}, which waits for it`]);
  return facts;
}

function callWord(method: string | undefined): string {
  if (method === 'prompts/get') return 'Prompt';
  if (method === 'resources/read') return 'Resource';
  return 'Tool';
}

/** Who answered, as the end of a sentence: `from the command line`. */
export function byWords(by: AnsweredBy, row: Row): string {
  if (by.startsWith('rule:')) return `by the rule ${oneLine(by.slice('rule:'.length))}`;
  switch (by) {
    case 'host':
      return row.host === undefined ? 'by the host' : `by the host ${oneLine(row.host.name)}`;
    case 'cli':
      return 'from the command line';
    case 'tui':
      return 'in the terminal UI';
    case 'rest':
      return 'over HTTP';
    case 'script':
      return 'by the script that made the call';
    case 'agent':
      return 'by the model';
    default:
      return 'by mcpx';
  }
}

/** How the times of a row are said: short and local for people, as they stand in the row for programs. */
export type TimeWords = (iso: string) => string;

/**
 * What became of a row in one sentence without its id: `accepted from the command line at 18:01`. Without `time` the
 * day stands beside the hour, as nobody said what day it is.
 */
export function stateWords(row: Row, time: TimeWords = (iso) => shortTime(iso)): string {
  const because = row.reason === undefined ? '' : `: ${oneLine(row.reason)}`;
  const at = row.answer === undefined ? '' : ` at ${time(row.answer.at)}`;
  switch (row.state) {
    case 'pending':
      return 'waiting for an answer';
    case 'accepted':
    case 'declined':
    case 'cancelled':
      return `${row.state}${row.answer === undefined ? '' : ` ${byWords(row.answer.by, row)}${at}`}${row.undelivered ? `, but not delivered${because}` : ''}`;
    case 'expired':
      return `expired at ${time(row.answer?.at ?? row.expiresAt)}: nobody answered in time, and ${oneLine(row.server)} got a cancel`;
    case 'withdrawn':
      return `withdrawn${at}${because || ': the question was taken back'}`;
    case 'lost':
      return `lost${at}${because || ': the gateway or server that held the call is gone'}; an answer would reach nobody`;
  }
}

/** When the server of an answered row that has not been told yet hears of the answer. */
export function whenTold(row: Row): string {
  const server = oneLine(row.server);
  if (row.undelivered)
    return `nothing says that ${server} has it${row.reason === undefined ? '' : `: ${oneLine(row.reason)}`}`;
  // A call that was refused for want of the URL is sent again once it is finished there, and not before. A URL without
  // an id to be completed by is of a round that the host brings back.
  const waits = !isStateless(row) || row.elicitationId !== undefined;
  if (row.state === 'accepted' && row.mode === 'url' && row.completedAt === undefined && waits)
    return `${server} is told once you have finished there`;
  if (isStateless(row)) return `it goes to ${server} with the host's next try`;
  return `${server} has not taken it yet`;
}

/** Whether the question came by a host that keeps no session, and takes answers along when it tries again. */
export function isStateless(row: Row): boolean {
  return row.host?.revision === '2026-07-28';
}

/** The failure of an answer whose gateway was gone before it passed the answer on (exit 7, C52). */
export function notTaken(row: Row): McpxError {
  return new McpxError(
    'undelivered',
    `${row.id} is ${row.state}, but ${whenTold(row)}.`,
    'Nobody passes it on any more. Make the call again to be asked anew.',
  );
}

/** The failure of an answer that came too late: who, how and when (exit 7). */
export function tooLate(row: Row, time?: TimeWords): McpxError {
  return new McpxError(
    tooLateCode(row),
    `${row.id} is no longer open: ${stateWords(row, time)}.`,
    `Nothing was sent. Look at it with: mcpx elicit show ${row.id}`,
  );
}

function tooLateCode(row: Row): ErrorCode {
  if (row.state === 'expired' || row.state === 'withdrawn' || row.state === 'lost') return row.state;
  return 'already_answered';
}
