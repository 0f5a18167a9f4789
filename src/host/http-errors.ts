// Failures of the HTTP front in the one shape hosts read: a JSON-RPC error without an id, never a stack.
import type { Socket } from 'node:net';
import { isMcpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { errorReply, RPC, replyText } from '../protocol/message.ts';
import { Refusal } from './http-answers.ts';

/** What to tell the host about whatever was thrown. What is not its fault is logged and not described. */
export function refusalOf(error: unknown, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (isMcpxError(error)) {
    const status = error.code === 'forbidden' ? 403 : error.code === 'not_found' ? 404 : 500;
    return new Refusal(status, RPC.invalidRequest, [error.message, error.hint].filter(Boolean).join(' '));
  }
  const status = statusOf(error);
  if (status !== undefined) return new Refusal(status, RPC.invalidRequest, messageOf(error));
  log.error({ error: messageOf(error) }, 'a request failed inside mcpx');
  return new Refusal(500, RPC.internal, 'Something went wrong inside mcpx.');
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers what is not even HTTP, where that cannot end up in the middle of another answer. */
export function clientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
  const body = replyText('null', errorReply(RPC.invalidRequest, 'This is not a well-formed HTTP request.'));
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

/** The 4xx status that fastify gives its own errors. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : undefined;
}
