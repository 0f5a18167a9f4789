// The plain answers of the MCP endpoint: a JSON-RPC message with a length, or nothing but a status.
import type { ServerResponse } from 'node:http';
import { errorReply, RPC, replyText } from '../protocol/message.ts';
import type { JsonText } from '../protocol/types.ts';

/** What a host gets in place of a response where too many of them wait already for it to read (C51). */
export const UNREAD = errorReply(
  RPC.internal,
  'The host does not read what mcpx sends, and more waits for it than limits.frameBytes allows.',
);

/** Begins an answer of one JSON text, which is to follow. */
export function beginJson(response: ServerResponse, status: number, text: JsonText): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
}

/** Given a string Node joins headers and body into one write; over this many characters the copying costs more. */
const SMALL = 16_384;

export function chunkOf(text: string): string | Buffer {
  return text.length > SMALL ? Buffer.from(text) : text;
}

/** Answers with one JSON text. */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: JsonText,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = chunkOf(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** Answers with a status and no body. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 204 ? {} : { 'content-length': 0 }).end();
}

/** A request refused before it reached a session: why, what to do, and with which HTTP status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly statusCode: number;
  readonly code: number;
  readonly data: JsonText | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the request that is refused, `null` where it is not known. */
  readonly id: JsonText;

  constructor(
    statusCode: number,
    code: number,
    message: string,
    more: { data?: JsonText; headers?: Readonly<Record<string, string>>; id?: JsonText | undefined } = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.data = more.data;
    this.headers = more.headers ?? {};
    this.id = more.id ?? 'null';
  }
}

/** Answers with a refusal as a JSON-RPC error, with the id of the request where that is known. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, id: JsonText = refusal.id): void {
  const reply = errorReply(refusal.code, refusal.message, refusal.data);
  sendJson(response, refusal.statusCode, replyText(id, reply), refusal.headers);
}
