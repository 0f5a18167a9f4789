// Requests to the API of a gateway far away, and its failures in words for whoever typed the command.

import { Agent, type Dispatcher, request } from 'undici';
import { type ErrorCode, EXIT_CODES, type FieldProblem, McpxError, messageOf } from '../../errors.ts';
import { isWhole } from '../../protocol/json-text.ts';
import type { JsonText } from '../../protocol/types.ts';
import { inert } from '../../text/inert.ts';
import { readUrl } from '../../url/read-url.ts';
import { failure } from '../schemas.ts';

export interface GatewayAddress {
  /** Where `/v1` hangs: `http://127.0.0.1:7331`. */
  readonly base: string;
  readonly token: string | undefined;
}

/** Milliseconds to connect, and for the answer to begin. */
const PATIENCE = 10_000;
/** The gateway writes at least every 15 s; one that is silent for three times that is gone. */
const SILENCE = 45_000;

export interface Reply {
  readonly status: number;
  readonly text: JsonText;
}

export class GatewayHttp {
  readonly #address: GatewayAddress;
  readonly #agent = new Agent({
    connect: { timeout: PATIENCE },
    headersTimeout: PATIENCE,
    bodyTimeout: PATIENCE,
  });

  constructor(address: GatewayAddress) {
    this.#address = address;
  }

  get base(): string {
    return this.#address.base;
  }

  /** The JSON of an answer of 200, or of 409 with the row of the winner. McpxError for every other. */
  async send(method: 'GET' | 'POST', path: string, body?: JsonText): Promise<Reply> {
    let response: Dispatcher.ResponseData;
    let text: string;
    try {
      response = await this.#request(method, path, body === undefined ? {} : { body });
      text = await response.body.text();
    } catch (error) {
      throw this.unreachable(error, method === 'POST' && !neverConnected(error));
    }
    const status = response.statusCode;
    if (!isWhole(text)) throw this.#failed(status, undefined);
    if (status === 200 || (status === 409 && method === 'POST')) return { status, text };
    throw this.#failed(status, text);
  }

  /** The stream of events, after `lastEventId` where that is given. */
  async events(lastEventId: string | undefined, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    let response: Dispatcher.ResponseData;
    try {
      response = await this.#request('GET', '/v1/events', { headers, signal, bodyTimeout: SILENCE });
    } catch (error) {
      throw this.unreachable(error);
    }
    const type = response.headers['content-type'];
    if (response.statusCode === 200 && type === 'text/event-stream') return response.body;
    const text = await response.body.text().catch(() => '');
    throw this.#failed(response.statusCode, isWhole(text) ? text : undefined);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** No connection, or one that broke; `mayHaveCounted` where an answer was on its way. */
  unreachable(cause: unknown, mayHaveCounted = false): McpxError {
    const { base } = this;
    const why = inert(reasonOf(cause), { oneLine: true, max: 200 });
    return mayHaveCounted
      ? new McpxError(
          'unreachable',
          `The gateway at ${base} went away before it said whether the answer was taken: ${why}.`,
          'Once it is back, check the question with: mcpx elicit show <id>',
          { cause },
        )
      : new McpxError(
          'unreachable',
          `There is no gateway at ${base}: ${why}.`,
          'Start it there with "mcpx serve", or correct --url (or MCPX_URL).',
          { cause },
        );
  }

  /** Something answers, and not in the words of a gateway. */
  noGateway(cause: unknown): McpxError {
    return new McpxError(
      'unreachable',
      `${this.base} does not answer like an mcpx gateway.`,
      'Correct --url (or MCPX_URL): it is what "mcpx serve --json" prints as url.',
      { cause },
    );
  }

  #request(
    method: 'GET' | 'POST',
    path: string,
    more: {
      readonly body?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
      readonly bodyTimeout?: number;
    },
  ): Promise<Dispatcher.ResponseData> {
    const { base, token } = this.#address;
    return request(`${base}${path}`, {
      ...more,
      dispatcher: this.#agent,
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(more.body !== undefined && { 'content-type': 'application/json' }),
        ...more.headers,
      },
    });
  }

  /** What the gateway says is wrong, in its own words; or that whatever is there is no gateway. */
  #failed(status: number, text: JsonText | undefined): McpxError {
    const read = failure.safeParse(text === undefined ? undefined : JSON.parse(text));
    const isAccess = status === 401 || status === 403;
    if (read.success) {
      const { code, message, hint, errors } = read.data.error;
      const known = isAccess ? 'forbidden' : isCode(code) ? code : 'failure';
      return new McpxError(
        known,
        message,
        hint,
        errors === undefined ? {} : { problems: problemsOf(errors) },
      );
    }
    if (!isAccess) return this.noGateway(`HTTP ${status}`);
    const message = `${this.base} answered HTTP ${status}.`;
    return new McpxError('forbidden', message, 'Set MCPX_TOKEN to a token it knows.');
  }
}

function problemsOf(errors: readonly FieldProblem[]): FieldProblem[] {
  return errors.map(({ path, message }) => ({ path, message }));
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(EXIT_CODES, code);
}

const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a failure says that nothing listens there: the gateway is gone, and not just slow. */
export function isGone(error: unknown): boolean {
  return codeBehind(error) === 'ECONNREFUSED';
}

/** Whether a failure says that a connection which stood has broken. */
export function isBroken(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeBehind(error));
}

function codeBehind(error: unknown): string {
  const cause = error instanceof McpxError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function neverConnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NEVER_CONNECTED.has(String(error.code));
}

/** The first reason of several: one name may stand for several addresses that all refuse. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return messageOf(cause.errors[0]);
  return messageOf(cause);
}

/** @throws McpxError `usage` */
export function gatewayAddress(url: string, token: string | undefined): GatewayAddress {
  const read = readUrl(url);
  if (read === undefined || !/^https?:$/.test(read.protocol) || read.username !== '' || read.password !== '')
    throw new McpxError(
      'usage',
      `"${inert(url, { oneLine: true, max: 200 })}" is not the address of a gateway.`,
      'Give --url (or MCPX_URL) as "mcpx serve" prints it, such as http://127.0.0.1:7331/mcp; a token goes into MCPX_TOKEN.',
    );
  const trimmed = token?.trim() ?? '';
  // Anything else could not stand in a header.
  if (!/^[\x21-\x7e]*$/.test(trimmed))
    throw new McpxError(
      'usage',
      'MCPX_TOKEN contains characters that a token cannot have.',
      'Set it to the token and nothing else.',
    );
  return {
    base: `${read.origin}${read.pathname.replace(/\/+$/, '').replace(/\/mcp$/, '')}`,
    token: trimmed === '' ? undefined : trimmed,
  };
}
