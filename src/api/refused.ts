// Failures of /v1: an HTTP status, and `{"error":{"code","message","hint"}}` with the codes that commands use too.

import { rowJson } from '../broker/row-json.ts';
import type { Row } from '../broker/types.ts';
import { type ErrorCode, isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { jsonOf, withMember } from '../protocol/json-text.ts';
import type { JsonText } from '../protocol/types.ts';
import { tooLate } from '../terminal/row-words.ts';

/** A request that is refused, or that failed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly error: McpxError;
  /** The row as the winner left it, with 409. */
  readonly row: Row | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    error: McpxError,
    more: { row?: Row; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.row = more.row;
    this.headers = more.headers ?? {};
  }
}

/** The answer to someone who was not the first, with what became of the row. */
export function conflict(row: Row): Refused {
  return new Refused(
    409,
    tooLate(row, (iso) => iso),
    { row },
  );
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  failure: 500,
  bug: 500,
  limit: 429,
  store_busy: 503,
  store_readonly: 500,
  store_full: 507,
  store_damaged: 500,
  store_newer: 500,
  usage: 400,
  config: 500,
  forbidden: 403,
  unreachable: 502,
  upstream: 502,
  not_found: 404,
  already_answered: 409,
  expired: 409,
  withdrawn: 409,
  lost: 409,
  undelivered: 409,
  invalid_answer: 400,
  needs_person: 403,
  waiting: 409,
  timeout: 504,
  interrupted: 503,
};

/** What to tell about whatever was thrown. What is a fault of mcpx is logged and not described. */
export function refusedOf(thrown: unknown, log: Log): Refused {
  if (thrown instanceof Refused) return thrown;
  if (isMcpxError(thrown)) return new Refused(STATUS[thrown.code], thrown);
  const status = clientStatus(thrown);
  if (status !== undefined) return new Refused(status, new McpxError('usage', messageOf(thrown)));
  log.error({ error: messageOf(thrown) }, 'a request to /v1 failed inside mcpx');
  return new Refused(500, new McpxError('bug', 'Something went wrong inside mcpx.', 'See its log.'));
}

/** The body of a refusal. */
export function refusedText({ error, row }: Refused): JsonText {
  const { code, message, hint, problems } = error;
  const text = jsonOf({ error: { code, message, hint, errors: problems } });
  return row === undefined ? text : withMember(text, 'row', rowJson(row));
}

/** The 4xx status that fastify gives its own errors. */
function clientStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return undefined;
  const { statusCode } = thrown;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
