// One HTTP request to an upstream: our headers and the configured ones, redirects within the origin, bodies bounded.

import { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { McpxError } from '../../errors.ts';
import { readUrl } from '../../url/read-url.ts';
import type { Arrivals } from '../inflow.ts';
import { connectionError, ERROR_BODY_BYTES, redirectError, statusError, tooLarge } from './http-error.ts';
import { LongBodies, type LongBody } from './long-body.ts';

const CONNECT_MS = 10_000;
/** For what is answered without waiting for anybody: notifications, replies, DELETE. */
const QUICK_MS = 30_000;
const MOST_REDIRECTS = 3;

/** Set by the transport itself; a configured header of such a name is left out. */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
]);

export type Response = Dispatcher.ResponseData;
type Headers = Readonly<Record<string, string>>;

/**
 * One agent serves every connection of a server. Streams are silent for as long as a person thinks, so it never times
 * out on headers or bodies (C14).
 */
export function agentForStreams(): Agent {
  return new Agent({ bodyTimeout: 0, headersTimeout: 0, connect: { timeout: CONNECT_MS } });
}

/** The configured headers without the reserved ones, and the names of those. */
export function splitHeaders(configured: Headers): {
  readonly headers: Headers;
  readonly reserved: string[];
} {
  const entries = Object.entries(configured);
  const isReserved = ([name]: [string, string]): boolean =>
    RESERVED.has(name.toLowerCase()) || name.toLowerCase().startsWith('mcp-param-');
  return {
    headers: Object.fromEntries(entries.filter((entry) => !isReserved(entry))),
    reserved: entries.filter(isReserved).map(([name]) => name),
  };
}

export interface HttpCall {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: Headers;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Gives up when the response has not begun in 30 s. */
  readonly quick?: boolean;
  /** The first contact: no connection then means `unreachable`. */
  readonly opening?: boolean;
}

export class HttpClient {
  readonly server: string;
  readonly arrivals: Arrivals;
  readonly #configured: Headers;
  readonly #agent: Agent;
  readonly #bodies = new LongBodies();
  #url: URL;

  constructor(server: string, url: URL, configured: Headers, agent: Agent, arrivals: Arrivals) {
    this.server = server;
    this.arrivals = arrivals;
    this.#url = url;
    this.#configured = configured;
    this.#agent = agent;
  }

  get frameBytes(): number {
    return this.arrivals.frameBytes;
  }

  get url(): URL {
    return this.#url;
  }

  /**
   * Resolves when the response begins, whatever its status but a redirect. Rejects with McpxError, or with what
   * `signal` aborted for.
   */
  async send(call: HttpCall, url: URL = this.#url): Promise<Response> {
    const { method, headers, body, signal, quick, opening } = call;
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      let response: Response;
      const long = body === undefined ? undefined : this.#long(body);
      try {
        response = await request(target, {
          dispatcher: this.#agent,
          method,
          headers: {
            ...this.#configured,
            ...headers,
            ...(long && { 'content-length': String(long.bytes) }),
          },
          ...(body === undefined ? {} : { body: long ? Readable.from(long, { objectMode: false }) : body }),
          ...(signal === undefined ? {} : { signal }),
          ...(quick === true ? { headersTimeout: QUICK_MS, bodyTimeout: QUICK_MS } : {}),
        });
      } catch (error) {
        if (signal?.aborted === true) throw error;
        throw connectionError(this.server, target, error, opening === true ? 'unreachable' : 'upstream');
      } finally {
        long?.settle();
      }
      if (response.statusCode < 300 || response.statusCode > 399) return response;
      target = this.#redirected(response, target, method, redirects);
      // Where the server sends us once it sends us always (a path without its slash): not asked again.
      if (url === this.#url) this.#url = target;
    }
  }

  /** The body where it is long; refused where too much waits already for the server to read. */
  #long(body: string): LongBody | undefined {
    const { untaken } = this.#bodies;
    const long = this.#bodies.of(body);
    if (long === undefined || untaken <= this.frameBytes) return long;
    long.settle();
    throw new McpxError('upstream', `${this.server}: it does not read its input`);
  }

  /** Only 307 and 308 keep a POST a POST, and only within the origin may the configured headers go along. */
  #redirected(response: Response, from: URL, method: string, redirects: number): URL {
    const { statusCode } = response;
    const location = headerOf(response, 'location');
    const to = readUrl(location, from);
    discard(response);
    const keeps = method === 'GET' || statusCode === 307 || statusCode === 308;
    if (to === undefined || to.origin !== from.origin || !keeps || redirects >= MOST_REDIRECTS) {
      throw redirectError(this.server, statusCode, to);
    }
    return to;
  }

  /**
   * The whole body as text; `onBody` is told of it once it is being read. Rejects with McpxError as soon as it is over
   * `frameBytes`, which ends the connection.
   */
  text({ body, headers }: Response, onBody: (body: Readable) => void = () => {}): Promise<string> {
    const isTooLarge = (bytes: number): boolean => bytes > this.frameBytes;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let held = 0;
      const refuse = (): void => {
        reject(tooLarge(this.server, this.frameBytes));
        body.destroy();
      };
      body.on('error', reject);
      body.on('data', (chunk: Buffer) => {
        held += chunk.length;
        if (isTooLarge(held)) refuse();
        else chunks.push(chunk);
      });
      body.on('end', () => resolve(textOf(Buffer.concat(chunks, held))));
      body.on('close', () => reject(new Error('the connection was closed')));
      onBody(body);
      if (isTooLarge(Number(headers['content-length']))) refuse();
    });
  }

  /**
   * The error that a response with no success stands for, with its body: whole where it is JSON (as by `text`), else its
   * beginning.
   */
  async failure(
    response: Response,
    onBody?: (body: Readable) => void,
  ): Promise<{ readonly error: McpxError; readonly body: string }> {
    const type = headerOf(response, 'content-type');
    const body = type.startsWith('application/json')
      ? await this.text(response, onBody)
      : await beginningOf(response);
    return { body, error: statusError(this.server, response.statusCode, type, body) };
  }
}

/** UTF-8, without the mark that some servers put before it. */
function textOf(bytes: Buffer): string {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', isMarked ? 3 : 0);
}

/** The value of a header; the first where it appears twice, `''` where it is absent. */
export function headerOf(response: Response, name: string): string {
  const value = response.headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

export function isEventStream(response: Response): boolean {
  return headerOf(response, 'content-type').startsWith('text/event-stream');
}

/** Lets go of a body that nobody reads; the connection is kept where that costs little. */
export function discard(response: Response): void {
  // A failure while it is thrown away concerns nobody.
  response.body.on('error', () => {});
  if (isEventStream(response)) response.body.destroy();
  else response.body.dump({ limit: 16_384 }).catch(() => {});
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      held += chunk.length;
      if (held >= ERROR_BODY_BYTES) break;
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks, held).toString('utf8', 0, Math.min(held, ERROR_BODY_BYTES));
}
