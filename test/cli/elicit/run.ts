// Runs `mcpx …` in this process on a store in a temporary directory, with a gateway's broker beside it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { openBroker } from '../../../src/broker/open.ts';
import type { Broker, NewRow, Row } from '../../../src/broker/types.ts';
import type { Edge, SignalName } from '../../../src/cli/edge.ts';
import { main } from '../../../src/cli/main.ts';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { silent } from '../../../src/log.ts';
import { serveApiOf, TOKEN } from '../../api/support.ts';
import { where } from './where.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface How {
  readonly stdin?: string | Edge['stdin'];
  readonly stderr?: Edge['stderr'];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly clock?: Clock;
  /** Makes stdout a terminal of this width. */
  readonly columns?: number;
}

/** A command that runs: what it printed so far, and how to stop it. */
export interface Running {
  /** Resolves when stdout holds at least `count` lines. */
  lines(count: number): Promise<string[]>;
  /** The reader of stdout goes away, as `| head` does. */
  closeReader(): void;
  signal(name: SignalName): void;
  readonly done: Promise<Ran>;
}

export interface Bench {
  readonly stateDir: string;
  readonly broker: Broker;
  /** What tells a command where the questions are. */
  readonly env: Readonly<Record<string, string>>;
  /** Opens a url question on the gateway's side. */
  askUrl(url: string, more?: Partial<NewRow>): Promise<Row>;
  /** Opens a form question on the gateway's side. */
  ask(properties: Record<string, unknown>, more?: Partial<NewRow> & { required?: string[] }): Promise<Row>;
  start(argv: readonly string[], how?: How): Running;
  run(argv: readonly string[], how?: How): Promise<Ran>;
}

export interface BenchSetup {
  readonly servers?: readonly string[];
  /** The commands ask a gateway far away; by itself what the file of tests has chosen (where.ts). */
  readonly remote?: boolean;
}

/** A bench of its own for one test, whose gateway says which servers it has; closed and deleted when the test ends. */
export async function bench({ servers, remote = where.remote }: BenchSetup = {}): Promise<Bench> {
  const stateDir = mkdtempSync(join(tmpdir(), 'mcpx-elicit-'));
  const broker = await openBroker({
    stateDir,
    clock: systemClock,
    log: silent,
    role: 'gateway',
    keep: 86_400_000,
    ...(servers !== undefined && { servers }),
  });
  onTestFinished(async () => {
    await broker.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  const env = remote ? await remoteEnv(broker, stateDir) : { MCPX_STATE_DIR: stateDir };
  const start = (argv: readonly string[], how: How = {}): Running =>
    startMain(argv, { ...how, env: { ...env, ...how.env } }, stateDir);
  return {
    stateDir,
    broker,
    env,
    ask: (properties, { required = [], ...more } = {}) => broker.open(newRow({ properties, required }, more)),
    askUrl: (url, more = {}) => {
      const message = more.message ?? 'Link your account';
      const params = JSON.stringify({ mode: 'url', elicitationId: 'u-1', url, message });
      const { requestedSchema: _, ...row } = newRow({}, { mode: 'url', message, params, url, ...more });
      return broker.open(row);
    },
    start,
    run: (argv, how) => start(argv, how).done,
  };
}

/** A command that looked into a local store would find an empty one. */
async function remoteEnv(broker: Broker, stateDir: string): Promise<Record<string, string>> {
  const { http, stop } = await serveApiOf(broker);
  onTestFinished(async () => {
    stop();
    await http.close('The test is over.');
  });
  return { MCPX_STATE_DIR: join(stateDir, 'not-here'), MCPX_URL: http.url, MCPX_TOKEN: TOKEN };
}

function newRow(schema: Record<string, unknown>, more: Partial<NewRow>): NewRow {
  const requestedSchema = JSON.stringify({ type: 'object', ...schema });
  const message = more.message ?? 'Which repository?';
  return {
    server: 'github',
    mode: 'form',
    message,
    params: JSON.stringify({ message, requestedSchema: JSON.parse(requestedSchema) }),
    requestedSchema,
    method: 'tools/call',
    tool: 'create_issue',
    host: { name: 'an-editor', revision: '2025-06-18', inline: false },
    principal: 'local',
    audience: 'human',
    sensitive: false,
    ttl: 600_000,
    ...more,
  };
}

class Sink extends Writable {
  text = '';
  readonly watchers = new Set<() => void>();

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk.toString();
    for (const listener of this.watchers) listener();
    done();
  }
}

function startMain(argv: readonly string[], how: How, stateDir: string): Running {
  const stdout = Object.assign(
    new Sink(),
    how.columns === undefined ? {} : { isTTY: true, columns: how.columns },
  );
  const stderr = new Sink();
  let send: (name: SignalName) => void = () => undefined;
  const stdin = how.stdin ?? '';
  const edge: Edge = {
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
    stdout,
    stderr: how.stderr ?? stderr,
    env: how.env ?? {},
    cwd: how.cwd ?? stateDir,
    home: stateDir,
    platform: process.platform,
    clock: how.clock ?? systemClock,
    onSignal(listener) {
      send = listener;
      return () => undefined;
    },
    exit: (code) => {
      throw new Error(`ended at once with ${code}`);
    },
  };
  const done = main(argv, edge).then((code) => ({ code, stdout: stdout.text, stderr: stderr.text }));
  return {
    async lines(count) {
      const lines = (): string[] => stdout.text.split('\n').slice(0, -1);
      while (lines().length < count) {
        await new Promise<void>((resolve, reject) => {
          const late = setTimeout(
            () => reject(new Error(`no ${count} lines in: ${stdout.text}${stderr.text}`)),
            10_000,
          );
          stdout.watchers.add(function listener() {
            stdout.watchers.delete(listener);
            clearTimeout(late);
            resolve();
          });
        });
      }
      return lines();
    },
    closeReader: () => stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    signal: (name) => send(name),
    done,
  };
}
