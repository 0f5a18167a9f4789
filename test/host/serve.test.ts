// Both transports end to end: a raw host and the official client, a question in the middle of a call.
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { serveHttp } from '../../src/host/http.ts';
import { serveStdio } from '../../src/host/stdio.ts';
import { silent } from '../../src/log.ts';
import { createHandler } from '../support/host-handler.ts';
import { connectHttpHost } from '../support/host-http.ts';
import { connectStdioHost } from '../support/host-stdio.ts';

const base = { serverInfo: { name: 'mcpx', version: '1', title: 'mcpx' }, log: silent, clock: systemClock };

test('stdio', async () => {
  const handler = createHandler();
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio({
    ...base,
    handler,
    input,
    output,
    principal: 'local',
    limits: { frameBytes: 1e6 },
  });
  const host = await connectStdioHost(
    { stdin: input, stdout: output },
    { answer: () => ({ result: '{"action":"accept","content":{}}' }) },
  );
  expect(await host.request('echo', '{"a":1.0}')).toBe('{"a":1.0}');
  expect(await host.request('ask', '{"message":"hi"}')).toBe(
    '{"result":"{\\"action\\":\\"accept\\",\\"content\\":{}}"}',
  );
  await host.close();
  await served.done;
  expect(handler.endings).toHaveLength(1);
});

test('http', async () => {
  const handler = createHandler();
  const served = await serveHttp({
    ...base,
    handler,
    host: '127.0.0.1',
    port: 0,
    limits: { frameBytes: 1e6, sessions: 5 },
    allowedHosts: [],
    allowedOrigins: [],
  });
  const host = await connectHttpHost(served.url, {
    answer: () => ({ result: '{"action":"accept","content":{}}' }),
  });
  expect(await host.request('echo', '{"a":1.0}')).toBe('{"a":1.0}');
  expect(await host.request('ask', '{"message":"hi"}')).toBe(
    '{"result":"{\\"action\\":\\"accept\\",\\"content\\":{}}"}',
  );
  await host.close();
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' as const }));
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
  expect(await client.listTools()).toEqual({ tools: [] });
  await client.close();
  await served.close('The test is over.');
  expect(handler.endings).toContain('The test is over.');
});
