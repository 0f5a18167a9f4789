// Errors that a person can do something about, and the one table that turns them into exit codes.

/** Every failure mcpx reports has one of these codes; they are stable and stand in `--json` errors and in `/v1`. */
export type ErrorCode =
  | 'failure'
  | 'bug'
  | 'limit'
  | 'store_busy'
  | 'store_readonly'
  | 'store_full'
  | 'store_damaged'
  | 'store_newer'
  | 'usage'
  | 'config'
  | 'forbidden'
  | 'unreachable'
  | 'upstream'
  | 'not_found'
  | 'already_answered'
  | 'expired'
  | 'withdrawn'
  | 'lost'
  | 'undelivered'
  | 'invalid_answer'
  | 'needs_person'
  | 'waiting'
  | 'timeout'
  | 'interrupted';

/** Exit codes by error code (docs/terminal.md, "Commands"). 0 is success. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  failure: 1,
  bug: 1,
  limit: 1,
  store_busy: 1,
  store_readonly: 1,
  store_full: 1,
  store_damaged: 1,
  store_newer: 1,
  usage: 2,
  config: 2,
  forbidden: 3,
  unreachable: 4,
  upstream: 5,
  not_found: 6,
  already_answered: 7,
  expired: 7,
  withdrawn: 7,
  lost: 7,
  undelivered: 7,
  invalid_answer: 8,
  needs_person: 9,
  waiting: 75,
  timeout: 124,
  interrupted: 130,
};

/** One thing that is wrong with an answer: `path` is a JSON pointer into the content, `''` for the whole. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

/** A failure with a stable code, a sentence for a person, and a hint that says what to do next. */
export class McpxError extends Error {
  override readonly name = 'McpxError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** Set with `invalid_answer`: what is wrong, field by field. */
  readonly problems: readonly FieldProblem[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    hint?: string,
    options: { cause?: unknown; problems?: readonly FieldProblem[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = hint;
    this.problems = options.problems;
  }
}

/** True for a McpxError, also one made by another copy of this module. */
export function isMcpxError(value: unknown): value is McpxError {
  return value instanceof Error && value.name === 'McpxError' && 'code' in value;
}

/** The message of whatever was thrown, without a stack. */
export function messageOf(value: unknown): string {
  return value instanceof Error ? value.message : String(value);
}

/** The message of a failure and, in parentheses, what to do about it: for a peer that takes one text. */
export function sentenceOf({ message, hint }: Pick<McpxError, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

const SYSTEM: ReadonlyMap<string, readonly [message: string, hint: string]> = new Map([
  [
    'EMFILE',
    ['mcpx cannot open another file: it has too many open.', 'Raise the limit of open files: ulimit -n 4096'],
  ],
  [
    'ENFILE',
    ['mcpx cannot open another file: the system has too many open.', 'End programs that hold files open.'],
  ],
  ['ENAMETOOLONG', ['A path is longer than the system allows.', 'Use a shorter path.']],
  ['ENOSPC', ['The disk is full.', 'Free some space and try again.']],
  ['ENOMEM', ['The system has no memory left.', 'End other programs and try again.']],
]);

/** A failure of the system that is no bug of mcpx, with what the system said of it; undefined for anything else. */
export function systemError(thrown: unknown): McpxError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const [message, hint] = SYSTEM.get(code) ?? [];
  if (message === undefined) return undefined;
  return new McpxError('failure', `${message} (${messageOf(thrown).slice(0, 200)})`, hint, { cause: thrown });
}
