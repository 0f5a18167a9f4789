// Stateless hosts on the MCP endpoint: a POST is a request, and closing its response gives it up.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorReply, type Frame, RPC, replyText } from '../../protocol/message.ts';
import type { Message, Request } from '../../protocol/types.ts';
import { faultReply } from '../handshake.ts';
import { Refusal, sendEmpty, sendJson } from '../http-answers.ts';
import { acceptsOf, headerOf } from '../http-headers.ts';
import type { SessionsOptions } from '../http-sessions.ts';
import { clientOf, isModernHeader, isModernMessage } from './envelope.ts';
import { HostBacklogs } from './host-backlogs.ts';
import { ResponseStream } from './response-stream.ts';
import type { StatelessExchange } from './stateless-exchange.ts';
import { StatelessHosts } from './stateless-hosts.ts';

/** A POST whose principal is known. */
export interface Post {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: string;
}

export class HttpStateless {
  readonly #options: SessionsOptions;
  readonly #hosts: StatelessHosts;
  readonly #backlogs: HostBacklogs;
  #closed: string | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#backlogs = new HostBacklogs({ ...options, capacity: options.limits.frameBytes });
    this.#hosts = new StatelessHosts({ ...options, subscriptions: options.limits.sessions });
  }

  /** Ends what is open; `reason` is a sentence. */
  close(reason: string): void {
    this.#closed = reason;
    this.#hosts.close(reason);
  }

  /** Refuses GET and DELETE to a host that says it has no session (basic/transports, "Earlier Streamable HTTP Revisions"). */
  refuseMethod(request: IncomingMessage): void {
    if (!this.#hosts.served || !isModernHeader(versionOf(request))) return;
    throw new Refusal(405, RPC.invalidRequest, 'At 2026-07-28 the MCP endpoint takes POST only.', {
      headers: { allow: 'POST' },
    });
  }

  /** Serves a POST that is of 2026-07-28, by what stands in it or by its header; false where it is of an older revision. */
  async post(frame: Frame, post: Post): Promise<boolean> {
    const { request, response } = post;
    if (!this.#hosts.served) return false;
    const named = isModernHeader(versionOf(request));
    if (frame.batch) {
      if (!named && !frame.items.some((item) => item.ok && isModernMessage(item.message))) return false;
      sendJson(response, 400, replyText('null', NO_BATCH));
    } else if (!frame.item.ok) {
      if (!named) return false;
      sendJson(response, 400, replyText(frame.item.id, faultReply(frame.item)));
    } else {
      if (!named && !isModernMessage(frame.item.message)) return false;
      return await this.#message(frame.item.message, post);
    }
    return true;
  }

  async #message(message: Message, post: Post): Promise<boolean> {
    const { response } = post;
    switch (message.kind) {
      case 'request':
        return await this.#request(message, post);
      case 'notification':
        // There are none from hosts over HTTP; closing a response is what cancels (basic/patterns/cancellation).
        sendEmpty(response, 202);
        break;
      case 'result':
      case 'error':
        sendJson(response, 400, replyText('null', NO_RESPONSE));
        break;
    }
    return true;
  }

  async #request(message: Request, { request, response, principal }: Post): Promise<boolean> {
    const { clock, log } = this.#options;
    const accepts = acceptsOf(request);
    const stream = new ResponseStream({
      response,
      accepts,
      clock,
      log,
      backlog: this.#backlogs.for(principal, clientOf(message), response),
    });
    const header = (name: string): string | undefined => headerOf(request, name);
    const answer = await this.#hosts.serve(message, {
      from: { principal, transport: 'http' },
      stream,
      streams: accepts.stream,
      headers: { version: versionOf(request), method: header('mcp-method'), name: header('mcp-name') },
      header,
      onOpen: (exchange) => this.#watch(exchange, response),
    });
    if (answer === undefined || answer === 'legacy') {
      const ended = stream.end();
      if (answer === 'legacy') return false;
      if (!ended && this.#closed !== undefined)
        stream.respond(503, message.id, errorReply(RPC.internal, this.#closed));
    } else {
      stream.respond(answer.status, message.id, answer.reply);
    }
    return true;
  }

  #watch(exchange: StatelessExchange, response: ServerResponse): void {
    const gone = (): void => exchange.abort('The host closed the response to its request.');
    if (response.destroyed) gone();
    else response.on('close', gone);
  }
}

const NO_BATCH = errorReply(
  RPC.invalidRequest,
  'At 2026-07-28 there are no batches; send one message at a time.',
);
const NO_RESPONSE = errorReply(RPC.invalidRequest, 'At 2026-07-28 hosts send no responses.');

function versionOf(request: IncomingMessage): string | undefined {
  return headerOf(request, 'mcp-protocol-version');
}
