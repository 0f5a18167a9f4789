// A host made for measuring: kept-alive connections, one session, every inline question accepted at once.
import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import type { Scope } from '../support/create-scope.ts';

const ANSWER = '{"action":"accept","content":{"repo":"me/thing"}}';

export interface BenchClient {
  /** One `tools/call`, to its result. */
  call(tool: string, args?: string): Promise<void>;
}

/** Initializes at `url`; `capabilities` is raw JSON text. */
export async function connectClient(scope: Scope, url: string, capabilities: string): Promise<BenchClient> {
  const agent = new Agent({ connections: 64, bodyTimeout: 0, headersTimeout: 0 });
  scope.defer(() => agent.destroy());
  let headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  let nextId = 1;
  const post = (body: string) => request(url, { method: 'POST', headers, body, dispatcher: agent });

  const welcome = await post(
    `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":${capabilities},"clientInfo":{"name":"bench","version":"1.0.0"}}}`,
  );
  const text = await welcome.body.text();
  if (welcome.statusCode !== 200) throw new Error(`initialize at ${url}: HTTP ${welcome.statusCode} ${text}`);
  const session = welcome.headers['mcp-session-id'];
  headers = { ...headers, 'mcp-protocol-version': '2025-11-25' };
  if (typeof session === 'string') headers['mcp-session-id'] = session;
  await (await post('{"jsonrpc":"2.0","method":"notifications/initialized"}')).body.dump();

  function finish(reply: { error?: unknown; result?: { isError?: boolean } }): void {
    if (reply.error || reply.result?.isError) throw new Error(`the call failed: ${JSON.stringify(reply)}`);
  }

  return {
    async call(tool, args = '{}') {
      const { body, headers: got } = await post(
        `{"jsonrpc":"2.0","id":${nextId++},"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
      );
      if (!String(got['content-type']).startsWith('text/event-stream')) {
        finish(JSON.parse(await body.text()));
        return;
      }
      const answers: Promise<unknown>[] = [];
      const parser = createParser({
        onEvent({ data }) {
          // The first event of a stream may only give an id to resume from.
          if (data === '') return;
          const message = JSON.parse(data);
          if (message.method === 'elicitation/create') {
            const reply = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${ANSWER}}`;
            answers.push(post(reply).then((response) => response.body.dump()));
          } else if (message.method === undefined) finish(message);
        },
      });
      for await (const chunk of body) parser.feed(String(chunk));
      await Promise.all(answers);
    },
  };
}
