// Opens channels in tests: a connector over the real transport, and a record of everything the relay would see.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EraVerdicts } from '../../src/broker/types.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { ServerConfig } from '../../src/config/types.ts';
import type { Log, LogFields } from '../../src/log.ts';
import type { Reply } from '../../src/protocol/types.ts';
import { connectorFor } from '../../src/upstream/connector.ts';
import type {
  Connection,
  Era,
  UpstreamConnector,
  UpstreamNotification,
  UpstreamRequest,
} from '../../src/upstream/types.ts';
import { ROOT } from '../support/processes.ts';
import { until } from '../support/until.ts';
import type { FixtureUpstream } from '../support/upstream.ts';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

/** A log that keeps what it is told. */
export function recorder(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLine['level']) =>
    (fields: LogFields, message: string): void => {
      lines.push({ level, fields, message });
    };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export interface Seen {
  readonly questions: UpstreamRequest[];
  readonly notices: UpstreamNotification[];
  readonly closed: string[];
  readonly log: ReturnType<typeof recorder>;
  question(index?: number): Promise<UpstreamRequest>;
  notice(match: (notice: UpstreamNotification) => boolean): Promise<UpstreamNotification>;
}

export interface Opened extends Seen {
  readonly connection: Connection;
  /** `tools/call` with a ticket; rejects after the test. */
  call(name: string, args?: unknown, ticket?: string, signal?: AbortSignal): Promise<Reply>;
}

export interface OpenOptions {
  readonly clock?: Clock;
  readonly frameBytes?: number;
  readonly capabilities?: string;
  readonly signal?: AbortSignal;
  readonly seen?: Seen;
  readonly prefer?: Era;
  readonly verdicts?: EraVerdicts;
  /** Opens the connection in place of one made for it, so that several share what is known. */
  readonly connector?: UpstreamConnector;
}

const COMMON = { era: 'follow', isolation: undefined, callTimeout: 120_000, disabled: false } as const;

export function stdioServer(args: readonly string[], more: Partial<StdioPart> = {}): ServerConfig {
  return {
    name: 'github',
    ...COMMON,
    transport: 'stdio',
    command: process.execPath,
    args,
    env: {},
    cwd: process.cwd(),
    ...more,
  };
}
type StdioPart = Extract<ServerConfig, { transport: 'stdio' }>;

const DOUBLE = join(ROOT, 'fixtures', 'stdio-double.mjs');
const FIXTURE = join(ROOT, 'fixtures', 'upstream.mjs');

/** fixtures/stdio-double.mjs with one of its faults. */
export function double(fault: string, file?: string): ServerConfig {
  return stdioServer([DOUBLE, fault, ...(file === undefined ? [] : [file])]);
}

/** fixtures/upstream.mjs over stdio. */
export function fixture(...flags: string[]): ServerConfig {
  return stdioServer([FIXTURE, ...flags]);
}

export function httpServer(url: string, headers: Readonly<Record<string, string>> = {}): ServerConfig {
  return { name: 'linear', ...COMMON, transport: 'http', url, headers };
}

/** The config of a fixture upstream; `era` where it is not `follow`. */
export function configOf(
  { entry, transport }: FixtureUpstream,
  era: ServerConfig['era'] = 'follow',
): ServerConfig {
  const config =
    transport === 'http' ? httpServer(String(entry['url'])) : stdioServer(entry['args'] as string[]);
  return { ...config, era };
}

export function watcher(): Seen {
  const questions: UpstreamRequest[] = [];
  const notices: UpstreamNotification[] = [];
  return {
    questions,
    notices,
    closed: [],
    log: recorder(),
    question: (index = 0) => until(`question ${index}`, () => questions[index]),
    notice: (match) => until('a notice', () => notices.find(match)),
  };
}

export function connect(config: ServerConfig, options: OpenOptions = {}): UpstreamConnector {
  return connectorFor(config, {
    clock: options.clock ?? systemClock,
    log: options.seen?.log ?? recorder(),
    limits: { frameBytes: options.frameBytes ?? 16 * 1024 * 1024 },
    clientVersion: '0.0.0-test',
    ...(options.verdicts && { verdicts: options.verdicts }),
  });
}

export async function open(config: ServerConfig, options: OpenOptions = {}): Promise<Opened> {
  const seen = options.seen ?? watcher();
  const connector = options.connector ?? connect(config, { ...options, seen });
  const connection = await connector.open({
    ...(options.prefer && { prefer: options.prefer }),
    capabilities: options.capabilities ?? '{"elicitation":{"form":{},"url":{}}}',
    signal: options.signal ?? new AbortController().signal,
    handlers: {
      onRequest: (request) => seen.questions.push(request),
      onNotification: (notification) => seen.notices.push(notification),
      onClosed: (reason) => seen.closed.push(reason),
    },
  });
  onTestFinished(() => connection.close('the test is over'));
  return {
    ...seen,
    connection,
    call(name, args = {}, ticket = `call of ${name}`, signal = new AbortController().signal) {
      return connection.request('tools/call', JSON.stringify({ name, arguments: args }), { signal, ticket });
    },
  };
}

/** The parsed result of a reply that must be one. */
export function resultOf(reply: Reply): unknown {
  if ('error' in reply) throw new Error(`an error came back: ${reply.error}`);
  return JSON.parse(reply.result);
}

/** The first text of a tool result. */
export function textOf(reply: Reply): string {
  const { content } = resultOf(reply) as { content: readonly { text: string }[] };
  return content[0]?.text ?? '';
}
