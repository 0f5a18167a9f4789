// Serves hosts over Streamable HTTP, on fastify: one endpoint, `/mcp`, and whatever other routes are hung on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { isMcpxError, McpxError, messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { errorReply, RPC, replyText } from '../protocol/message.ts';
import { Refusal, sendRefusal } from './http-answers.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { type GuardOptions, guard } from './http-guard.ts';
import type { SessionsOptions } from './http-sessions.ts';

export interface HttpOptions extends SessionsOptions, GuardOptions {
  /** The address to bind. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Hangs on other routes; they get the same checks of `Host` and `Origin`. */
  readonly extend?: (app: FastifyInstance) => void;
  /** Answers a request so odd that it reached no route, where it was meant for one of those; else returns false. */
  readonly refuse?: (url: string, error: unknown, response: ServerResponse) => boolean;
}

export interface HttpHost {
  /** The MCP endpoint, `/mcp` included. */
  readonly url: string;
  readonly port: number;
  /** Ends every session and stream and stops listening, within two seconds; `reason` is a sentence. */
  close(reason: string): Promise<void>;
}

const PATH = '/mcp';
/** How long a host may take to send a whole request; the answer may take as long as it likes (C14). */
const REQUEST_TIMEOUT = 300_000;
/** How long the ends of streams get to reach their hosts before connections are cut. */
const CLOSING = 1_000;

/** Listens, and resolves once connections are accepted. Rejects with McpxError `failure` where it cannot listen. */
export async function serveHttp(options: HttpOptions): Promise<HttpHost> {
  const endpoint = new HttpEndpoint(options);
  const app = buildApp(options, endpoint);
  const outstanding = new Set<ServerResponse>();
  app.server.on('request', (_request, response: ServerResponse) => {
    outstanding.add(response);
    response.on('error', ignore);
    response.on('close', closed);
  });
  function closed(this: ServerResponse): void {
    outstanding.delete(this);
  }
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    endpoint.close('mcpx could not listen.');
    throw cannotListen(options, error);
  }
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${reachableName(options.host)}:${port}${PATH}`,
    port,
    async close(reason) {
      endpoint.close(reason);
      await allClosed(outstanding, options);
      await app.close();
    },
  };
}

function buildApp(options: HttpOptions, endpoint: HttpEndpoint): FastifyInstance {
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: clientError,
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      if (options.refuse?.(request.url, error, reply.raw) === true) return;
      sendRefusal(reply.raw, refusalOf(error, options.log));
    },
  });
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    done(guard(headers.host, headers.origin, options));
  });
  app.setErrorHandler((error, _request, reply) => {
    reply.hijack();
    sendRefusal(reply.raw, refusalOf(error, options.log));
  });
  app.setNotFoundHandler(() => {
    throw new McpxError('not_found', 'There is nothing at this path.', `The MCP endpoint is ${PATH}.`);
  });
  app.register(async (scope) => hangEndpoint(scope, endpoint, options));
  options.extend?.(app);
  return app;
}

/** The endpoint reads and writes the raw streams itself: its bodies are passed on as text, and its answers may stream. */
function hangEndpoint(scope: FastifyInstance, endpoint: HttpEndpoint, { log }: HttpOptions): void {
  type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  const route = (method: string[], handle: Handle): void => {
    scope.route({
      method,
      url: PATH,
      async handler(request, reply) {
        reply.hijack();
        try {
          await handle(request.raw, reply.raw);
        } catch (error) {
          if (!reply.raw.headersSent && !reply.raw.destroyed) sendRefusal(reply.raw, refusalOf(error, log));
          else log.debug({ error: messageOf(error) }, 'a request of a host that is gone failed');
        }
      },
    });
  };
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  route(['POST'], (request, response) => endpoint.post(request, response));
  route(['GET'], (request, response) => endpoint.get(request, response));
  route(['DELETE'], (request, response) => endpoint.delete(request, response));
  route(['HEAD', 'OPTIONS', 'PATCH', 'PUT'], () => endpoint.otherMethod());
}

/** Writing to a host that has just gone is no failure; the 'close' of its response says what there is to say. */
function ignore(): void {}

/** A bound address as it stands in a URL; one that means every address is reached on loopback. */
function reachableName(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function allClosed(outstanding: ReadonlySet<ServerResponse>, { clock }: HttpOptions): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(CLOSING, resolve);
    const check = (): void => {
      if (outstanding.size > 0) return;
      timer.cancel();
      resolve();
    };
    for (const response of outstanding) response.on('close', check);
    check();
  });
}

function cannotListen({ host, port }: HttpOptions, error: unknown): McpxError {
  const code = (error as NodeJS.ErrnoException).code;
  const where = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    const hint = 'Stop the other program, or choose another port with --port.';
    return new McpxError('failure', `Another program is listening on ${where} already.`, hint, {
      cause: error,
    });
  }
  const hint = 'Choose another address with --host and --port.';
  return new McpxError('failure', `mcpx cannot listen on ${where}: ${messageOf(error)}.`, hint, {
    cause: error,
  });
}

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
