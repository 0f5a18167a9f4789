// A raw Streamable HTTP server in the test itself: it records every request, and answers as the test says.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from '../support/until.ts';

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Hit {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; empty where there is none. */
  readonly message: Message;
  readonly res: ServerResponse;
  /** The client has gone before the response was over. */
  gone: boolean;
}

/** Answers a request; returns false to leave it to what the double does by itself. */
export type Answer = (hit: Hit, res: ServerResponse) => unknown;

export interface HttpDouble {
  readonly url: string;
  readonly hits: Hit[];
  /** Waits for a request that `match` accepts, the `index`th of them. */
  hit(what: string, match: (hit: Hit) => boolean, index?: number): Promise<Hit>;
  /** Waits for the `index`th request or notification of this JSON-RPC method. */
  sent(method: string, index?: number): Promise<Hit>;
  /** Breaks every connection and listens no more. */
  end(): void;
}

export const sse = (res: ServerResponse): ServerResponse => {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
  return res;
};

export const json = (res: ServerResponse, value: unknown, status = 200): void => {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(typeof value === 'string' ? value : JSON.stringify(value));
};

export const event = (value: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

export const result = (id: unknown, value: unknown = { content: [{ type: 'text', text: 'done' }] }) => ({
  jsonrpc: '2.0',
  id,
  result: value,
});

export const question = (id: unknown, message = 'Which?') => ({
  jsonrpc: '2.0',
  id,
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: {} } },
});

/** Left to itself it shakes hands with a session `session-N`, takes what needs no answer, and has no GET stream. */
export async function httpDouble(answer: Answer = () => false, session = true): Promise<HttpDouble> {
  const hits: Hit[] = [];
  let sessions = 0;
  const byItself = (hit: Hit, res: ServerResponse): unknown => {
    const { message } = hit;
    if (hit.method === 'GET') return res.writeHead(405).end();
    if (hit.method === 'DELETE') return res.writeHead(200).end();
    if (message.method === 'initialize') {
      sessions += 1;
      if (session) res.setHeader('mcp-session-id', `session-${sessions}`);
      const { protocolVersion } = message.params ?? {};
      const serverInfo = { name: 'double', version: '1' };
      return json(res, result(message.id, { protocolVersion, capabilities: {}, serverInfo }));
    }
    if (message.method === undefined || message.id === undefined) return res.writeHead(202).end();
    return json(res, result(message.id));
  };
  const server = createServer(async (req: IncomingMessage, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const message = text === '' ? {} : (JSON.parse(text) as Message);
    const { method = '', url: path = '', headers } = req;
    const hit: Hit = { method, path, headers, text, message, res, gone: false };
    res.on('close', () => {
      hit.gone = !res.writableFinished;
    });
    hits.push(hit);
    // A full buffer makes write() return false too.
    if (answer(hit, res) === false && !res.headersSent && !res.destroyed) byItself(hit, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const hit: HttpDouble['hit'] = (what, match, index = 0) => until(what, () => hits.filter(match)[index]);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    hits,
    hit,
    end: () => {
      server.close();
      server.closeAllConnections();
    },
    sent: (method, index) => hit(`${method} to be sent`, ({ message }) => message.method === method, index),
  };
}
