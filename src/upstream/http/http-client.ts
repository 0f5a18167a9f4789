// One HTTP request to an upstream: our headers and the configured ones, redirects within the origin, bodies bounded.
import { Agent, type Dispatcher, request } from 'undici';
import type { McpxError } from '../../errors.ts';
import { connectionError, ERROR_BODY_BYTES, redirectError, statusError, tooLarge } from './http-error.ts';

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
  readonly frameBytes: number;
  readonly #configured: Headers;
  readonly #agent: Agent;
  #url: URL;

  constructor(server: string, url: URL, configured: Headers, agent: Agent, frameBytes: number) {
    this.server = server;
    this.frameBytes = frameBytes;
    this.#url = url;
    this.#configured = configured;
    this.#agent = agent;
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
      try {
        response = await request(target, {
          dispatcher: this.#agent,
          method,
          headers: { ...this.#configured, ...headers },
          ...(body === undefined ? {} : { body }),
          ...(signal === undefined ? {} : { signal }),
          ...(quick === true ? { headersTimeout: QUICK_MS, bodyTimeout: QUICK_MS } : {}),
        });
      } catch (error) {
        if (signal?.aborted === true) throw error;
        throw connectionError(this.server, target, error, opening === true ? 'unreachable' : 'upstream');
      }
      if (response.statusCode < 300 || response.statusCode > 399) return response;
      target = this.#redirected(response, target, method, redirects);
      // Where the server sends us once it sends us always (a path without its slash): not asked again.
      if (url === this.#url) this.#url = target;
    }
  }

  /** Only 307 and 308 keep a POST a POST, and only within the origin may the configured headers go along. */
  #redirected(response: Response, from: URL, method: string, redirects: number): URL {
    const { statusCode } = response;
    const location = headerOf(response, 'location');
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    discard(response);
    const keeps = method === 'GET' || statusCode === 307 || statusCode === 308;
    if (to === undefined || to.origin !== from.origin || !keeps || redirects >= MOST_REDIRECTS) {
      throw redirectError(this.server, statusCode, to);
    }
    return to;
  }

  /** The whole body as text. Rejects with McpxError as soon as it is over `frameBytes`. */
  async text({ body, headers }: Response): Promise<string> {
    const length = Number(headers['content-length']);
    if (length <= this.frameBytes) return body.text();
    const chunks: Buffer[] = [];
    let held = 0;
    // Leaving the loop early destroys the body, and with it the connection.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      held += chunk.length;
      if (held > this.frameBytes || length > this.frameBytes) throw tooLarge(this.server, this.frameBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, held).toString('utf8');
  }

  /** The error that a response with no success stands for, with its body: whole where it is JSON, else its beginning. */
  async failure(response: Response): Promise<{ readonly error: McpxError; readonly body: string }> {
    const type = headerOf(response, 'content-type');
    const body = type.startsWith('application/json')
      ? await this.text(response)
      : await beginningOf(response);
    return { body, error: statusError(this.server, response.statusCode, type, body) };
  }
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
