// What the host side itself puts on the wire at 2026-07-28, on both transports, held against the schema.
import { expect, test } from 'vitest';
import { errorReply } from '../../../src/protocol/message.ts';
import { lintIfPresent } from '../../support/wire-lint.ts';
import { type Json, openEndpoint, openPipes } from '../support.ts';
import { call, MODERN, made, statelessDouble } from './support.ts';

const double = () =>
  statelessDouble({
    welcome: { capabilities: '{"tools":{"listChanged":true},"logging":{}}', instructions: 'Ask first.' },
    tools: { bad: () => errorReply(-32603, 'No.') },
  });

/** Requests, and the schema types of what each brings, in order. */
const EXCHANGES: readonly (readonly [string, { body: string; headers: Record<string, string> }, string])[] = [
  ['discovery', made('server/discover', {}, 'd'), 'DiscoverResult'],
  ['a result', call('a'), 'CallToolResult'],
  ['an error', call('bad'), 'JSONRPCErrorResponse'],
  ['an unknown method', made('ping'), 'JSONRPCErrorResponse'],
  [
    'another version',
    made('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }),
    'UnsupportedProtocolVersionError',
  ],
  [
    'half an envelope',
    made('tools/list', { _meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }),
    'JSONRPCErrorResponse',
  ],
];

const lint = (type: string, message: Json): string[] =>
  lintIfPresent(MODERN, type, 'result' in message ? message['result'] : message);

test.each(EXCHANGES)('%s', async (_what, { body, headers }, type) => {
  const { post } = await openEndpoint({ handler: double() });
  const versions = body.includes('2099') ? { 'mcp-protocol-version': '2099-01-01' } : {};
  expect(lint(type, (await (await post(body, { ...headers, ...versions })).json()) as Json)).toEqual([]);
  const { write, next } = openPipes({ handler: double() });
  write(body);
  expect(lint(type, await next())).toEqual([]);
});

test('a header that says something else', async () => {
  const { post } = await openEndpoint({ handler: double() });
  const { body, headers } = call('a');
  const response = await post(body, { ...headers, 'mcp-name': 'b' });
  expect(lint('HeaderMismatchError', (await response.json()) as Json)).toEqual([]);
});

test('a subscription from its acknowledgement to its end', async () => {
  const handler = double();
  const { write, next, served } = openPipes({ handler });
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['file:///a'],
  };
  write(made('subscriptions/listen', { notifications }).body);
  expect(lint('SubscriptionsAcknowledgedNotification', await next())).toEqual([]);
  const notices = [
    ['tools/list_changed', undefined, 'ToolListChangedNotification'],
    ['prompts/list_changed', '{}', 'PromptListChangedNotification'],
    ['resources/list_changed', '{}', 'ResourceListChangedNotification'],
    ['resources/updated', '{"uri":"file:///a"}', 'ResourceUpdatedNotification'],
  ] as const;
  for (const [what, params, type] of notices) {
    handler.listens[0]?.request.notify(`notifications/${what}`, params);
    expect(lint(type, await next())).toEqual([]);
  }
  const done = served.close('mcpx is stopping.');
  expect(lint('SubscriptionsListenResult', await next())).toEqual([]);
  await done;
});
