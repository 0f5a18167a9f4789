// Whether an answer may be given to a row at all: who gives it, what it accepts, and how long it is.
import { McpxError } from '../errors.ts';
import type { Action, JsonText } from '../protocol/types.ts';
import { inert } from '../text/inert.ts';
import { verdictOf } from '../url/verdict.ts';
import type { AskedRow } from './store.ts';
import type { AnsweredBy, Row } from './types.ts';

interface Given {
  readonly action: Action;
  readonly content?: JsonText | undefined;
  readonly by: AnsweredBy;
}

/**
 * McpxError `forbidden` where this answer must not be given: to a row that only the host may answer, consent to what is no
 * http or https URL (C25), a secret that nobody could be handed. McpxError `limit` for one that is too long.
 */
export function checkMayAnswer({ row, answerBytes, answerKey }: AskedRow, given: Given): void {
  if (row.audience === 'host' && !isInternal(given.by)) throw hostOnly(row);
  if (given.action !== 'accept') return;
  refuseUnopenable(row);
  if (row.sensitive && answerKey === undefined && given.by !== 'host') throw noOwner(row);
  const bytes = given.content === undefined ? 0 : Buffer.byteLength(given.content);
  if (answerBytes !== undefined && bytes > answerBytes) {
    throw new McpxError(
      'limit',
      `The answer has ${bytes} bytes, and the limit is ${answerBytes}.`,
      'Shorten it, or raise limits.answerBytes in mcpx.json and ask again.',
    );
  }
}

/** The host itself, and what stands in for nobody: a rule, an expiry, a shut-down. */
function isInternal(by: AnsweredBy): boolean {
  return by === 'host' || by === 'mcpx' || by.startsWith('rule:');
}

/** McpxError `forbidden`: nobody but the host may answer this row. */
export function hostOnly(row: Row): McpxError {
  return new McpxError(
    'forbidden',
    `${row.id} can only be answered in the host, which shows it.`,
    'Answer it there. The audience "host" is set by elicit.audience or by a rule in mcpx.json.',
  );
}

/** What cannot be opened cannot be consented to; decline and cancel stay (docs/relay.md, "Three answers"). */
export function refuseUnopenable(row: Row): void {
  if (row.url === undefined) return;
  const verdict = verdictOf(row.url);
  if (verdict.valid && verdict.openable) return;
  const why = verdict.valid ? `${verdict.scheme} is neither http nor https` : verdict.reason;
  throw new McpxError(
    'forbidden',
    `${row.id} cannot be accepted: its URL cannot be opened, as ${inert(why, { oneLine: true })}.`,
    refusing(row),
  );
}

function noOwner(row: Row): McpxError {
  return new McpxError(
    'forbidden',
    `${row.id} asks for a secret, and there is no gateway that the answer could be sealed for.`,
    row.host?.inline === true
      ? `It can be accepted in the host that asks. ${refusing(row)}`
      : `The host that called cannot show it, so nobody can accept it. ${refusing(row)}`,
  );
}

function refusing({ id }: Row): string {
  return `Refuse it with "mcpx elicit decline ${id}", or dismiss it with "mcpx elicit cancel ${id}".`;
}
