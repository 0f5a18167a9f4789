// The official SDK (v1) on both sides of mcpx: a host and a server that others have written, over each pair of transports.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CallToolResultSchema,
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScope, type Scope } from '../support/create-scope.ts';
import { type Installation, install, MCPX, serveHttp } from '../support/gateway.ts';
import { cleanEnv, ROOT, startNode } from '../support/processes.ts';
import { until, within } from '../support/until.ts';

const SDK = join(ROOT, 'fixtures', 'sdk-server.mjs');

type Answer = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

/** A host, and everything it was told. */
interface Host {
  readonly client: Client;
  readonly told: { method: string; params: unknown }[];
  answer: Answer;
}

async function newHost(
  transport: Parameters<Client['connect']>[0],
  elicitation?: ClientCapabilities['elicitation'],
): Promise<Host> {
  const capabilities = {
    sampling: {},
    roots: { listChanged: true },
    ...(elicitation === undefined ? {} : { elicitation }),
  };
  const client = new Client({ name: 'sdk-host', version: '1' }, { capabilities });
  const host: Host = { client, told: [], answer: () => ({ action: 'cancel' }) };
  if (elicitation !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => host.answer(params));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'Something.' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home/me' }] }));
  for (const schema of [
    ElicitationCompleteNotificationSchema,
    LoggingMessageNotificationSchema,
    ResourceUpdatedNotificationSchema,
    ToolListChangedNotificationSchema,
  ])
    client.setNotificationHandler(schema, ({ method, params }) => void host.told.push({ method, params }));
  await client.connect(transport);
  return host;
}

async function call(client: Client, name: string, given = {}, options = {}): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: given }, CallToolResultSchema, options);
  const [first] = content as { text: string }[];
  return JSON.parse(first?.text ?? 'null');
}

const PAIRS = [
  ['stdio', 'stdio'],
  ['stdio', 'HTTP'],
  ['HTTP', 'stdio'],
  ['HTTP', 'HTTP'],
] as const;

describe.each(PAIRS)('host over %s, server over %s', (hostOver, serverOver) => {
  let scope: Scope;
  let installation: Installation;
  /** Takes form and url questions. */
  let host: Host;
  let connect: (elicitation?: ClientCapabilities['elicitation']) => Promise<Host>;

  beforeAll(async () => {
    scope = createScope();
    installation = install(scope, { spawn: true, servers: { sdk: await server() } });
    if (hostOver === 'HTTP') {
      const { url } = await serveHttp(scope, installation);
      connect = (elicitation) => newHost(new StreamableHTTPClientTransport(new URL(url)), elicitation);
    } else {
      const env = cleanEnv(installation.env) as Record<string, string>;
      const args = [MCPX, 'serve', '--stdio'];
      connect = (elicitation) =>
        newHost(
          new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }),
          elicitation,
        );
    }
    const plain = connect;
    connect = async (elicitation) => {
      const connected = await plain(elicitation);
      scope.defer(() => connected.client.close());
      return connected;
    };
    host = await connect({ form: {}, url: {} });
  });
  afterAll(() => scope.close());

  async function server(): Promise<object> {
    if (serverOver === 'stdio') return { command: process.execPath, args: [SDK, '--full'] };
    const running = startNode(scope, [SDK, '--http', '--full']);
    return { url: await running.line((line) => line.startsWith('http://')) };
  }

  /** What the host is told by `method`, once `again` has been done as often as it takes for the notice to come. */
  const notice = (method: string, again: () => Promise<unknown>): Promise<{ params: unknown }> =>
    until(method, async () => {
      await again();
      return host.told.find((one) => one.method === method);
    });

  test('a form is answered inline', async () => {
    const asked: unknown[] = [];
    host.answer = (params) => {
      asked.push(params);
      return { action: 'accept', content: { repo: 'me/thing' } };
    };
    expect(await call(host.client, 'ask')).toEqual({ action: 'accept', content: { repo: 'me/thing' } });
    expect(asked).toEqual([expect.objectContaining({ message: 'sdk (via mcpx) asks: Which repository?' })]);
    for (const action of ['decline', 'cancel'] as const) {
      host.answer = () => ({ action });
      expect(await call(host.client, 'ask')).toEqual({ action });
    }
  });

  test('a form is answered by mcpx elicit for a host that cannot ask', async () => {
    const mute = await connect();
    const called = call(mute.client, 'ask');
    const row = await until('the row', async () => (await installation.rows())[0]);
    await installation.mcpx(['elicit', 'accept', row.id, '-F', 'repo=me/other']);
    expect(await called).toEqual({ action: 'accept', content: { repo: 'me/other' } });
  });

  test('a url is shown inline, and its end is told once', async () => {
    const asked: ElicitRequest['params'][] = [];
    host.answer = (params) => {
      asked.push(params);
      return { action: 'accept' };
    };
    expect(await call(host.client, 'ask-url')).toEqual({ action: 'accept' });
    const id = (asked[0] as { elicitationId: string }).elicitationId;
    expect(asked).toEqual([expect.objectContaining({ mode: 'url', url: 'https://example.com/sign-in' })]);
    expect(id).not.toBe('sign-in');
    const { method } = ElicitationCompleteNotificationSchema.shape;
    const complete = () => host.told.filter((one) => one.method === method.value);
    await until('the end', () => complete().length > 0);
    expect(complete().map(({ params }) => params)).toEqual([{ elicitationId: id }]);
  });

  test('a url that a call needs first is asked for, and the call made once more', async () => {
    const other = await connect({ form: {}, url: {} });
    const shown = new Promise<void>((resolve) => {
      other.answer = () => {
        resolve();
        return { action: 'accept' };
      };
    });
    const called = call(other.client, 'needs-url');
    await within('the question', shown);
    let over = false;
    void called.finally(() => {
      over = true;
    });
    // A notice without a request behind it needs the GET stream, which may not be open yet.
    await until('the result', async () => {
      await call(other.client, 'sign-in');
      return over;
    });
    expect(await called).toBe('signed in');
  });

  test('progress comes in order under the token of the host', async () => {
    const progress: unknown[] = [];
    const onprogress = (params: unknown) => {
      if (progress.push(params) === 3) void call(host.client, 'finish');
    };
    expect(await call(host.client, 'progress', {}, { onprogress })).toBe('done');
    expect(progress).toEqual(
      [1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })),
    );
  });

  test('log messages come at the level that the host set', async () => {
    await host.client.setLoggingLevel('warning');
    const { params } = await notice('notifications/message', () => call(host.client, 'log'));
    expect(params).toEqual({ level: 'error', logger: 'sdk', data: 'error' });
    const levels = host.told.filter(({ method }) => method === 'notifications/message');
    expect(levels.map(({ params }) => (params as { level: string }).level)).not.toContain('debug');
  });

  test('a tool that is added is told of, listed and called', async () => {
    let names = 0;
    await notice('notifications/tools/list_changed', () => {
      names += 1;
      return call(host.client, 'grow', { name: `grown-${names}` });
    });
    const { tools } = await host.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('grown-1');
    expect(await call(host.client, 'grown-1')).toBe('grown-1');
  });

  test('a resource is read, subscribed to and told of', async () => {
    const uri = 'test://watched';
    const { contents } = await host.client.readResource({ uri });
    expect(contents).toEqual([{ uri, text: `The content of ${uri}.` }]);
    expect(await host.client.subscribeResource({ uri })).toEqual({});
    const { params } = await notice('notifications/resources/updated', () => call(host.client, 'touch'));
    expect(params).toEqual({ uri });
    expect(await host.client.unsubscribeResource({ uri })).toEqual({});
    expect((await host.client.readResource({ uri: 'test://city/rome' })).contents).toHaveLength(1);
  });

  test('arguments of prompts and templates are completed; a prompt is given', async () => {
    const argument = { name: 'city', value: 'pa' };
    for (const ref of [
      { type: 'ref/prompt', name: 'visit' },
      { type: 'ref/resource', uri: 'test://city/{city}' },
    ] as const) {
      const { completion } = await host.client.complete({ ref, argument });
      expect(completion.values).toEqual(['paris', 'park']);
    }
    const { messages } = await host.client.getPrompt({ name: 'visit', arguments: { city: 'rome' } });
    expect(messages[0]?.content).toEqual({ type: 'text', text: 'Let us go to rome.' });
  });

  test('a list comes in its pages', async () => {
    const uris: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const page = await host.client.listResources(cursor === undefined ? {} : { cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect([pages, uris]).toEqual([3, ['watched', 'b', 'c', 'd', 'e'].map((name) => `test://${name}`)]);
  });

  test('a call that the host gives up is given up at the server', async () => {
    const before = Number(await call(host.client, 'aborted'));
    const stop = new AbortController();
    const options = { signal: stop.signal, onprogress: () => stop.abort('enough') };
    await expect(call(host.client, 'linger', {}, options)).rejects.toThrow('enough');
    await until('the end at the server', async () => (await call(host.client, 'aborted')) === before + 1);
  });

  test('the server asks for a model and for roots', async () => {
    expect(await call(host.client, 'sample')).toBe('Something.');
    expect(await call(host.client, 'roots')).toEqual(['file:///home/me']);
  });
});
