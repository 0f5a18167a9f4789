// A gateway before a hostile server, an honest one beside it, and a host of each: how long does the honest host's call wait?
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SCHEMAS } from '../../fixtures/bombs.mjs';
import type { Scope } from './create-scope.ts';
import { type HttpGateway, startGateway } from './gateway.ts';
import { type Host, toolText } from './host.ts';
import type { HttpHost } from './host-http.ts';
import { ROOT } from './processes.ts';
import { restOf } from './rest.ts';
import { until } from './until.ts';

export const BOMBS: readonly string[] = Object.keys(SCHEMAS);
const HOOK = join(ROOT, 'test', 'support', 'stalls.mjs');
const PROGRAM = join(ROOT, 'fixtures', 'bomb-upstream.mjs');

/**
 * Milliseconds of CPU that the gateway's main thread may take without a pause: far above the 50 that are aimed at, since a
 * busy machine makes work dearer, and far below the second and more that each of these cost before.
 */
export const STRETCH = 400;

export interface Siege {
  readonly gateway: HttpGateway;
  /** Calls the hostile servers, `bomb` and `modern`. */
  readonly attacker: HttpHost;
  /** The same; shows questions, and accepts each at once. */
  readonly shower: HttpHost;
  /** Calls the honest one. */
  readonly other: HttpHost;
  /** The longest that the gateway's main thread worked without a pause since the last look; CPU milliseconds. */
  stall(): number;
}

/** Three servers, two of them hostile, and three hosts. */
export async function siege(scope: Scope): Promise<Siege> {
  const entry = (...flags: string[]) => ({ command: process.execPath, args: [PROGRAM, ...flags] });
  const rules = [{ name: 'dear', match: { server: 'bomb', message: '^(a+)+$' }, do: 'decline' }];
  const stalls = join(scope.dir(), 'stalls');
  const gateway = await startGateway(scope, {
    // What is measured is the main thread of a gateway of its own.
    spawn: true,
    servers: { bomb: entry(), modern: entry('--modern'), honest: entry() },
    config: { elicit: { rules } },
    env: { MCPX_STALLS: stalls, NODE_OPTIONS: `--import ${pathToFileURL(HOOK).href}` },
  });
  const stallsNow = (): number[] =>
    existsSync(stalls) ? readFileSync(stalls, 'utf8').split('\n').map(Number) : [];
  let seen = 0;
  const siege = {
    gateway,
    stall() {
      const all = stallsNow();
      const longest = Math.max(0, ...all.slice(seen));
      seen = all.length - 1;
      return longest;
    },
    attacker: await gateway.connect({}),
    shower: await gateway.connect({
      capabilities: '{"elicitation":{}}',
      answer: () => ({ result: '{"action":"accept","content":{}}' }),
    }),
    other: await gateway.connect({}),
  };
  await quick(siege.other);
  // Whatever starting cost.
  siege.stall();
  if (stallsNow().length === 0) throw new Error('nothing is measured in the gateway');
  return siege;
}

/** Tools of a server as the gateway names them. */
export const toolOf = (server: string, tool: string): string => `${server}__${tool}`;

/**
 * Calls a tool of a hostile server and throws its result away: reading a large one here would hold up the other host of
 * this process, and it is the gateway that is measured. Resolves with its bytes.
 */
export async function discard({ gateway }: Siege, tool: string, args: object): Promise<number> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const post = async (message: object): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return fetch(gateway.url, { method: 'POST', headers, body });
  };
  const clientInfo = { name: 'an attacker', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const welcome = await post({ id: 1, method: 'initialize', params });
  await welcome.body?.cancel();
  headers['mcp-session-id'] = welcome.headers.get('mcp-session-id') ?? '';
  headers['mcp-protocol-version'] = '2025-11-25';
  await post({ method: 'notifications/initialized' });
  const reply = await post({ id: 2, method: 'tools/call', params: { name: tool, arguments: args } });
  return (await reply.arrayBuffer()).byteLength;
}

async function quick(host: Host): Promise<number> {
  const start = performance.now();
  await host.call(toolOf('honest', 'quick'), {}, 60_000);
  return performance.now() - start;
}

export interface Waited {
  /** Milliseconds; of the other host's calls while the work ran. */
  readonly worst: number;
  readonly median: number;
  readonly calls: number;
  /** Of the work itself. */
  readonly took: number;
}

/** Runs `work` and calls the honest server all the while, one call after the other. */
export async function waitedWhile(other: Host, work: () => Promise<unknown>): Promise<Waited> {
  let running = true;
  const start = performance.now();
  const done = work().finally(() => {
    running = false;
  });
  // What the work throws is said at the end.
  done.catch(() => undefined);
  const times: number[] = [];
  do {
    times.push(await quick(other));
    await new Promise((resolve) => setTimeout(resolve, 2));
  } while (running);
  await done;
  const took = performance.now() - start;
  const sorted = [...times].sort((a, b) => a - b);
  return {
    worst: sorted.at(-1) ?? 0,
    median: sorted[sorted.length >> 1] ?? 0,
    calls: times.length,
    took,
  };
}

/** How the questions of a call of `schemas` or `plain` ended: `{"accept": 3, "-32602": 1}`. */
export async function answersOf(host: Host, tool: string, args: object): Promise<Record<string, number>> {
  const reply = await host.startCall(tool, args).reply;
  return JSON.parse(toolText(reply)) as Record<string, number>;
}

/** Ten of a bomb at once: its questions open, are accepted over HTTP with the dear answer, and what is left is declined. */
export async function explode({ gateway, attacker }: Siege, bomb: string, times = 10): Promise<number[]> {
  const rest = restOf(gateway);
  const call = answersOf(attacker, toolOf('bomb', 'schemas'), { bomb, times });
  let over = false;
  call
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  const rows = await until(
    'the questions',
    async () => {
      // Another server may be asking meanwhile.
      const found = (await rest.rows()).filter(({ server }) => server === 'bomb');
      return over || found.length === times ? found : undefined;
    },
    60_000,
  );
  const content = SCHEMAS[bomb]?.answer ?? {};
  const accepted = await Promise.all(
    rows.map(({ id }) => rest.post(`/v1/elicit/${id}/accept`, { content, defaults: false })),
  );
  await Promise.all(rows.map(({ id }) => rest.post(`/v1/elicit/${id}/decline`)));
  await call;
  return accepted.map(({ status }) => status);
}
