// Serves what one POST brought, one message or a batch, and ends its response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Parsed, replyText } from '../protocol/message.ts';
import type { Message } from '../protocol/types.ts';
import { faultReply, NO_BATCHES, takesBatches } from './handshake.ts';
import { sendEmpty, sendJson } from './http-answers.ts';
import { acceptsOf } from './http-headers.ts';
import type { HttpSession } from './http-session.ts';

/** Serves one message; anything but a request is a 202. */
export async function serveMessage(
  session: HttpSession,
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (message.kind !== 'request') {
    session.session.take(message);
    sendEmpty(response, 202);
    return;
  }
  const accepts = acceptsOf(request);
  const stream = session.openPost({ response, accepts, batch: false });
  const text = await session.session.serve(message, stream, accepts.stream);
  if (text !== undefined) stream.respond(text);
  session.closePost(stream);
}

/** Serves a batch (2025-03-26); its responses come in the order in which they are ready, as JSON-RPC allows. */
export async function serveBatch(
  session: HttpSession,
  items: readonly Parsed[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!takesBatches(session.session)) {
    sendJson(response, 400, replyText('null', NO_BATCHES));
    return;
  }
  if (!items.some((item) => !item.ok || item.message.kind === 'request')) {
    for (const item of items)
      if (item.ok && item.message.kind !== 'request') session.session.take(item.message);
    sendEmpty(response, 202);
    return;
  }
  const accepts = acceptsOf(request);
  const stream = session.openPost({ response, accepts, batch: true });
  await Promise.all(
    items.map(async (item) => {
      if (!item.ok) {
        session.session.takeFault(item);
        stream.respond(replyText(item.id, faultReply(item)));
      } else if (item.message.kind === 'request') {
        const text = await session.session.serve(item.message, stream, accepts.stream);
        if (text !== undefined) stream.respond(text);
      } else {
        session.session.take(item.message);
      }
    }),
  );
  session.closePost(stream);
}
