// The raw host of 2026-07-28 over Streamable HTTP: a POST a request, its response plain or a stream, closed to cancel.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import { encodeHeaderValue } from '../../src/protocol/param-headers.ts';
import { createModernHost, MODERN, type ModernHost, type ModernHostOptions } from './modern-host.ts';

/** A host of the endpoint `url`; nothing is sent before its first request. */
export function modernHttpHost(url: string, options: ModernHostOptions = {}): ModernHost {
  const open = new Map<string, ClientRequest>();

  async function read(response: IncomingMessage, receive: (text: string) => void): Promise<void> {
    response.setEncoding('utf8');
    if (response.headers['content-type']?.startsWith('text/event-stream')) {
      const parser = createParser({ onEvent: ({ data }) => data !== '' && receive(data) });
      for await (const chunk of response) parser.feed(chunk as string);
      return;
    }
    let body = '';
    for await (const chunk of response) body += chunk;
    if (!body.startsWith('{')) throw new Error(`HTTP ${response.statusCode}: ${body}`);
    receive(body);
  }

  return createModernHost(options, {
    async send({ id, method, name, text, headers }, receive) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request(url, {
          method: 'POST',
          agent: false,
          headers: {
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': MODERN,
            'mcp-method': method,
            ...(name === undefined ? {} : { 'mcp-name': encodeHeaderValue(name) }),
            ...headers,
          },
        });
        open.set(id, outgoing);
        outgoing.once('close', () => open.delete(id));
        outgoing.once('error', reject);
        outgoing.once('response', resolve);
        outgoing.end(text);
      });
      await read(response, receive);
      throw new Error('the response ended without a reply');
    },
    giveUp: ({ id }) => void open.get(id)?.destroy(),
    async close() {
      for (const one of open.values()) one.destroy();
    },
  });
}
