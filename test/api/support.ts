// The API served in the test's own process over a broker of its own, and the plainest client of it.

import { type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import { type ApiOptions, hangApi, refuseApi } from '../../src/api/api.ts';
import type { Broker } from '../../src/broker/types.ts';
import { openChecks } from '../../src/checks/open.ts';
import { systemClock } from '../../src/clock.ts';
import { DEFAULTS } from '../../src/config/layers.ts';
import { type ApiCallRequest, ApiCalls } from '../../src/gateway/calls/api-calls.ts';
import { ParkedCalls } from '../../src/gateway/calls/parked-calls.ts';
import { type HttpHost, serveHttp } from '../../src/host/http.ts';
import { silent } from '../../src/log.ts';
import type { Reply } from '../../src/protocol/types.ts';
import { bench } from '../broker/support.ts';
import { createHandler } from '../support/host-handler.ts';
import { within } from '../support/until.ts';

export const TOKEN = 'the-local-token';
/** The token of the principal `ci`. */
export const CI_TOKEN = 'the-token-of-ci';

/** Calls that come to whatever `run` says. */
export function apiCalls(run: (request: ApiCallRequest) => Promise<Reply>): ApiCalls {
  return new ApiCalls({ parked: new ParkedCalls(10, systemClock), run: (_call, request) => run(request) });
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body, parsed. */
  readonly json: {
    readonly [key: string]: unknown;
    readonly error?: {
      code: string;
      message: string;
      hint?: string;
      errors?: { path: string; message: string }[];
    };
  };
}

export interface Ask {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reader {
  readonly status: number;
  next(): Promise<{ id: string | undefined; event: string | undefined; data: string }>;
  comment(): Promise<string>;
  cut(): void;
  /** Resolves when the stream has ended, however it did. */
  readonly ended: Promise<void>;
}

export interface Served {
  readonly broker: Broker;
  readonly stateDir: string;
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly base: string;
  readonly http: HttpHost;
  /** Ends what follows the gateway's life, as its stop does. */
  stop(): void;
  /** One request with the local token unless told otherwise. */
  ask(path: string, how?: Ask): Promise<Got>;
  post(path: string, body?: unknown, how?: Ask): Promise<Got>;
  /** Opens the stream of events and reads its first, empty, event. */
  read(how?: Ask): Promise<Reader>;
}

export async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}

/** The API over a broker, on a port of its own. Whoever asks for it ends it. */
export async function serveApiOf(
  broker: Broker,
  options: Partial<ApiOptions> = {},
  port = 0,
): Promise<{ readonly http: HttpHost; stop(): void }> {
  const closing = new AbortController();
  const tokens = [
    { name: 'local', sha256: await sha256(TOKEN) },
    { name: 'ci', sha256: await sha256(CI_TOKEN) },
  ];
  const http = await serveHttp({
    host: '127.0.0.1',
    port,
    serverInfo: { name: 'mcpx', version: '1.2.3' },
    log: silent,
    clock: systemClock,
    limits: { frameBytes: 100_000, sessions: 100 },
    allowedHosts: [],
    allowedOrigins: [],
    handler: createHandler(),
    refuse: (url, error, response) => refuseApi(url, error, response, silent),
    extend: (app) =>
      hangApi(app, {
        broker,
        checks: openChecks(),
        clock: systemClock,
        log: silent,
        limits: { ...DEFAULTS.limits, answerBytes: 1_000 },
        version: '1.2.3',
        gateway: {
          apiCalls: apiCalls(() => Promise.reject(new Error('no call was expected'))),
          servers: () => [],
        },
        tokens,
        closing: closing.signal,
        ...options,
      }),
  });
  return { http, stop: () => closing.abort() };
}

export async function serveApi({
  answerBytes = 1_000,
  ...options
}: Partial<ApiOptions> & { answerBytes?: number } = {}): Promise<Served> {
  const at = bench();
  const broker = await at.open('gateway');
  const { http, stop } = await serveApiOf(broker, {
    limits: { ...DEFAULTS.limits, answerBytes },
    ...options,
  });
  at.scope.defer(async () => {
    stop();
    await http.close('The test is over.');
  });
  const base = `http://127.0.0.1:${http.port}`;
  const send = (path: string, how: Ask = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const token = 'token' in how ? how.token : TOKEN;
      const outgoing = request(`${base}${path}`, {
        method: how.method ?? 'GET',
        agent: false,
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...how.headers },
      });
      outgoing.once('error', reject);
      outgoing.once('response', resolve);
      outgoing.end(how.body);
    });
  const ask = async (path: string, how?: Ask): Promise<Got> => {
    const response = await send(path, how);
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) text += chunk;
    const isJson = text !== '' && response.headers['content-type']?.startsWith('application/json') === true;
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : {},
    };
  };
  return {
    broker,
    stateDir: at.stateDir,
    port: http.port,
    base,
    http,
    stop,
    ask,
    post: (path, body, how) =>
      ask(path, {
        method: 'POST',
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...how,
        headers: { 'content-type': 'application/json', ...how?.headers },
      }),
    async read(how) {
      const reader = readerOf(await send('/v1/events', how));
      if (reader.status === 200) await reader.next();
      return reader;
    },
  };
}

function readerOf(response: IncomingMessage): Reader {
  const [events, comments] = [arrivals<Awaited<ReturnType<Reader['next']>>>(), arrivals<string>()];
  const parser = createParser({
    onEvent: ({ id, event, data }) => events.add({ id, event, data }),
    onComment: (comment) => comments.add(comment),
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => parser.feed(chunk));
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    next: () => events.next('an event'),
    comment: () => comments.next('a comment'),
    cut: () => void response.destroy(),
    ended: new Promise((resolve) => response.on('close', () => resolve())),
  };
}

function arrivals<T>(): { add(item: T): void; next(what: string): Promise<T> } {
  const items: T[] = [];
  const waiting: ((item: T) => void)[] = [];
  return {
    add(item) {
      const taker = waiting.shift();
      if (taker === undefined) items.push(item);
      else taker(item);
    },
    next(what) {
      const item = items.shift();
      if (item !== undefined) return Promise.resolve(item);
      return within(what, new Promise<T>((resolve) => waiting.push(resolve)));
    },
  };
}
