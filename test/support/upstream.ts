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
  /** Over HTTP with `spawn`, the process; over stdio mcpx starts it. */
  readonly process: Running | undefined;
}

export interface UpstreamOptions {
  readonly transport: 'stdio' | 'http';
  readonly revision?: string;
  /** More flags of the fixture. */
  readonly flags?: readonly string[];
  /** More keys of its config entry: `isolation`, `callTimeout` … */
  readonly entry?: Readonly<Record<string, unknown>>;
  /** Over HTTP: in a process of its own, for tests that end it. */
  readonly spawn?: boolean;
}

export const FIXTURE = join(ROOT, 'fixtures', 'upstream.mjs');
export const MODERN_FIXTURE = join(ROOT, 'fixtures', 'modern-upstream.mjs');

/** Makes a fixture upstream ready (at 2026-07-28 fixtures/modern-upstream.mjs): over HTTP it runs when this resolves, over stdio mcpx will start it. */
export async function fixtureUpstream(scope: Scope, options: UpstreamOptions): Promise<FixtureUpstream> {
  const revision = options.revision ?? '2025-11-25';
  const file = join(scope.dir(), 'journal.ndjson');
  const isModern = revision === '2026-07-28';
  const flags = [...(isModern ? [] : ['--revision', revision]), ...(options.flags ?? [])];
  const args = [isModern ? MODERN_FIXTURE : FIXTURE, ...flags, '--journal', file];
  let entry: Record<string, unknown> = { command: process.execPath, args };
  let running: Running | undefined;
  let entries = (): readonly JournalEntry[] => readJournal(file);
  if (options.transport === 'http' && options.spawn) {
    running = startNode(scope, [...args, '--http']);
    entry = { url: await running.line((line) => line.startsWith('http://')) };
  } else if (options.transport === 'http') {
    const inside = await listen(isModern ? 'modern-upstream' : 'upstream', [...flags, '--http']);
    scope.defer(() => inside.close());
    entry = { url: inside.url };
    entries = () => inside.entries;
  }
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

function readJournal(file: string): JournalEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

interface Inside {
  readonly url: string;
  /** Its journal, in memory. */
  readonly entries: readonly JournalEntry[];
  close(): Promise<void>;
}

/** Runs the fixture's HTTP listener inside the test: the same files, read by Node. */
async function listen(folder: 'upstream' | 'modern-upstream', argv: readonly string[]): Promise<Inside> {
  const load = (path: string): Promise<Record<string, unknown>> =>
    import(/* @vite-ignore */ new URL(`../../fixtures/${path}`, import.meta.url).href);
  const { readFlags } = (await load(`${folder}/flags.mjs`)) as { readFlags(argv: readonly string[]): object };
  const { createShared } = (await load('upstream/shared.mjs')) as {
    createShared(): { readonly entries: readonly JournalEntry[] };
  };
  const { listenHttp } = (await load(`${folder}/http.mjs`)) as {
    listenHttp(parts: object): Promise<Omit<Inside, 'entries'>>;
  };
  const shared = createShared();
  return { ...(await listenHttp({ flags: readFlags(argv), shared })), entries: shared.entries };
}
