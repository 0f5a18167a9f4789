// Hosts served in the test's own process, and the plainest clients of them: lines on pipes, fetch on sockets.
import { PassThrough } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import { type HttpHost, type HttpOptions, serveHttp } from '../../src/host/http.ts';
import { type StdioHost, type StdioOptions, serveStdio } from '../../src/host/stdio.ts';
import { silent } from '../../src/log.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { createHandler, type HandlerDouble } from '../support/host-handler.ts';
import { testScope } from '../support/scope.ts';
import { within } from '../support/until.ts';

export const SERVER_INFO = { name: 'mcpx', version: '1.2.3', title: 'mcpx' };

export type Json = { [key: string]: unknown };

/** Expects something to come to be, soon on an idle machine and some time on a busy one. */
export function eventually<T>(look: () => T) {
  return expect.poll(look, { interval: 5, timeout: 10_000 });
}

/** A JSON-RPC message in one line. */
export function rpc(message: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

export function initialize(revision = '2025-11-25', id: number | string = 0): string {
  const clientInfo = { name: 'test-host', version: '1' };
  const params = { protocolVersion: revision, capabilities: { elicitation: {} }, clientInfo };
  return rpc({ id, method: 'initialize', params });
}

/** Things that arrive one by one, to be waited for in order. */
class Arrivals<T> {
  readonly #items: T[] = [];
  readonly #waiting: ((item: T) => void)[] = [];

  add(item: T): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#items.push(item);
    else waiting(item);
  }

  /** The next one that nobody has taken yet. */
  next(what: string): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    return within(what, new Promise((resolve) => this.#waiting.push(resolve)));
  }

  /** How many are there that nobody has taken. */
  get left(): number {
    return this.#items.length;
  }
}

export interface Pipes {
  readonly handler: HandlerDouble;
  readonly served: StdioHost;
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** Sends lines. */
  write(...lines: string[]): void;
  /** The next line mcpx wrote, parsed. */
  next(): Promise<Json>;
  /** Lines nobody has asked for. */
  readonly left: number;
}

/** stdio over a pair of in-process pipes. */
export function openPipes(options: Partial<StdioOptions> & { handler?: HandlerDouble } = {}): Pipes {
  const handler = options.handler ?? createHandler();
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio({
    input,
    output,
    principal: 'local',
    serverInfo: SERVER_INFO,
    log: silent,
    clock: fakeClock(),
    limits: { frameBytes: 100_000 },
    ...options,
    handler,
  });
  const lines = new Arrivals<string>();
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) lines.add(line);
  });
  return {
    handler,
    served,
    input,
    output,
    write: (...texts) => void input.write(texts.map((text) => `${text}\n`).join('')),
    next: async () => JSON.parse(await lines.next('a line of mcpx')) as Json,
    get left() {
      return lines.left;
    },
  };
}

/** One SSE response while it is read. */
export interface Stream {
  readonly response: Response;
  /** The next event, data parsed where there is any. */
  next(): Promise<{ id: string | undefined; data: Json | undefined }>;
  /** Resolves with the next comment line. */
  comment(): Promise<string>;
  /** Resolves when the response is over; with whether it ended as it should. */
  readonly ended: Promise<boolean>;
  /** Events nobody has asked for. */
  readonly left: number;
  /** Drops the connection. */
  cut(): void;
}

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  readonly handler: HandlerDouble;
  /** The clock it runs on, unless another was given. */
  readonly clock: FakeClock;
  readonly served: HttpHost;
  fetch(init: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  post(body: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a message and reads what comes back as a stream. */
  stream(body: string, headers?: Record<string, string>): Promise<Stream>;
  /** Opens a session; what it gives has its headers on every request. */
  open(revision?: string): Promise<RawSession>;
}

export interface RawSession {
  readonly id: string;
  post(body: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request and reads its response as a stream. */
  stream(body: string, headers?: Record<string, string>): Promise<Stream>;
  get(lastEventId?: string, headers?: Record<string, string>): Promise<Response>;
  /** Opens the GET stream, or resumes one. */
  listen(lastEventId?: string): Promise<Stream>;
  /** The stream of a GET, or of a POST of `body`, by way of another address. */
  through(url: string, body?: string): Promise<Stream>;
  delete(): Promise<Response>;
}

/** Streamable HTTP on a port of its own. */
export async function openEndpoint(
  options: Partial<HttpOptions> & { handler?: HandlerDouble } = {},
): Promise<Endpoint> {
  const handler = options.handler ?? createHandler();
  const clock = fakeClock();
  const served = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    serverInfo: SERVER_INFO,
    log: silent,
    clock,
    limits: { frameBytes: 100_000, sessions: 100 },
    allowedHosts: [],
    allowedOrigins: [],
    ...options,
    handler,
  });
  const scope = testScope();
  scope.defer(() => served.close('The test is over.'));
  const cutting = new AbortController();
  scope.defer(() => cutting.abort());

  const send: Endpoint['fetch'] = (init) => fetch(served.url, { signal: cutting.signal, ...init });
  const post = (
    body: string,
    headers: Record<string, string> = {},
    signal = cutting.signal,
  ): Promise<Response> =>
    send({
      method: 'POST',
      body,
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });

  const cuttable = async (open: (signal: AbortSignal) => Promise<Response>): Promise<Stream> => {
    const cut = new AbortController();
    return read(await open(AbortSignal.any([cut.signal, cutting.signal])), () => cut.abort());
  };

  return {
    url: served.url,
    port: served.port,
    handler,
    clock,
    served,
    fetch: send,
    post: (body, headers) => post(body, headers),
    stream: (body, headers) => cuttable((signal) => post(body, headers, signal)),
    async open(revision = '2025-11-25') {
      const response = await post(initialize(revision));
      const id = response.headers.get('mcp-session-id') ?? '';
      await response.arrayBuffer();
      const own = {
        'mcp-session-id': id,
        ...(revision >= '2025-06-18' ? { 'mcp-protocol-version': revision } : {}),
      };
      await (await post(rpc({ method: 'notifications/initialized' }), own)).arrayBuffer();
      const get = (
        lastEventId?: string,
        signal = cutting.signal,
        headers?: Record<string, string>,
      ): Promise<Response> =>
        send({
          signal,
          headers: {
            accept: 'text/event-stream',
            ...own,
            ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
            ...headers,
          },
        });
      return {
        id,
        post: (body, headers) => post(body, { ...own, ...headers }),
        stream: (body, headers) => cuttable((signal) => post(body, { ...own, ...headers }, signal)),
        get: (lastEventId, headers) => get(lastEventId, cutting.signal, headers),
        listen: (lastEventId) => cuttable((signal) => get(lastEventId, signal)),
        through: (url, body) =>
          cuttable((signal) =>
            fetch(url, {
              signal,
              headers: {
                'content-type': 'application/json',
                accept: 'application/json, text/event-stream',
                ...own,
              },
              ...(body === undefined ? {} : { method: 'POST', body }),
            }),
          ),
        delete: () => send({ method: 'DELETE', headers: own }),
      };
    },
  };
}

function read(response: Response, cut: () => void): Stream {
  const type = response.headers.get('content-type');
  if (response.status !== 200 || type !== 'text/event-stream')
    throw new Error(`no stream: ${response.status} ${type}`);
  const events = new Arrivals<{ id: string | undefined; data: Json | undefined }>();
  const comments = new Arrivals<string>();
  const parser = createParser({
    onEvent: ({ id, data }) => events.add({ id, data: data === '' ? undefined : (JSON.parse(data) as Json) }),
    onComment: (comment) => comments.add(comment),
  });
  const pump = async (): Promise<boolean> => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
      return true;
    } catch {
      return false;
    }
  };
  return {
    response,
    next: () => events.next('an event'),
    comment: () => comments.next('a comment'),
    ended: pump(),
    get left() {
      return events.left;
    },
    cut,
  };
}
