// Answers that a stateless host brings without a state of mcpx's: a server that knows them by their keys may take them.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { ROOT, startNode } from '../support/processes.ts';
import { testScope } from '../support/scope.ts';

const FIXTURE = join(ROOT, 'fixtures', 'conformance', 'upstream.mjs');
const REVISION = '2026-07-28';
const TOOL = 'test_input_required_result_elicitation';

async function start(...flags: string[]) {
  const scope = testScope();
  const upstream = startNode(scope, [FIXTURE, ...flags]);
  const url = await upstream.line((line) => line.startsWith('http://'));
  const gateway = await startGateway(scope, { servers: { suite: { url } } });
  return async (inputResponses: object) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const params = { name: TOOL, arguments: {}, inputResponses, _meta };
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': REVISION,
        'mcp-method': 'tools/call',
        'mcp-name': TOOL,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return (await response.json()) as { result?: object; error?: object };
  };
}

const ANSWER = { action: 'accept', content: { name: 'Alice' } };

test('a modern server takes the keys it knows and asks for what is missing', async () => {
  const call = await start();
  expect(await call({ user_name: ANSWER, unknown: ANSWER })).toMatchObject({
    result: { resultType: 'complete', content: [{ text: 'Hello, Alice!' }] },
  });
  expect(await call({ unknown: ANSWER })).toMatchObject({
    result: { resultType: 'input_required', inputRequests: { user_name: { method: 'elicitation/create' } } },
  });
  expect(await call({ user_name: 12 })).toMatchObject({ error: { code: -32602 } });
});

test('a legacy server, which cannot have asked, never sees them', async () => {
  const call = await start('--legacy');
  expect(await call({ user_name: ANSWER })).toMatchObject({ result: { resultType: 'input_required' } });
});
