// The built `mcpx serve` with a config and a state directory of its own, and `mcpx …` commands beside it: inside the test,
// or as real processes where `spawn` says so.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './create-scope.ts';
import type { Host, HostOptions } from './host.ts';
import { connectHttpHost, type HttpHost, type HttpHostOptions } from './host-http.ts';
import { connectStdioHost } from './host-stdio.ts';
import { startInside } from './in-process.ts';
import {
  type Finished,
  type Program,
  ROOT,
  type Running,
  type StartOptions,
  startNode,
} from './processes.ts';
import { within } from './until.ts';

export const MCPX = join(ROOT, 'bin', 'mcpx.js');

/** A row as `mcpx elicit show --json` gives it, as far as tests read it. */
export interface RowView {
  readonly id: string;
  readonly state: string;
  readonly server: string;
  readonly mode: string;
  readonly message: string;
  readonly requestedSchema?: unknown;
  readonly url?: string;
  readonly elicitationId?: string;
  readonly tool?: string;
  readonly call?: string;
  readonly method?: string;
  readonly host?: { readonly name: string; readonly revision: string; readonly inline: boolean };
  readonly audience: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly answer?: {
    readonly action: string;
    readonly content?: unknown;
    readonly by: string;
    readonly at: string;
  };
  readonly deliveredAt?: string;
  readonly completedAt?: string;
  readonly undelivered?: true;
  readonly reason?: string;
}

/** A state directory and a config: what every `mcpx` of one installation shares. */
export interface Installation<P extends Program = Program> {
  readonly stateDir: string;
  readonly configFile: string;
  readonly env: Record<string, string>;
  /** Runs `mcpx ARGS…` to its end. */
  mcpx(
    args: readonly string[],
    options?: { input?: string; env?: Record<string, string>; ms?: number },
  ): Promise<Finished>;
  /** Starts `mcpx ARGS…` and leaves it running. */
  start(args: readonly string[], env?: Record<string, string>, rawStdout?: boolean): P;
  /** `mcpx ARGS… --json`, parsed; throws when it fails. */
  json<T>(args: readonly string[]): Promise<T>;
  /** Pending rows, or all with `['--all']`. */
  rows(args?: readonly string[]): Promise<RowView[]>;
  row(id: string): Promise<RowView>;
}

export interface GatewayOptions {
  /** Entries of `mcpServers`. */
  readonly servers: Readonly<Record<string, unknown>>;
  /** Other keys of mcpx.json: `elicit`, `serve`, `limits`. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Record<string, string>;
  /**
   * Runs mcpx in processes of its own: for tests of kills, signals, several processes on one store, stdout of a process.
   * Everything else runs inside the test, which is several times as fast.
   */
  readonly spawn?: boolean;
}

/** What asks for processes, and gets their pids and every signal. */
export interface Spawned {
  readonly spawn: true;
}

/** Writes the config; nothing runs yet. */
export function install(scope: Scope, options: GatewayOptions & Spawned): Installation<Running>;
export function install(scope: Scope, options: GatewayOptions): Installation;
export function install(scope: Scope, options: GatewayOptions): Installation {
  const dir = scope.dir();
  const stateDir = join(dir, 'state');
  const configFile = join(dir, 'mcpx.json');
  writeFileSync(configFile, JSON.stringify({ mcpServers: options.servers, ...options.config }));
  const env = {
    MCPX_STATE_DIR: stateDir,
    MCPX_CONFIG: configFile,
    XDG_STATE_HOME: join(dir, 'xdg-state'),
    XDG_CONFIG_HOME: join(dir, 'xdg-config'),
    ...options.env,
  };
  const start = (args: readonly string[], how: StartOptions): Program =>
    options.spawn ? startNode(scope, [MCPX, ...args], how) : startInside(scope, args, how);
  const end = async (
    running: Program,
    args: readonly string[],
    input = '',
    ms = 20_000,
  ): Promise<Finished> => {
    running.pipes.stdin.end(input);
    const code = await within(`the end of mcpx ${args.join(' ')}`, running.ended, ms);
    return { code, stdout: running.stdout(), stderr: running.stderr() };
  };
  const installation: Installation = {
    stateDir,
    configFile,
    env,
    mcpx: (args, { input, env: more, ms } = {}) =>
      end(start(args, { cwd: dir, env: { ...env, ...more } }), args, input, ms),
    start: (args, more, rawStdout = false) => start(args, { cwd: dir, env: { ...env, ...more }, rawStdout }),
    async json<T>(args: readonly string[]): Promise<T> {
      const look = [...args, '--json'];
      const how = { cwd: dir, env };
      // Only a look, often until something has come: no process, but where a process is not as the test (its clock, say).
      const looking = 'NODE_OPTIONS' in env ? start(look, how) : startInside(scope, look, how);
      const { code, stdout, stderr } = await end(looking, look);
      if (code !== 0) throw new Error(`mcpx ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    rows: (args = []) => installation.json<RowView[]>(['elicit', 'list', ...args]),
    row: (id) => installation.json<RowView>(['elicit', 'show', id]),
  };
  return installation;
}

export interface HttpGateway<P extends Program = Program> extends Installation<P> {
  readonly url: string;
  readonly process: P;
  connect(options?: HttpHostOptions): Promise<HttpHost>;
}

/** `mcpx serve` on a port of its own; resolves once it accepts calls. */
export function startGateway(scope: Scope, options: GatewayOptions & Spawned): Promise<HttpGateway<Running>>;
export function startGateway(scope: Scope, options: GatewayOptions): Promise<HttpGateway>;
export function startGateway(scope: Scope, options: GatewayOptions): Promise<HttpGateway> {
  return serveHttp(scope, install(scope, options));
}

/** Starts (or starts again) the HTTP gateway of an installation. */
export async function serveHttp<P extends Program>(
  scope: Scope,
  installation: Installation<P>,
  more: readonly string[] = [],
): Promise<HttpGateway<P>> {
  const process = installation.start(['serve', '--port', '0', '--json', ...more]);
  const { url } = JSON.parse(await process.line((line) => line.startsWith('{'), 20_000)) as { url: string };
  return {
    ...installation,
    url,
    process,
    async connect(hostOptions) {
      const host = await connectHttpHost(url, hostOptions);
      // A test that has ended cuts what it left open, so that nothing waits for it.
      scope.defer(() => host.cut());
      return host;
    },
  };
}

export interface StdioGateway<P extends Program = Program> extends Installation<P> {
  readonly host: Host;
  readonly process: P;
}

/** `mcpx serve --stdio` with a host on its pipes. */
export function startStdioGateway(
  scope: Scope,
  options: GatewayOptions,
  hostOptions: HostOptions = {},
): Promise<StdioGateway> {
  return serveStdio(install(scope, options), hostOptions);
}

/** Starts one more gateway on stdio of an installation. */
export async function serveStdio<P extends Program>(
  installation: Installation<P>,
  hostOptions: HostOptions = {},
): Promise<StdioGateway<P>> {
  const process = installation.start(['serve', '--stdio'], {}, true);
  const host = await connectStdioHost(process.pipes, hostOptions).catch((error: Error) => {
    throw new Error(`${error.message}\n${process.stderr()}`);
  });
  return { ...installation, host, process };
}

export const HOST_TRANSPORTS = ['http', 'stdio'] as const;

type WithHost<P extends Program> = Installation<P> & { readonly host: Host; readonly process: P };

/** A gateway and one host on either transport, for tests that hold for both. */
export async function gatewayWithHost(
  scope: Scope,
  transport: (typeof HOST_TRANSPORTS)[number],
  options: GatewayOptions & Spawned,
  hostOptions?: HostOptions,
): Promise<WithHost<Running>>;
export async function gatewayWithHost(
  scope: Scope,
  transport: (typeof HOST_TRANSPORTS)[number],
  options: GatewayOptions,
  hostOptions?: HostOptions,
): Promise<WithHost<Program>>;
export async function gatewayWithHost(
  scope: Scope,
  transport: (typeof HOST_TRANSPORTS)[number],
  options: GatewayOptions,
  hostOptions: HostOptions = {},
): Promise<WithHost<Program>> {
  if (transport === 'stdio') return startStdioGateway(scope, options, hostOptions);
  const gateway = await startGateway(scope, options);
  return { ...gateway, host: await gateway.connect(hostOptions) };
}
