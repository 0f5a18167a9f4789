// The raw host over Streamable HTTP, with its streams in the test's hands: they can be cut, resumed, and sent odd headers.
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import { slice } from '../../fixtures/upstream/json-slice.mjs';
import { createHostCore, type Host, type HostOptions } from './host.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpHost extends Host {
  readonly sessionId: string | undefined;
  /** The last event id seen on any stream. */
  readonly lastEventId: string | undefined;
  /** SSE comments seen so far (keep-alives). */
  readonly comments: string[];
  /** Sends a text and reads the whole answer, outside the record. */
  post(text: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Opens the GET stream (resuming after `lastEventId`); resolves with its status once headers are there. */
  openStream(lastEventId?: string): Promise<number>;
  /** Destroys every open response, as a lost network would. */
  cut(): void;
  /** DELETE; resolves with the status. */
  end(): Promise<number>;
}

export interface HttpHostOptions extends HostOptions {
  /** More headers on every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Accept` of a POST. */
  readonly accept?: string;
}

async function readBody(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let body = '';
  for await (const chunk of response) body += chunk;
  return body;
}

/** Initializes at the endpoint `url`. */
export async function connectHttpHost(url: string, options: HttpHostOptions = {}): Promise<HttpHost> {
  let sessionId: string | undefined;
  let version: Record<string, string> | undefined;
  let lastEventId: string | undefined;
  const comments: string[] = [];
  const open = new Set<ClientRequest>();

  /** From 2025-06-18 on every request after `initialize` names the negotiated revision. */
  function versionHeader(): Record<string, string> {
    const { protocolVersion } = JSON.parse(core.host.welcome) as { protocolVersion: string };
    return protocolVersion >= '2025-06-18' ? { 'mcp-protocol-version': protocolVersion } : {};
  }

  function send(
    method: string,
    text: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<IncomingMessage> {
    if (version === undefined && core.host.welcome !== '') version = versionHeader();
    return new Promise((resolve, reject) => {
      const outgoing = request(url, {
        method,
        agent: false,
        headers: {
          accept: options.accept ?? 'application/json, text/event-stream',
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
          ...version,
          ...options.headers,
          ...headers,
        },
      });
      open.add(outgoing);
      outgoing.once('close', () => open.delete(outgoing));
      outgoing.once('error', reject);
      outgoing.once('response', resolve);
      outgoing.end(text);
    });
  }

  /** Feeds the events of a stream to the host as they come; resolves at its end, also when it is cut. */
  async function readEvents(response: IncomingMessage): Promise<void> {
    const parser = createParser({
      onEvent(event) {
        if (event.id !== undefined) lastEventId = event.id;
        if (event.data !== '') core.receive(event.data);
      },
      onComment: (comment) => comments.push(comment),
    });
    response.setEncoding('utf8');
    try {
      for await (const chunk of response) parser.feed(chunk as string);
    } catch {
      // Cut by the test or by the gateway's end: what was asked for is resumed or fails by its own deadline.
    }
  }

  async function post(text: string): Promise<void> {
    const response = await send('POST', text);
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string') sessionId = session;
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && type.startsWith('text/event-stream')) {
      void readEvents(response);
      return;
    }
    const body = await readBody(response);
    if (response.statusCode === 200) {
      for (const one of body.startsWith('[')
        ? (JSON.parse(body) as unknown[]).map((m) => JSON.stringify(m))
        : [body])
        core.receive(one);
      return;
    }
    const isRequest = slice(text, 'method') !== undefined && slice(text, 'id') !== undefined;
    if (response.statusCode !== 202 || isRequest) throw new Error(`HTTP ${response.statusCode}: ${body}`);
  }

  const core = createHostCore(options, {
    send: post,
    async close() {
      for (const one of open) one.destroy();
      if (sessionId !== undefined) await readBody(await send('DELETE', undefined));
    },
  });
  const more: Omit<HttpHost, keyof Host> = {
    get sessionId() {
      return sessionId;
    },
    get lastEventId() {
      return lastEventId;
    },
    comments,
    async post(text, headers) {
      const response = await send('POST', text, headers);
      return { status: response.statusCode ?? 0, headers: response.headers, body: await readBody(response) };
    },
    async openStream(after) {
      const response = await send('GET', undefined, {
        accept: 'text/event-stream',
        ...(after === undefined ? {} : { 'last-event-id': after }),
      });
      if (response.statusCode === 200) void readEvents(response);
      else response.resume();
      return response.statusCode ?? 0;
    },
    cut() {
      for (const one of open) one.destroy();
    },
    async end() {
      const response = await send('DELETE', undefined);
      await readBody(response);
      return response.statusCode ?? 0;
    },
  };
  await core.initialize();
  return Object.defineProperties(core.host, Object.getOwnPropertyDescriptors(more)) as HttpHost;
}
