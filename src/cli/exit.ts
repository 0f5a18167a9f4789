// The one place that turns what a command threw into words on stderr and an exit code.
import { EXIT_CODES, isMcpxError, McpxError, messageOf, systemError } from '../errors.ts';
import type { Style } from '../terminal/color.ts';
import { inert } from '../text/inert.ts';

/** Thrown by a command that has said everything itself: ends with this code and prints nothing. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A person's own cancel: Ctrl+C in a prompt. */
const CANCELS = new Set(['ExitPromptError', 'CancelPromptError']);
/** What waits ends with these when a signal comes; at any other time they are like any other error. */
const STOPPED = new Set(['AbortPromptError', 'AbortError']);

export interface Report {
  readonly exitCode: number;
  /** What goes to stderr, newline included; `''` for nothing. */
  readonly text: string;
}

/**
 * Describes a failure (docs/terminal.md, "Commands"): a sentence and a hint, or with `--json` one line
 * `{"error":{"code","message","hint"}}`.
 *
 * @param how.interrupted the exit code of the signal that came (130, 143, 129), or of a closed pipe (0).
 */
export function report(
  thrown: unknown,
  how: { readonly json: boolean; readonly style: Style; readonly interrupted: number | undefined },
): Report {
  if (thrown instanceof Exit) return { exitCode: thrown.exitCode, text: '' };
  if (isCancel(thrown, how.interrupted !== undefined)) {
    return { exitCode: how.interrupted ?? EXIT_CODES.interrupted, text: '' };
  }
  const error = isMcpxError(thrown) ? thrown : (systemError(thrown) ?? asBug(thrown));
  const exitCode = EXIT_CODES[error.code];
  return { exitCode, text: how.json ? jsonText(error) : plainText(error, how.style) };
}

function isCancel(thrown: unknown, isStopping: boolean): boolean {
  if (!(thrown instanceof Error)) return false;
  if (isMcpxError(thrown)) return thrown.code === 'interrupted';
  return CANCELS.has(thrown.name) || (isStopping && STOPPED.has(thrown.name));
}

function jsonText(error: McpxError): string {
  const { code, message, hint, problems } = error;
  const stack = code === 'bug' ? stackOf(error) : undefined;
  return `${JSON.stringify({ error: { code, message, hint, errors: problems, stack } })}\n`;
}

function plainText(error: McpxError, style: Style): string {
  const lines = [`${style.red('mcpx:')} ${inert(error.message)}`];
  for (const { path, message } of error.problems ?? []) {
    const name = path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
    lines.push(`  ${inert(name === '' ? message : `${name}: ${message}`)}`);
  }
  if (error.code === 'bug') lines.push(style.dim(inert(stackOf(error) ?? '')));
  if (error.hint !== undefined) lines.push(`${style.cyan('hint:')} ${inert(error.hint)}`);
  return `${lines.join('\n')}\n`;
}

function asBug(thrown: unknown): McpxError {
  return new McpxError(
    'bug',
    `This is a bug in mcpx: ${messageOf(thrown)}`,
    'Report it with the command you typed and the lines above.',
    { cause: thrown },
  );
}

function stackOf(error: McpxError): string | undefined {
  return error.cause instanceof Error ? error.cause.stack : error.stack;
}
