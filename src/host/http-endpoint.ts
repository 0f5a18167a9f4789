// The MCP endpoint: what POST, GET and DELETE on it do (basic/transports, "Streamable HTTP").
import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../errors.ts';
import { type Frame, parseFrame, RPC, replyText } from '../protocol/message.ts';
import type { JsonText, Request } from '../protocol/types.ts';
import { SSE_HEADERS, sseText } from '../text/sse.ts';
import { faultReply, greet, longFault, NO_REVISION, NOT_INITIALIZED } from './handshake.ts';
import { Refusal, sendEmpty, sendJson, sendRefusal } from './http-answers.ts';
import { principalOf } from './http-auth.ts';
import { readBody, TooLong } from './http-body.ts';
import { acceptsOf, expectJson, expectRevision, headerOf } from './http-headers.ts';
import { serveBatch, serveMessage } from './http-post.ts';
import type { HttpSession } from './http-session.ts';
import { HttpSessions, type SessionsOptions } from './http-sessions.ts';
import { readInitialize } from './initialize.ts';
import { HttpStateless } from './modern/http-stateless.ts';

const SESSION = 'mcp-session-id';

export class HttpEndpoint {
  readonly #options: SessionsOptions;
  readonly #sessions: HttpSessions;
  readonly #stateless: HttpStateless;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#sessions = new HttpSessions(options);
    this.#stateless = new HttpStateless(options);
  }

  /** Ends every session and every request; `reason` is a sentence. */
  close(reason: string): void {
    this.#stateless.close(reason);
    this.#sessions.close(reason);
  }

  /** A message of the host, or a batch. Rejects with a Refusal where it does not reach a session. */
  async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const principal = principalOf(request, this.#options.tokens);
    expectJson(request);
    const frame = parseFrame(await this.#body(request, principal));
    if (await this.#stateless.post(frame, { request, response, principal })) return;
    expectRevision(request);
    if (headerOf(request, SESSION) === undefined) {
      await this.#open(frame, principal, request, response);
      return;
    }
    const message = !frame.batch && frame.item.ok ? frame.item.message : undefined;
    const session = this.#session(request, principal, message?.kind === 'request' ? message : undefined);
    if (frame.batch) await serveBatch(session, frame.items, request, response);
    else if (frame.item.ok) await serveMessage(session, frame.item.message, request, response);
    else {
      session.session.takeFault(frame.item);
      sendJson(response, 400, replyText(frame.item.id, faultReply(frame.item)));
    }
  }

  /** The body of a POST. An answer of the host that is too long fails the question it is for. */
  async #body(request: IncomingMessage, principal: string): Promise<string> {
    try {
      return await readBody(request, this.#options.limits.frameBytes);
    } catch (error) {
      const found = error instanceof TooLong && error.found.kind === 'reply' ? error.found : undefined;
      const named = headerOf(request, SESSION) !== undefined;
      if (found !== undefined && named)
        this.#session(request, principal).session.takeFault(longFault(found.id, messageOf(error)));
      throw error;
    }
  }

  /** A stream of the session's own, or the rest of a stream whose connection was lost. */
  get(request: IncomingMessage, response: ServerResponse): void {
    const principal = principalOf(request, this.#options.tokens);
    this.#stateless.refuseMethod(request);
    expectRevision(request);
    if (!acceptsOf(request).stream) {
      throw new Refusal(
        406,
        RPC.invalidRequest,
        'GET answers with text/event-stream only; the Accept header must allow it.',
      );
    }
    const session = this.#session(request, principal);
    const lastEventId = headerOf(request, 'last-event-id');
    if (lastEventId === undefined || lastEventId === '') session.listen(response);
    else if (!session.resume(response, lastEventId)) {
      // Not 404, which would tell the host that its session is over.
      throw new Refusal(
        400,
        RPC.invalidRequest,
        'This session has nothing to send after that Last-Event-ID.',
      );
    }
  }

  /** The host ends its session. */
  delete(request: IncomingMessage, response: ServerResponse): void {
    const principal = principalOf(request, this.#options.tokens);
    this.#stateless.refuseMethod(request);
    expectRevision(request);
    this.#session(request, principal).end('The host ended the session.');
    sendEmpty(response, 204);
  }

  otherMethod(): never {
    const allow = 'GET, POST, DELETE';
    throw new Refusal(405, RPC.invalidRequest, `The MCP endpoint takes ${allow}.`, { headers: { allow } });
  }

  /** The session that the request names; somebody else's is as unknown as one that never was (C20). */
  #session(request: IncomingMessage, principal: string, asked?: Request): HttpSession {
    const id = headerOf(request, SESSION);
    if (id === undefined) {
      throw new Refusal(
        400,
        RPC.invalidRequest,
        'The Mcp-Session-Id header is missing; send initialize first.',
      );
    }
    const session = this.#sessions.get(id);
    const owner = session?.session.facts.principal;
    if (session === undefined || owner !== principal) {
      if (session !== undefined)
        this.#options.log.warn(
          { session: session.session.id, principal, owner },
          'a request for a session of another principal',
        );
      throw new Refusal(
        404,
        RPC.invalidRequest,
        asked?.method === 'initialize'
          ? 'No such session. An initialize opens one: send it again without the Mcp-Session-Id header.'
          : 'No such session; send initialize again, without the Mcp-Session-Id header.',
        { id: asked?.id },
      );
    }
    session.touch();
    return session;
  }

  async #open(
    frame: Frame,
    principal: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const message = !frame.batch && frame.item.ok ? frame.item.message : undefined;
    if (message?.kind === 'request' && message.method === 'initialize') {
      await this.#initialize(message, principal, request, response);
    } else if (!frame.batch && !frame.item.ok) {
      sendJson(response, 400, replyText(frame.item.id, faultReply(frame.item)));
    } else {
      const id = message?.kind === 'request' ? message.id : 'null';
      sendJson(response, 400, replyText(id, NOT_INITIALIZED));
    }
  }

  async #initialize(
    message: Request,
    principal: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const facts = readInitialize(message.params, { principal, transport: 'http' });
    if (facts === undefined) {
      sendJson(response, 400, replyText(message.id, NO_REVISION));
      return;
    }
    const opened = this.#sessions.open(facts);
    if (opened instanceof Refusal) {
      sendRefusal(response, opened, message.id);
      return;
    }
    const { session, key } = opened;
    // Nobody could use a session whose id was never read.
    response.on('close', () => {
      if (!response.writableFinished) session.end('The host went away while the session was being opened.');
    });
    await greet(session, this.#options.serverInfo, (reply) => {
      if (response.destroyed) return;
      const text = replyText(message.id, reply);
      const headers = 'result' in reply ? { [SESSION]: key } : {};
      if (acceptsOf(request).json) sendJson(response, 200, text, headers);
      else sendEvent(response, text, headers);
    });
  }
}

function sendEvent(
  response: ServerResponse,
  text: JsonText,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, { ...SSE_HEADERS, ...headers });
  response.end(sseText({ event: 'message', data: text }));
}
