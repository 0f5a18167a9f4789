// The fixture upstream (fixtures/upstream.mjs) as a test sees it: an entry for the config, and the journal of what reached it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './create-scope.ts';
import { ROOT, type Running, startNode } from './processes.ts';
import { until } from './until.ts';

/** One message (or HTTP request) that reached the upstream; `text` is exactly what came. */
export interface JournalEntry {
  readonly at: number;
  /** Of the fixture process. */
  readonly pid: number;
  readonly dir: 'in' | 'out';
  /** `close`: a modern HTTP client has closed the response of a request before it was over; `text` is `''` then. */
  readonly via?: 'stdin' | 'POST' | 'GET' | 'DELETE' | 'close';
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface FixtureUpstream {
  /** Its entry in `mcpServers`. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly transport: 'stdio' | 'http';
  readonly revision: string;
  /** What reached it. */
  journal(): JournalEntry[];
  /** Both directions, for `checkWire`. */
  wire(): JournalEntry[];
  /** The entries that are messages, parsed. */
  messages(): Record<string, unknown>[];
  /** Waits for a message that `match` accepts. */
  message(
    what: string,
    match: (message: Record<string, unknown>) => boolean,
    ms?: number,
  ): Promise<Record<string, unknown>>;
  /** Over HTTP, the process; undefined for stdio, where mcpx starts it. */
  readonly process: Running | undefined;
}

export interface UpstreamOptions {
  readonly transport: 'stdio' | 'http';
  readonly revision?: string;
  /** More flags of the fixture. */
  readonly flags?: readonly string[];
  /** More keys of its config entry: `isolation`, `callTimeout` … */
  readonly entry?: Readonly<Record<string, unknown>>;
}

export const FIXTURE = join(ROOT, 'fixtures', 'upstream.mjs');
export const MODERN_FIXTURE = join(ROOT, 'fixtures', 'modern-upstream.mjs');

/** Makes a fixture upstream ready (at 2026-07-28 fixtures/modern-upstream.mjs): over HTTP it runs when this resolves, over stdio mcpx will start it. */
export async function fixtureUpstream(scope: Scope, options: UpstreamOptions): Promise<FixtureUpstream> {
  const revision = options.revision ?? '2025-11-25';
  const file = join(scope.dir(), 'journal.ndjson');
  const program = revision === '2026-07-28' ? [MODERN_FIXTURE] : [FIXTURE, '--revision', revision];
  const args = [...program, '--journal', file, ...(options.flags ?? [])];
  let entry: Record<string, unknown> = { command: process.execPath, args };
  let running: Running | undefined;
  if (options.transport === 'http') {
    running = startNode(scope, [...args, '--http']);
    entry = { url: await running.line((line) => line.startsWith('http://')) };
  }
  const entries = (): JournalEntry[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as JournalEntry)
      : [];
  const journal = (): JournalEntry[] => entries().filter(({ dir }) => dir === 'in');
  const messages = (): Record<string, unknown>[] =>
    journal()
      .filter(({ text }) => text !== '')
      .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  return {
    entry: { ...entry, ...options.entry },
    transport: options.transport,
    revision,
    journal,
    wire: () => entries().filter(({ text }) => text !== ''),
    messages,
    message: (what, match, ms) => until(`${what} to reach the upstream`, () => messages().find(match), ms),
    process: running,
  };
}
