// The official SDKs of both eras on either side of mcpx, over each pair of transports: a question asked, answered and refused.
import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScope } from '../support/create-scope.ts';
import { type HttpGateway, install, MCPX, serveHttp } from '../support/gateway.ts';
import { cleanEnv, ROOT, startNode } from '../support/processes.ts';
import { until, within } from '../support/until.ts';

const ERAS = ['legacy', 'modern'] as const;
const TRANSPORTS = ['stdio', 'http'] as const;
type Era = (typeof ERAS)[number];
type Transport = (typeof TRANSPORTS)[number];

const SERVERS: Readonly<Record<Era, readonly string[]>> = {
  legacy: [join(ROOT, 'fixtures', 'sdk-server.mjs')],
  modern: [join(ROOT, 'fixtures', 'sdk2-server.mjs'), '--modern-only'],
};

type Answer = { action: 'accept'; content: { repo: string } } | { action: 'decline' };

/** A host made with the SDK of its era. */
interface Host {
  /** What it was asked, and what it answers next. */
  readonly asked: string[];
  answer: Answer;
  /** The text of a tool's result, parsed. */
  call(tool: string): Promise<unknown>;
}

const scope = createScope();
const hosts = new Map<string, Host>();
let gateway: HttpGateway;
let walked = 0;

const serverOf = (era: Era, transport: Transport): string => `${era}-${transport}`;

beforeAll(async () => {
  const servers: Record<string, unknown> = {};
  for (const era of ERAS) {
    servers[serverOf(era, 'stdio')] = { command: process.execPath, args: SERVERS[era] };
    const running = startNode(scope, [...SERVERS[era], '--http']);
    servers[serverOf(era, 'http')] = { url: await running.line((line) => line.startsWith('http://')) };
  }
  gateway = await serveHttp(scope, install(scope, { servers }));
  for (const era of ERAS)
    for (const transport of TRANSPORTS)
      for (const able of [true, false])
        hosts.set(`${era} ${transport} ${able}`, await connect(era, transport, able));
}, 60_000);

afterAll(async () => {
  await scope.close();
  console.log(
    `sdk matrix: ${walked} cells of the official SDKs: asked, accepted, declined, and kept by the broker`,
  );
}, 60_000);

async function connect(era: Era, over: Transport, able: boolean): Promise<Host> {
  const child = {
    command: process.execPath,
    args: [MCPX, 'serve', '--stdio'],
    env: cleanEnv(gateway.env) as Record<string, string>,
    stderr: 'ignore' as const,
  };
  const asked: string[] = [];
  const capabilities = able ? { elicitation: { form: {} } } : {};
  const answer = (message: string): Answer => {
    asked.push(message);
    return host.answer;
  };
  const client = era === 'legacy' ? await legacy() : await modern();
  scope.defer(() => client.close());
  const host: Host = {
    asked,
    answer: { action: 'decline' },
    async call(name) {
      const called: Promise<unknown> = client.callTool({ name });
      const { content } = (await within(`the result of ${name}`, called, 20_000)) as {
        content: { text: string }[];
      };
      return JSON.parse(content[0]?.text ?? '') as unknown;
    },
  };
  return host;

  async function legacy(): Promise<LegacyClient> {
    const one = new LegacyClient({ name: 'sdk1-host', version: '1' }, { capabilities });
    if (able) one.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    const transport = over === 'stdio' ? new LegacyStdio(child) : new LegacyHttp(new URL(gateway.url));
    await one.connect(transport as Parameters<LegacyClient['connect']>[0]);
    return one;
  }
  async function modern(): Promise<ModernClient> {
    const one = new ModernClient(
      { name: 'sdk2-host', version: '2' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    if (able) one.setRequestHandler('elicitation/create', async ({ params }) => answer(params.message));
    await one.connect(over === 'stdio' ? new ModernStdio(child) : new ModernHttp(new URL(gateway.url)));
    return one;
  }
}

/** What the tool `ask` of either server got as its answer. */
const answerIn = (result: unknown): unknown =>
  typeof result === 'object' && result !== null && 'answer' in result ? result.answer : result;

const CELLS = ERAS.flatMap((host) =>
  TRANSPORTS.flatMap((hostOver) =>
    ERAS.flatMap((server) => TRANSPORTS.map((serverOver) => ({ host, hostOver, server, serverOver }))),
  ),
);

test.each(CELLS)(
  'a $host host over $hostOver, a $server server over $serverOver',
  async ({ host, hostOver, server, serverOver }) => {
    const name = serverOf(server, serverOver);
    const able = hosts.get(`${host} ${hostOver} true`);
    const mute = hosts.get(`${host} ${hostOver} false`);
    if (!able || !mute) throw new Error('no such host');
    const from = able.asked.length;
    for (const answer of [
      { action: 'accept', content: { repo: `${host}/${server}` } },
      { action: 'decline' },
    ] as const) {
      able.answer = answer;
      expect(answerIn(await able.call(`${name}__ask`))).toEqual(answer);
    }
    const question = `${name} (via mcpx) asks: Which repository?`;
    expect(able.asked.slice(from)).toEqual([question, question]);

    const called = mute.call(`${name}__ask`);
    const row = await until('the row', async () => (await gateway.rows())[0]);
    expect(await gateway.mcpx(['elicit', 'accept', row.id, '-F', 'repo=by/hand'])).toMatchObject({ code: 0 });
    expect(answerIn(await called)).toEqual({ action: 'accept', content: { repo: 'by/hand' } });
    walked += 1;
  },
  60_000,
);
